import { ApiError, api, type Endpoint } from '@framelift/contract';

const shapes = (Object.values(api) as Endpoint[]).map(({ method, path }) => ({
  method,
  shape: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** For a path below the API base where no call answers: a wrong method is told from a wrong path. */
export function noSuchCall(path: string): { readonly error: ApiError; readonly allow: readonly string[] } {
  const allow = shapes.filter(({ shape }) => shape.test(path)).map(({ method }) => method);
  return { error: new ApiError(allow.length > 0 ? 'methodNotAllowed' : 'notFound'), allow };
}

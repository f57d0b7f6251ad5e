import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isCallError } from './client.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `quiet`: the caller shows the failure itself, so no toast appears. */
    queryMeta: { quiet?: boolean };
    mutationMeta: { quiet?: boolean };
  }
}

/** `meta` of calls whose failure is shown by the caller. */
export const QUIET = { quiet: true } as const;

/**
 * Every failed call is passed to `onError` once, except those with `meta.quiet` and a 401, which is handled separately.
 */
export function createQueryClient(onError: (error: unknown) => void): QueryClient {
  const report = (error: unknown, quiet: boolean | undefined) => {
    if (quiet || (isCallError(error) && error.status === 401)) return;
    onError(error);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => report(error, query.meta?.quiet) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => report(error, mutation.meta?.quiet),
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // Refusals are not retried; only missing responses and a busy server are.
        retry: (count, error) =>
          count < 2 &&
          isCallError(error) &&
          (error.status === 0 ||
            error.code === 'serverUnavailable' ||
            (error.status === 503 && error.code !== 'maintenance')),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

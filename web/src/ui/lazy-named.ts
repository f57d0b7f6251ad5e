import { type ComponentType, type JSXElementConstructor, lazy } from 'react';
import { loadCode } from './load-code.ts';

/** Like React's `lazy`, for a component that its module exports by name. */
export function lazyNamed<M extends object, N extends keyof M>(load: () => Promise<M>, name: N) {
  type Props = M[N] extends JSXElementConstructor<infer P> ? P : never;
  return lazy<ComponentType<Props>>(async () => ({ default: (await loadCode(load))[name] as ComponentType<Props> }));
}

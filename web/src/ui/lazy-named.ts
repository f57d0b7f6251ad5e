import { type ComponentType, lazy, type ReactNode } from 'react';

/** Like React's `lazy`, for a component that its module exports by name. */
export function lazyNamed<N extends string, P = object>(
  load: () => Promise<Readonly<Record<N, (props: P) => ReactNode>>>,
  name: N,
) {
  return lazy<ComponentType<P>>(async () => ({ default: (await load())[name] }));
}

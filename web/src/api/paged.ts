import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import { QUIET } from './query-client.ts';

/** Returns the keyset cursor in the URL of the next page. */
export function cursorOf(next: string | null): string | null {
  return next && new URLSearchParams(next.slice(next.indexOf('?') + 1)).get('page');
}

/** Returns all items of a paged list, for choosing one of them. */
export async function allPages<T>(
  fetchPage: (at: { page?: string }) => Promise<{ readonly data: readonly T[]; readonly next: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page: string | null = null; ; ) {
    const { data, next }: { data: readonly T[]; next: string | null } = await fetchPage(page === null ? {} : { page });
    all.push(...data);
    page = cursorOf(next);
    if (page === null) return all;
  }
}

/**
 * Returns the query of a paged list. It is refetched on every visit, and its page shows a failure itself.
 * @param fetchPage receives the part of the input that selects the page
 */
export const paged = <P extends { readonly next: string | null }, K extends QueryKey>(
  queryKey: K,
  fetchPage: (at: { page?: string }, signal: AbortSignal) => Promise<P>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam === null ? {} : { page: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => cursorOf(next),
    refetchOnMount: 'always',
    meta: QUIET,
  });

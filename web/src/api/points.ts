import type { Language, PointKind } from '@framelift/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';
import { userQuery } from './session.ts';

/** First part of the key of every query about points. */
const KEY = 'points';
/** The next ad is asked for at least this often while one has to be waited for, because clocks differ. */
const LONGEST_WAIT_MS = 60_000;
const SHORTEST_WAIT_MS = 1000;

/** What conversions cost the member; empty where they cost nothing. */
export const pricesQuery = queryOptions({
  queryKey: [KEY, 'prices'],
  queryFn: ({ signal }) => call('prices', { signal }),
  refetchOnMount: 'always',
  meta: QUIET,
});

/** Changes of the member's points, newest first, with texts in one language. */
export const pointEntriesQuery = (kind: PointKind | null, language: Language) =>
  paged([KEY, 'entries', kind, language], (at, signal) =>
    call('pointEntries', { input: { ...(kind && { kind }), ...at }, signal }),
  );

/** What an ad gives, and when the next one can be started. It is asked for again at that time. */
export const adsQuery = queryOptions({
  queryKey: [KEY, 'ads'],
  queryFn: ({ signal }) => call('ads', { signal }),
  refetchOnMount: 'always',
  refetchInterval: ({ state }) => {
    const next = state.data?.next_at;
    if (!next) return false;
    return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, Date.parse(next) - Date.now()));
  },
  meta: QUIET,
});

/** Refreshes the member's points and all that depends on them, after they have changed. */
export async function refreshPoints(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: [KEY] }),
    queries.invalidateQueries({ queryKey: userQuery.queryKey }),
  ]);
}

import type { Language, Notification } from '@framelift/contract';
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { call } from './client.ts';
import { cursorOf } from './media.ts';

/** How often an open page asks whether there is something new; a hidden one does not. */
const ASK_MS = 30_000;

/** What the member was told, newest first, a page at a time, in one language. */
export const notificationsQuery = (language: Language) =>
  infiniteQueryOptions({
    queryKey: ['notifications', language],
    queryFn: ({ pageParam, signal }) =>
      call('notifications', { input: pageParam === null ? {} : { page: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => cursorOf(page.next),
    refetchInterval: ASK_MS,
    meta: { quiet: true },
  });

type Pages = InfiniteData<{ readonly data: readonly Notification[] }>;

/**
 * Ends a look at the messages: those named are read, at once on the page and then on the server; where that fails they
 * are unread the next time. Further pages are forgotten, or each would be asked for again and again.
 */
export function leaveNotifications(queries: QueryClient, ids: readonly string[]): void {
  queries.setQueriesData<Pages>(
    { queryKey: ['notifications'] },
    (known) =>
      known && {
        ...known,
        pageParams: known.pageParams.slice(0, 1),
        pages: known.pages.slice(0, 1).map((page) => ({
          ...page,
          data: page.data.map((one) => (ids.includes(one.id) ? { ...one, is_read: true } : one)),
        })),
      },
  );
  if (ids.length > 0) call('readNotifications', { input: { ids: [...ids] } }).catch(() => {});
}

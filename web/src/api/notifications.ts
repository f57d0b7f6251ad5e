import type { Language, Notification } from '@framelift/contract';
import { type InfiniteData, mutationOptions, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** Polling interval of a visible page without events, in milliseconds: some proxies hold them back. */
const ASK_MS = 30_000;
/** The same with events, for connections that break unnoticed, and what comes between the first list and the first event. */
const LIVE_ASK_MS = 300_000;

/** The member's notifications in one language, newest first. */
export const notificationsQuery = (language: Language) => ({
  ...paged(['notifications', language], (at, signal) => call('notifications', { input: at, signal })),
  refetchOnMount: true,
});

/** Options of the list where the page listens for events. */
export const polling = (isLive: boolean) => ({ refetchInterval: isLive ? LIVE_ASK_MS : ASK_MS });

/** What the operator told all members, for those who are not logged in. */
export const publicNotificationsQuery = (language: Language) =>
  paged(['publicNotifications', language], (at, signal) => call('publicNotifications', { input: at, signal }));

type Pages = InfiniteData<{ readonly data: readonly Notification[] }>;

/** Drops the pages after the first from the cache: polling would fetch each of them. */
export function forgetLaterPages(queries: QueryClient): void {
  queries.setQueriesData<Pages>(
    { queryKey: ['notifications'] },
    (known) => known && { pageParams: known.pageParams.slice(0, 1), pages: known.pages.slice(0, 1) },
  );
}

/**
 * Marks notifications as read, immediately in the cache and then on the server; if the call fails they are unread again
 * on the next fetch.
 */
export const readNotifications = mutationOptions({
  mutationFn: async (ids: readonly string[]) => {
    if (ids.length > 0) await call('readNotifications', { input: { ids: [...ids] } });
  },
  onMutate: (ids, { client }) => {
    client.setQueriesData<Pages>(
      { queryKey: ['notifications'] },
      (known) =>
        known && {
          ...known,
          pages: known.pages.map((page) => ({
            ...page,
            data: page.data.map((one) => (ids.includes(one.id) ? { ...one, is_read: true } : one)),
          })),
        },
    );
  },
  meta: QUIET,
});

/**
 * Refetches the notifications as soon as the server tells of a change. Only a visible page listens: browsers open few
 * connections to a server, for all tabs together.
 * @returns whether events arrive; the caller polls more often while they do not
 */
export function useLiveNotifications(): boolean {
  const queries = useQueryClient();
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    let source: EventSource | null = null;
    let known: string | null = null;
    const follow = () => {
      // A refused connection stays closed, for example if the member has too many: the next look at the page tries again.
      if (document.hidden || source?.readyState === EventSource.CLOSED) {
        source?.close();
        source = null;
        setLive(false);
      }
      if (document.hidden || source !== null) return;
      source = new EventSource('/api/notifications/events');
      source.addEventListener('notifications', ({ data }: MessageEvent<string>) => {
        setLive(true);
        // The first one is the state that the page has just fetched.
        if (known !== null && known !== data) void queries.invalidateQueries({ queryKey: ['notifications'] });
        known = data;
      });
      source.onerror = () => setLive(false);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      source?.close();
    };
  }, [queries]);
  return isLive;
}

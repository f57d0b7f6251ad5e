import type { Language, Notification } from '@framelift/contract';
import { type InfiniteData, mutationOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** Polling interval for new notifications on a visible page, in milliseconds. */
const ASK_MS = 30_000;

/** The member's notifications in one language, newest first. */
export const notificationsQuery = (language: Language) => ({
  ...paged(['notifications', language], (at, signal) => call('notifications', { input: at, signal })),
  refetchOnMount: true,
  refetchInterval: ASK_MS,
});

type Pages = InfiniteData<{ readonly data: readonly Notification[] }>;

/**
 * Marks notifications as read, immediately in the cache and then on the server; if the call fails they are unread again
 * on the next fetch. Pages after the first are dropped from the cache, because polling would fetch each of them.
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
          pageParams: known.pageParams.slice(0, 1),
          pages: known.pages.slice(0, 1).map((page) => ({
            ...page,
            data: page.data.map((one) => (ids.includes(one.id) ? { ...one, is_read: true } : one)),
          })),
        },
    );
  },
  meta: QUIET,
});

import type { Language, Notification } from '@framelift/contract';
import { type InfiniteData, mutationOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { paged } from './paged.ts';
import { QUIET } from './query-client.ts';

/** How often a visible page asks for new messages. */
const ASK_MS = 30_000;

/** The member's notifications in one language, newest first. */
export const notificationsQuery = (language: Language) => ({
  ...paged(['notifications', language], (at, signal) => call('notifications', { input: at, signal })),
  refetchOnMount: true,
  refetchInterval: ASK_MS,
});

type Pages = InfiniteData<{ readonly data: readonly Notification[] }>;

/**
 * Marks these messages as read, at once on the page and then on the server; where that fails they are unread the next
 * time. Further pages are forgotten, or the polling would fetch each of them.
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

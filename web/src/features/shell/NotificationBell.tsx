import { ActionIcon } from '@mantine/core';
import IconBell from '@tabler/icons-react/icons/IconBell';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  forgetLaterPages,
  notificationsQuery,
  polling,
  readNotifications,
  useLiveNotifications,
} from '../../api/notifications.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { lazyNamed } from '../../ui/lazy-named.ts';
import classes from './Notifications.module.css';

const NotificationsModal = lazyNamed(() => import('./NotificationsModal.tsx'), 'NotificationsModal');

/** Shows whether there are unread notifications, and opens the list once it is loaded. */
export function NotificationBell() {
  const { t } = useTranslation('notifications');
  const read = useMutation(readNotifications);
  const queries = useQueryClient();
  const isLive = useLiveNotifications();
  const list = useInfiniteQuery({ ...notificationsQuery(currentLanguage()), ...polling(isLive) });
  const [asking, setAsking] = useState(false);
  const [opened, setOpened] = useState(false);
  const shown = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const unread = shown.filter(({ is_read }) => !is_read).map(({ id }) => id);

  const open = async () => {
    if (asking || opened) return;
    setAsking(true);
    await list.refetch();
    setAsking(false);
    setOpened(true);
  };
  const close = () => {
    setOpened(false);
    forgetLaterPages(queries);
    read.mutate(unread);
  };

  return (
    <>
      <ActionIcon
        aria-label={t(unread.length > 0 ? 'bellUnread' : 'bell')}
        aria-haspopup="dialog"
        aria-busy={asking}
        className={classes.bell ?? ''}
        onClick={() => void open()}
      >
        <IconBell size={22} aria-hidden />
        {unread.length > 0 && <span className={classes.badge} />}
      </ActionIcon>
      <Suspense fallback={null}>{opened && <NotificationsModal onClose={close} />}</Suspense>
    </>
  );
}

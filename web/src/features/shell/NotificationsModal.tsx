import type { Notification } from '@framelift/contract';
import { Button, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { notificationsQuery } from '../../api/notifications.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { relativeTime } from '../../i18n/relative-time.ts';
import { NotificationIcon } from '../../shared/notifications/NotificationIcon.tsx';
import { NotificationLink } from '../../shared/notifications/NotificationLink.tsx';
import { NotificationList } from '../../shared/notifications/NotificationList.tsx';
import shared from '../../shared/notifications/Notifications.module.css';
import { Modal } from '../../ui/Modal.tsx';
import classes from './Notifications.module.css';

/** The member's notifications; each leads to what it is about. It opens on mount. */
export function NotificationsModal({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('notifications');
  const [opened, setOpened] = useState(true);
  return (
    <Modal opened={opened} onClose={() => setOpened(false)} onExitTransitionEnd={onClose} title={t('title')} size="md">
      <List onLeave={() => setOpened(false)} />
      <Button component={Link} to="/notify" replace fullWidth variant="subtle" mt="sm" onClick={() => setOpened(false)}>
        {t('all')}
      </Button>
    </Modal>
  );
}

function List({ onLeave }: { onLeave: () => void }) {
  return (
    <NotificationList query={useInfiniteQuery(notificationsQuery(currentLanguage()))}>
      {(items, place) => (
        <ul className={classes.list} ref={place}>
          {items.map((one) => (
            <li key={one.id}>
              <Message message={one} onLeave={onLeave} />
            </li>
          ))}
        </ul>
      )}
    </NotificationList>
  );
}

function Message({ message, onLeave }: { message: Notification; onLeave: () => void }) {
  const { t } = useTranslation('notifications');
  const { title, content, kind, release_at, is_read, link } = message;
  return (
    <NotificationLink to={link} replace onFollow={onLeave}>
      <NotificationIcon kind={kind} />
      <span className={shared.words}>
        <span className={shared.title}>
          {!is_read && <VisuallyHidden>{t('unread')} </VisuallyHidden>}
          {title}
        </span>
        <span>{content}</span>
        <time dateTime={release_at} className={shared.time}>
          {relativeTime(release_at, Date.now(), currentLanguage()) ?? t('justNow')}
        </time>
      </span>
      {!is_read && <span className={shared.dot} />}
    </NotificationLink>
  );
}

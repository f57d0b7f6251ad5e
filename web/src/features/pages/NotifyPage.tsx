import type { Notification } from '@framelift/contract';
import { Button, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import IconSpeakerphone from '@tabler/icons-react/icons/IconSpeakerphone';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { configQuery } from '../../api/config.ts';
import { notificationsQuery, publicNotificationsQuery, readNotifications } from '../../api/notifications.ts';
import { useSession } from '../../api/session.ts';
import { formatTimestamp } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { NotificationIcon } from '../../shared/notifications/NotificationIcon.tsx';
import { NotificationLink } from '../../shared/notifications/NotificationLink.tsx';
import { NotificationList, NotificationSkeletons } from '../../shared/notifications/NotificationList.tsx';
import shared from '../../shared/notifications/Notifications.module.css';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import classes from './NotifyPage.module.css';

/** /notify: what the operator announces, and everything that a member was told, with the time of each. */
export function NotifyPage() {
  const { t } = useTranslation('notifications');
  const { kind } = useSession();
  const { data: config } = useQuery(configQuery);
  const announcement = config?.announcement;
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <div>
        <Title order={1}>{t('title')}</Title>
        {kind === 'member' && <Text c="dimmed">{t('lead')}</Text>}
      </div>
      {announcement && (
        <section className={classes.announcement} aria-labelledby="announcement">
          <IconSpeakerphone aria-hidden />
          <div>
            <Title order={2} size="h4" id="announcement">
              {t('announced')}
            </Title>
            <Text className={classes.text}>{announcement.text[currentLanguage()]}</Text>
          </div>
        </section>
      )}
      {kind === 'member' && <List />}
      {kind === 'loading' && <NotificationSkeletons />}
      {kind !== 'member' && kind !== 'loading' && (
        <>
          <div className={classes.visitor}>
            <Text>{t('visitor')}</Text>
            <Button component={Link} to="/login?redirect=%2Fnotify">
              {t('login')}
            </Button>
          </div>
          <PublicList />
        </>
      )}
    </div>
  );
}

/** What everybody may read. */
function PublicList() {
  const { t } = useTranslation('notifications');
  return (
    <NotificationList
      query={useInfiniteQuery(publicNotificationsQuery(currentLanguage()))}
      empty={<Text c="dimmed">{t('noNews')}</Text>}
    >
      {(rows, place) => (
        <ul className={`${shared.list} ${classes.rows}`} ref={place}>
          {rows.map((one) => (
            <li key={one.id} className={classes.row}>
              <Row notification={{ ...one, is_read: true }} />
            </li>
          ))}
        </ul>
      )}
    </NotificationList>
  );
}

function List() {
  const { t } = useTranslation('notifications');
  const list = useInfiniteQuery(notificationsQuery(currentLanguage()));
  const read = useMutation(readNotifications);
  const unread = list.data?.pages.flatMap(({ data }) => data).filter(({ is_read }) => !is_read) ?? [];
  return (
    <NotificationList query={list}>
      {(rows, place) => (
        <div>
          {/* Keeps its room: the list must not move under the finger. */}
          <Group justify="flex-end" className={classes.tools}>
            {unread.length > 0 && (
              <Button variant="subtle" onClick={() => read.mutate(unread.map(({ id }) => id))}>
                {t('markRead')}
              </Button>
            )}
          </Group>
          <ul className={`${shared.list} ${classes.rows}`} ref={place}>
            {rows.map((one) => (
              <li key={one.id} className={classes.row}>
                <Row notification={one} onFollow={() => one.is_read || read.mutate([one.id])} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </NotificationList>
  );
}

interface RowProps {
  readonly notification: Omit<Notification, 'account' | 'media_id'>;
  readonly onFollow?: () => void;
}

function Row({ notification, onFollow }: RowProps) {
  const { t } = useTranslation('notifications');
  const { title, content, kind, release_at, is_read, link } = notification;
  return (
    <NotificationLink to={link} {...(onFollow && { onFollow })}>
      <NotificationIcon kind={kind} />
      <span className={shared.words}>
        <time dateTime={release_at} className={shared.time}>
          {formatTimestamp(release_at)}
        </time>
        <span className={shared.title}>
          {!is_read && <VisuallyHidden>{t('unread')} </VisuallyHidden>}
          {title}
        </span>
        <span>{content}</span>
      </span>
      {!is_read && <span className={shared.dot} data-unread />}
    </NotificationLink>
  );
}

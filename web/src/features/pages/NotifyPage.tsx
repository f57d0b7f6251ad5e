import type { Notification, PublicNotification } from '@framelift/contract';
import { Button, Group, Skeleton, Stack, Text, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
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
import shared from '../../shared/notifications/Notifications.module.css';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { InfiniteList } from '../../ui/InfiniteList.tsx';
import classes from './NotifyPage.module.css';

const SKELETONS = ['a', 'b', 'c', 'd'];

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
      {kind === 'loading' && <Waiting />}
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

function Waiting() {
  const { t } = useTranslation('notifications');
  return (
    <Stack role="status" aria-label={t('loading')}>
      {SKELETONS.map((key) => (
        <Skeleton key={key} className={shared.skeleton ?? ''} />
      ))}
    </Stack>
  );
}

/** What everybody may read. */
function PublicList() {
  const { t } = useTranslation('notifications');
  return (
    <InfiniteList<PublicNotification, HTMLUListElement>
      query={useInfiniteQuery(publicNotificationsQuery(currentLanguage()))}
      loading={<Waiting />}
      failed={t('failed')}
      className={shared.note ?? ''}
      empty={
        <div className={shared.note}>
          <Text c="dimmed">{t('noNews')}</Text>
        </div>
      }
      shown={(count) => t('shown', { count })}
      focus="a, [tabindex]"
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
    </InfiniteList>
  );
}

function List() {
  const { t } = useTranslation('notifications');
  const list = useInfiniteQuery(notificationsQuery(currentLanguage()));
  const read = useMutation(readNotifications);
  const unread = list.data?.pages.flatMap(({ data }) => data).filter(({ is_read }) => !is_read) ?? [];
  return (
    <InfiniteList<Notification, HTMLUListElement>
      query={list}
      loading={<Waiting />}
      failed={t('failed')}
      className={shared.note ?? ''}
      empty={
        <div className={shared.note}>
          <Text fw={600}>{t('none')}</Text>
          <Text c="dimmed">{t('noneHint')}</Text>
        </div>
      }
      shown={(count) => t('shown', { count })}
      focus="a, [tabindex]"
    >
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
    </InfiniteList>
  );
}

interface RowProps {
  readonly notification: Omit<Notification, 'account' | 'media_id'>;
  readonly onFollow?: () => void;
}

function Row({ notification, onFollow }: RowProps) {
  const { t } = useTranslation('notifications');
  const { title, content, kind, release_at, is_read, link } = notification;
  const inside = (
    <>
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
    </>
  );
  if (link === null) {
    return (
      <div className={shared.item} tabIndex={-1}>
        {inside}
      </div>
    );
  }
  return (
    <UnstyledButton component={Link} to={link} className={shared.item ?? ''} onClick={() => onFollow?.()}>
      {inside}
    </UnstyledButton>
  );
}

import type { Friend } from '@framelift/contract';
import { Badge, Skeleton, Text, Title } from '@mantine/core';
import IconUsers from '@tabler/icons-react/icons/IconUsers';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { configQuery, useIsClosed } from '../../api/config.ts';
import { type FriendList, friendListQuery } from '../../api/friends.ts';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';
import { InfiniteList, type PagedQuery } from '../../ui/InfiniteList.tsx';
import { AddFriendForm } from './AddFriendForm.tsx';
import { FriendRow } from './FriendRow.tsx';
import classes from './Friends.module.css';

/** Requests to the member, their friends, and their own requests, with the form that asks somebody. */
export function FriendsPage() {
  const { t } = useTranslation('friends');
  const heading = useRef<HTMLHeadingElement>(null);
  const { t: common } = useTranslation();
  const { data: config } = useQuery(configQuery);
  const isClosed = useIsClosed('friendPictures');
  const received = useInfiniteQuery(friendListQuery('received'));
  const confirmed = useInfiniteQuery(friendListQuery('confirmed'));
  const sent = useInfiniteQuery(friendListQuery('sent'));
  // Together, so that no list moves another when it arrives.
  const isPending = received.isPending || confirmed.isPending || sent.isPending;
  // Moves the focus, which would be lost with the buttons of the row.
  const onGone = () => heading.current?.focus();
  return (
    <div className={classes.page}>
      <DocumentTitle title={t('title')} />
      <Title order={1} ref={heading} tabIndex={-1}>
        {t('title')}
      </Title>
      {config?.features.addFriend === 'in_development' && <Text c="dimmed">{common('featureUnderDevelopment')}</Text>}
      {isClosed && <Text role="status">{t('picturesClosed')}</Text>}
      {isPending ? (
        <>
          <Skeleton className={classes.waiting} />
          <Skeleton className={classes.waiting} />
        </>
      ) : (
        <>
          <Rows list="received" query={received} empty={null} onGone={onGone} />
          <AddFriendForm />
          <Rows list="confirmed" query={confirmed} empty={<NoFriends />} onGone={onGone} />
          <Rows list="sent" query={sent} empty={null} onGone={onGone} />
        </>
      )}
    </div>
  );
}

interface RowsProps {
  readonly list: FriendList;
  readonly query: PagedQuery<Friend>;
  /** Null hides the whole list while it is empty. */
  readonly empty: ReactNode;
  readonly onGone: () => void;
}

function Rows({ list, query, empty, onGone }: RowsProps) {
  const { t } = useTranslation('friends');
  const [first] = query.data?.pages ?? [];
  const isHidden = empty === null && !query.isError && !first?.data.length;
  if (isHidden) return null;
  const { total } = (first ?? {}) as { total?: number };
  return (
    <section className={classes.list} aria-labelledby={`friends-${list}`}>
      <Title order={2} size="h4" id={`friends-${list}`} className={classes.heading ?? ''}>
        {t(`lists.${list}`)}
        {Boolean(total) && (
          <Badge variant={list === 'received' ? 'filled' : 'default'} className={classes.count ?? ''}>
            {total}
          </Badge>
        )}
      </Title>
      <InfiniteList<Friend, HTMLUListElement>
        query={query}
        loading={<Skeleton className={classes.waiting} />}
        failed={t('failed')}
        empty={empty}
        shown={(count) => t('shown', { count })}
        focus="button"
      >
        {(rows, place) => (
          <ul ref={place} className={classes.rows}>
            {rows.map((friend) => (
              <FriendRow key={friend.id} friend={friend} onGone={onGone} />
            ))}
          </ul>
        )}
      </InfiniteList>
    </section>
  );
}

function NoFriends() {
  const { t } = useTranslation('friends');
  return (
    <div className={classes.empty}>
      <IconUsers size="3rem" stroke={1.2} aria-hidden />
      <Text fw={600}>{t('emptyTitle')}</Text>
      <Text c="dimmed">{t('emptyText')}</Text>
    </div>
  );
}

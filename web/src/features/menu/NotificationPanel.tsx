import type { Notification } from '@framelift/contract';
import { Button, Modal, UnstyledButton, VisuallyHidden } from '@mantine/core';
import IconX from '@tabler/icons-react/icons/IconX';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { forgetLaterPages, notificationsQuery, readNotifications } from '../../api/notifications.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { relativeTime } from '../../i18n/relative-time.ts';
import { NotificationIcon } from '../../shared/notifications/NotificationIcon.tsx';
import { NotificationList } from '../../shared/notifications/NotificationList.tsx';
import shared from '../../shared/notifications/Notifications.module.css';
import type { PagedQuery } from '../../ui/InfiniteList.tsx';
import { UI_LIMITS } from '../../ui/limits.ts';
import { useModalHistory } from '../../ui/use-modal-history.ts';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import classes from './NotificationPanel.module.css';

const { collapsedItems, collapsedHeightPercent, expandedHeightPercent, overlayHeightPercent } = UI_LIMITS.notifications;

/**
 * The member's notifications as a panel, which leads to what they are about. Those it has shown are read once it closes. It
 * opens on mount; `onClosed` is called after it has faded out.
 */
export function MemberNotifications({ onClosed }: { onClosed: () => void }) {
  const list = useInfiniteQuery(notificationsQuery(currentLanguage()));
  const queries = useQueryClient();
  const read = useMutation(readNotifications);
  const navigate = useNavigate();
  const [opened, setOpened] = useState(true);
  const all = list.data?.pages.flatMap(({ data }) => data) ?? [];

  const close = (shown: readonly Notification[]) => {
    setOpened(false);
    forgetLaterPages(queries);
    read.mutate(shown.filter(({ is_read }) => !is_read).map(({ id }) => id));
  };
  const select = (id: string, shown: readonly Notification[]) => {
    const link = all.find((one) => one.id === id)?.link ?? null;
    if (link === null) return read.mutate([id]);
    navigate(link, { replace: true });
    close(shown);
  };
  return <NotificationPanel query={list} opened={opened} onSelect={select} onClose={close} onClosed={onClosed} />;
}

interface PanelProps {
  readonly query: PagedQuery<Notification>;
  readonly opened: boolean;
  /** Called with the id of the item that was clicked. `shown` are the items that the panel has shown. */
  readonly onSelect: (id: string, shown: readonly Notification[]) => void;
  readonly onClose: (shown: readonly Notification[]) => void;
  readonly onClosed: () => void;
}

/**
 * A card over the dimmed page with the newest notifications, and all of them on demand. A click beside it, on its corner tab,
 * Escape and "back" close it.
 */
export function NotificationPanel({ query, opened, onSelect, onClose, onClosed }: PanelProps) {
  const { t } = useTranslation('notifications');
  const { t: common } = useTranslation();
  const [expanded, setExpanded] = useState(false);
  const all = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const shown = expanded ? all : all.slice(0, collapsedItems);
  const close = () => onClose(shown);
  const closeTop = useModalHistory(opened, close);
  useReturnFocus(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={closeTop}
      onExitTransitionEnd={onClosed}
      centered
      size="md"
      padding={0}
      yOffset="0.5rem"
      returnFocus={false}
      // The class of the content would also be that of the layer around it.
      classNames={{ content: classes.card ?? '' }}
    >
      <Modal.Overlay h={`${overlayHeightPercent}%`} />
      <Modal.Content>
        <div className={classes.head}>
          <Modal.Title>{t('title')}</Modal.Title>
        </div>
        <UnstyledButton className={classes.tab} aria-label={common('close')} onClick={close}>
          <IconX size={20} aria-hidden />
        </UnstyledButton>
        <div
          className={classes.scroll}
          style={{ maxHeight: `${expanded ? expandedHeightPercent : collapsedHeightPercent}dvh` }}
        >
          <NotificationList
            query={{ ...query, hasNextPage: expanded && query.hasNextPage }}
            isCounted={false}
            focus="button"
          >
            {(_, place) => (
              <ul className={shared.list} ref={place}>
                {shown.map((one) => (
                  <li key={one.id}>
                    <Item notification={one} onSelect={() => onSelect(one.id, shown)} />
                  </li>
                ))}
              </ul>
            )}
          </NotificationList>
        </div>
        {all.length > collapsedItems && (
          <div className={classes.foot}>
            <Button fullWidth variant="subtle" aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
              {t(expanded ? 'viewLess' : 'viewAll')}
            </Button>
          </div>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

function Item({ notification, onSelect }: { notification: Notification; onSelect: () => void }) {
  const { t } = useTranslation('notifications');
  const { account, title, content, kind, release_at, is_read } = notification;
  return (
    <UnstyledButton className={shared.item} onClick={onSelect}>
      <NotificationIcon kind={kind} />
      <span className={shared.words}>
        <span className={shared.account}>
          {!is_read && <VisuallyHidden>{t('unread')} </VisuallyHidden>}
          {account}
        </span>
        <span>
          <span className={shared.title}>{title}</span>
          {content}
        </span>
        <time dateTime={release_at} className={shared.time}>
          {relativeTime(release_at, Date.now(), currentLanguage()) ?? t('justNow')}
        </time>
      </span>
      {!is_read && <span className={shared.dot} data-unread />}
    </UnstyledButton>
  );
}

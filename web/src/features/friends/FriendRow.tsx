import type { Friend } from '@framelift/contract';
import { Button, Text } from '@mantine/core';
import IconClock from '@tabler/icons-react/icons/IconClock';
import IconUser from '@tabler/icons-react/icons/IconUser';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { confirmFriend, deleteFriend, refuseFriend, restoreFriend } from '../../api/friends.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showToast } from '../../ui/toasts.ts';
import classes from './Friends.module.css';

/** A friend or request with what the member can do about it. */
export function FriendRow({ friend, onGone }: { friend: Friend; onGone: () => void }) {
  const { t } = useTranslation('friends');
  const { t: common } = useTranslation();
  const confirming = useMutation(confirmFriend);
  const refusing = useMutation(refuseFriend);
  const removing = useMutation(deleteFriend);
  const restoring = useMutation(restoreFriend);
  const { isConfirm, isReceived, date } = friend;
  const { name, email } = friend.target_user;
  const id = friend.id ?? '';
  const who = name || email;
  const busy = confirming.isPending || refusing.isPending || removing.isPending;

  const offerUndo = (text: string) => (undone: { id: string }) => {
    onGone();
    const restored = () => showToast({ kind: 'success', text: t('restored', { name: who }) });
    const undo = () => void restoring.mutateAsync(undone.id).then(restored, () => {});
    showToast({ kind: 'info', text, action: { label: common('undo'), run: undo } });
  };
  const accept = () =>
    void confirming.mutateAsync(id).then(
      () => {
        onGone();
        showToast({ kind: 'success', text: t('accepted', { name: who }) });
      },
      () => {},
    );
  const decline = () => void refusing.mutateAsync(id).then(offerUndo(t('declined', { name: who })), () => {});
  const remove = () =>
    void removing.mutateAsync(id).then(offerUndo(t(isConfirm ? 'removed' : 'cancelled', { name: who })), () => {});

  return (
    <li className={classes.row}>
      <span className={classes.face} aria-hidden>
        {name ? [...name][0]?.toLocaleUpperCase() : isReceived ? <IconUser /> : <IconClock />}
      </span>
      <div className={classes.about}>
        <Text fw={600}>{who}</Text>
        <Text size="sm" c="dimmed">
          {name ? email : t('waiting')}
          {date !== null && !isConfirm && (
            <>
              {' · '}
              <time dateTime={date}>{formatDate(date, currentLanguage())}</time>
            </>
          )}
        </Text>
      </div>
      <div className={classes.actions}>
        {isReceived ? (
          <>
            <Button
              loading={confirming.isPending}
              disabled={busy}
              aria-label={t('acceptOf', { name: who })}
              onClick={accept}
            >
              {t('accept')}
            </Button>
            <Button
              variant="default"
              loading={refusing.isPending}
              disabled={busy}
              aria-label={t('declineOf', { name: who })}
              onClick={decline}
            >
              {t('decline')}
            </Button>
          </>
        ) : (
          <Button
            variant="default"
            loading={removing.isPending}
            aria-label={t(isConfirm ? 'removeOf' : 'cancelOf', { name: who })}
            onClick={remove}
          >
            {isConfirm ? t('remove') : t('cancel')}
          </Button>
        )}
      </div>
    </li>
  );
}

import type { MemberDetail } from '@framelift/contract';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setUserAdmin, setUserConfirmed, setUserRestricted, setUserVip, signOutUser } from '../../api/admin.ts';
import { useSession } from '../../api/session.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { showAlert } from '../../ui/alerts.ts';
import { confirm } from '../../ui/confirm.ts';
import { Form } from '../../ui/Form.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import classes from './Admin.module.css';
import { startOfDay, today } from './local-time.ts';
import { Panel } from './Panel.tsx';
import { useUndoableAction } from './use-undoable-action.ts';

/** Actions of an administrator on a member. All except ending sessions can be undone. */
export function UserActions({ member }: { member: MemberDetail }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const session = useSession();
  const action = useUndoableAction();
  const [asking, setAsking] = useState<'vip' | 'admin' | null>(null);
  const { id, name, isConfirmed, isRestricted, isAdmin, VIP, vipUntil } = member;
  const isSelf = 'user' in session && session.user.id === id;

  const setConfirmed = (confirmed: boolean) => () => setUserConfirmed({ id, confirmed });
  const toggleConfirmed = () =>
    action.mutate({
      run: setConfirmed(!isConfirmed),
      done: t(isConfirmed ? 'user.unconfirmDone' : 'user.confirmDone', { name }),
      undo: setConfirmed(isConfirmed),
    });

  const restrict = async () => {
    const { button, input: reason } = await showAlert({
      title: t('user.restrictTitle', { name }),
      content: t('user.restrictText'),
      input: { label: t('user.reason') },
      buttons: [
        { value: 'cancel', label: common('cancel') },
        { value: 'restrict', label: t('user.restrict'), look: 'danger' },
      ],
    });
    if (button !== 'restrict') return;
    action.mutate({
      run: () => setUserRestricted({ id, restricted: true, reason }),
      done: t('user.restrictDone', { name }),
      undo: () => setUserRestricted({ id, restricted: false }),
    });
  };
  const unrestrict = () =>
    action.mutate({
      run: () => setUserRestricted({ id, restricted: false }),
      done: t('user.unrestrictDone', { name }),
      undo: () => setUserRestricted({ id, restricted: true }),
    });

  const setVip = (vip: boolean, until: string | null) => {
    setAsking(null);
    action.mutate({
      run: () => setUserVip({ id, vip, until }),
      done: t(vip ? 'user.vipDone' : 'user.unvipDone', { name }),
      undo: () => setUserVip({ id, vip: VIP, until: vipUntil }),
    });
  };

  const signOut = async () => {
    const texts = {
      title: t('user.signOutTitle', { name }),
      content: t(isSelf ? 'user.signOutSelf' : 'user.signOutText'),
    };
    if (await confirm({ ...texts, label: t('user.signOut'), look: 'primary' }))
      action.mutate({ run: () => signOutUser(id), done: t('user.signOutDone', { name }) });
  };

  return (
    <Panel title={t('user.actions')}>
      <Stack gap="sm" align="stretch">
        {isAdmin ? (
          <Text c="dimmed">{t(isSelf ? 'user.self' : 'user.protected')}</Text>
        ) : (
          <>
            <Button variant="default" loading={action.isPending} onClick={toggleConfirmed}>
              {t(isConfirmed ? 'user.unconfirm' : 'user.confirm')}
            </Button>
            <Button
              variant="default"
              className={isRestricted ? '' : (classes.danger ?? '')}
              loading={action.isPending}
              onClick={() => (isRestricted ? unrestrict() : void restrict())}
            >
              {t(isRestricted ? 'user.unrestrict' : 'user.restrict')}
            </Button>
          </>
        )}
        <Button
          variant="default"
          loading={action.isPending}
          onClick={() => (VIP ? setVip(false, null) : setAsking('vip'))}
        >
          {t(VIP ? 'user.unvip' : 'user.makeVip')}
        </Button>
        <Button variant="default" loading={action.isPending} onClick={() => void signOut()}>
          {t('user.signOut')}
        </Button>
        {!isSelf && (
          <Button
            variant="default"
            className={classes.danger ?? ''}
            mt="md"
            loading={action.isPending}
            onClick={() => setAsking('admin')}
          >
            {t(isAdmin ? 'user.unadmin' : 'user.makeAdmin')}
          </Button>
        )}
      </Stack>
      <Modal opened={asking === 'vip'} onClose={() => setAsking(null)} title={t('user.vipTitle', { name })}>
        <VipForm onSend={(until) => setVip(true, until)} />
      </Modal>
      <Modal
        opened={asking === 'admin'}
        onClose={() => setAsking(null)}
        title={t(isAdmin ? 'user.unadminTitle' : 'user.adminTitle', { name })}
      >
        <AdminForm member={member} onDone={() => setAsking(null)} />
      </Modal>
    </Panel>
  );
}

function VipForm({ onSend }: { onSend: (until: string | null) => void }) {
  const { t } = useTranslation('admin');
  const [day, setDay] = useState('');
  return (
    <Form onSubmit={() => onSend(startOfDay(day, 1) ?? null)}>
      <Stack>
        <TextInput
          type="date"
          label={t('user.vipUntil')}
          description={t('user.vipUntilHint')}
          min={today()}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit">{t('user.makeVip')}</Button>
      </Stack>
    </Form>
  );
}

/** Grants or revokes administrator rights; requires the password of the acting administrator. */
function AdminForm({ member, onDone }: { member: MemberDetail; onDone: () => void }) {
  const { t } = useTranslation('admin');
  const action = useUndoableAction();
  const [password, setPassword] = useState('');
  const [refusal, refuse] = useRefusal(password);
  const { id, name, isAdmin } = member;
  const set = (admin: boolean) => () => setUserAdmin({ id, admin, password });
  const send = () =>
    action.mutate(
      {
        run: set(!isAdmin),
        done: t(isAdmin ? 'user.unadminDone' : 'user.adminDone', { name }),
        undo: set(isAdmin),
      },
      { onSuccess: onDone, onError: refuse },
    );
  return (
    <Form onSubmit={send}>
      <Stack>
        <Text>{t(isAdmin ? 'user.unadminText' : 'user.adminText')}</Text>
        <PasswordField
          label={t('user.yourPassword')}
          autoComplete="current-password"
          value={password}
          error={refusal?.message}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit" disabled={password === ''} loading={action.isPending}>
          {t(isAdmin ? 'user.unadmin' : 'user.makeAdmin')}
        </Button>
      </Stack>
    </Form>
  );
}

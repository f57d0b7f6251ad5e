import { emailKey, LIMITS } from '@framelift/contract';
import { Button, List, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteAccount } from '../../api/profile.ts';
import { useSession } from '../../api/session.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showAlert } from '../../ui/alerts.ts';
import { Modal } from '../../ui/Modal.tsx';
import { PasswordConfirmForm } from './PasswordConfirmForm.tsx';
import classes from './Profile.module.css';
import { Section } from './Section.tsx';

/** Deletes the account after a grace period. Address and password are required to prevent accidental deletion. */
export function DeleteAccount() {
  const { t } = useTranslation('profile');
  const [opened, setOpened] = useState(false);
  return (
    <Section id="delete" title={t('delete.title')}>
      <Text c="dimmed">{t('delete.text', { days: LIMITS.account.graceDays })}</Text>
      <Button variant="light" color="red" className={classes.aside ?? ''} onClick={() => setOpened(true)}>
        {t('delete.ask')}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t('delete.title')}>
        <Deletion onCancel={() => setOpened(false)} />
      </Modal>
    </Section>
  );
}

/** Content of the dialog; its state is reset by each opening. */
function Deletion({ onCancel }: { onCancel: () => void }) {
  const { t } = useTranslation('profile');
  const session = useSession();
  const email = 'user' in session ? session.user.email : '';
  const { mutateAsync, isPending } = useMutation(deleteAccount);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);

  const check = () => {
    const same = emailKey(typed) === emailKey(email);
    setWrong(!same);
    return same;
  };
  const send = async (password: string) => {
    // The page is unmounted with the session, so the alert must not depend on it.
    const { deletion_at } = await mutateAsync(password);
    await showAlert({
      title: t('delete.doneTitle'),
      content: t('delete.doneText', { date: formatDate(deletion_at, currentLanguage()) }),
      buttons: [{ value: 'ok', label: t('ok'), look: 'primary' }],
    });
  };
  return (
    <PasswordConfirmForm
      send={send}
      busy={isPending}
      label={t('delete.confirm')}
      color="red"
      onCancel={onCancel}
      check={check}
    >
      <List spacing="xs">
        <List.Item>{t('delete.what')}</List.Item>
        <List.Item>{t('delete.when', { days: LIMITS.account.graceDays })}</List.Item>
        <List.Item>{t('delete.undo')}</List.Item>
      </List>
      <TextInput
        label={t('delete.typeEmail', { email })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={LIMITS.emailLength}
        value={typed}
        error={wrong && t('delete.wrongEmail')}
        disabled={isPending}
        data-autofocus
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setWrong(false);
        }}
      />
    </PasswordConfirmForm>
  );
}

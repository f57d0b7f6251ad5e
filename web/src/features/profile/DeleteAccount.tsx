import { LIMITS } from '@framelift/contract';
import { Button, Group, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { deleteAccount } from '../../api/profile.ts';
import { useSession } from '../../api/session.ts';
import { formatDate } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { showError } from '../../shared/show-error.ts';
import { showAlert } from '../../ui/alerts.ts';
import { Form } from '../../ui/Form.tsx';
import { Modal } from '../../ui/Modal.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import classes from './Profile.module.css';

/** Removes the account after a grace. The address is typed and the password given, so that it never happens by mistake. */
export function DeleteAccount() {
  const { t } = useTranslation('profile');
  const [opened, setOpened] = useState(false);
  return (
    <section className={classes.card} aria-labelledby="delete">
      <Stack gap="xs">
        <Title order={2} size="h4" id="delete">
          {t('delete.title')}
        </Title>
        <Text c="dimmed">{t('delete.text', { days: LIMITS.account.graceDays })}</Text>
        <Button variant="light" color="red" className={classes.aside ?? ''} onClick={() => setOpened(true)}>
          {t('delete.ask')}
        </Button>
      </Stack>
      <DeleteDialog opened={opened} onClose={() => setOpened(false)} />
    </section>
  );
}

function DeleteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('profile');
  const { t: auth } = useTranslation('auth');
  const session = useSession();
  const email = 'user' in session ? session.user.email : '';
  const { mutateAsync, isPending } = useMutation(deleteAccount(useQueryClient()));
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<{ email?: string; password?: string }>({});
  const form = useFormFocus(isPending, problem);

  useEffect(() => {
    if (!opened) return;
    setTyped('');
    setPassword('');
    setProblem({});
  }, [opened]);

  const submit = async () => {
    if (isPending) return;
    const found = {
      ...(typed.trim().toLowerCase() !== email.toLowerCase() && { email: t('delete.wrongEmail') }),
      ...(password === '' && { password: auth('required') }),
    };
    setProblem(found);
    if (Object.keys(found).length > 0) return;
    try {
      // The page goes with the session; what is told after that must not hang on it.
      const { deletion_at } = await mutateAsync(password);
      const date = formatDate(deletion_at, currentLanguage());
      await showAlert({
        title: t('delete.doneTitle'),
        content: t('delete.doneText', { date }),
        buttons: [{ value: 'ok', label: t('ok'), look: 'primary' }],
      });
    } catch (error) {
      if (isCallError(error) && error.code === 'passwordIncorrect') setProblem({ password: error.message });
      else if (!isCallError(error) || error.status !== 401) showError(error);
    }
  };

  return (
    <Modal opened={opened} onClose={onClose} title={t('delete.title')}>
      <Form ref={form} onSubmit={() => void submit()}>
        <Stack>
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
            error={problem.email}
            disabled={isPending}
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <PasswordField
            label={t('yourPassword')}
            autoComplete="current-password"
            value={password}
            error={problem.password}
            disabled={isPending}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color="red" loading={isPending}>
              {t('delete.confirm')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}

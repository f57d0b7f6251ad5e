import { LIMITS } from '@framelift/contract';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isCallError } from '../../api/client.ts';
import { configQuery } from '../../api/config.ts';
import { changeEmail } from '../../api/profile.ts';
import { showError } from '../../shared/show-error.ts';
import { Form } from '../../ui/Form.tsx';
import { looksLikeEmail } from '../../ui/field-rules.ts';
import { Modal } from '../../ui/Modal.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useFormFocus } from '../../ui/use-form-focus.ts';

/** Asks for another address. It counts when the link in the mail to it was used; until then the old one stays. */
export function ChangeEmailDialog({ opened, onClose, email }: { opened: boolean; onClose: () => void; email: string }) {
  const { t } = useTranslation('profile');
  const { t: auth } = useTranslation('auth');
  const { data: config } = useQuery({ ...configQuery, meta: { quiet: true } });
  const { mutate, isPending, data, reset } = useMutation(changeEmail);
  const [to, setTo] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<{ email?: string; password?: string }>({});
  const form = useFormFocus(isPending, problem);

  useEffect(() => {
    if (!opened) return;
    reset();
    setPassword('');
    setProblem({});
  }, [opened, reset]);

  const submit = () => {
    if (isPending) return;
    const found = {
      ...(!looksLikeEmail(to) && { email: auth('invalidEmail') }),
      ...(to.trim().toLowerCase() === email.toLowerCase() && { email: t('emailDialog.same') }),
      ...(password === '' && { password: auth('required') }),
    };
    setProblem(found);
    if (Object.keys(found).length > 0) return;
    mutate(
      { email: to.trim(), password },
      {
        onSuccess: () => setTo(''),
        onError: (error) => {
          if (isCallError(error) && error.code === 'passwordIncorrect') setProblem({ password: error.message });
          else if (!isCallError(error) || error.status !== 401) showError(error);
        },
      },
    );
  };

  return (
    <Modal opened={opened} onClose={onClose} title={t('changeEmail')}>
      {data ? (
        <Stack>
          <Text role="status">{t('emailDialog.sent', { email: data.email, hours: LIMITS.emailLinkHours })}</Text>
          <Text c="dimmed" size="sm">
            {t('emailDialog.untilThen', { email })}
          </Text>
          {config?.sandbox && (
            <Button component="a" href="/sandbox/mailbox" target="_blank" variant="default">
              {auth('mailbox')}
            </Button>
          )}
          <Button onClick={onClose} data-autofocus>
            {t('ok')}
          </Button>
        </Stack>
      ) : (
        <Form ref={form} onSubmit={submit}>
          <Stack>
            <Text>{t('emailDialog.text')}</Text>
            <TextInput
              label={t('emailDialog.new')}
              type="email"
              autoComplete="email"
              maxLength={LIMITS.emailLength}
              value={to}
              error={problem.email}
              disabled={isPending}
              data-autofocus
              onChange={(event) => setTo(event.currentTarget.value)}
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
              <Button type="submit" loading={isPending}>
                {t('emailDialog.send')}
              </Button>
            </Group>
          </Stack>
        </Form>
      )}
    </Modal>
  );
}

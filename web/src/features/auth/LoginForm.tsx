import { LIMITS } from '@framelift/contract';
import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { login } from '../../api/accounts.ts';
import { useSession } from '../../api/session.ts';
import { Form } from '../../ui/Form.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { ForgotLink } from './ForgotLink.tsx';

/**
 * Login form. It does not submit while a field is empty, which gets the focus, or when already logged in. The address
 * is shared with the registration form.
 */
export function LoginForm({ email, onEmail }: { email: string; onEmail: (email: string) => void }) {
  const { t } = useTranslation('auth');
  const { mutate, isPending } = useMutation(login);
  const { kind } = useSession();
  const [password, setPassword] = useState('');
  const form = useRef<HTMLFormElement>(null);

  const submit = () => {
    const empty = email.trim() === '' ? 'email' : password === '' ? 'password' : null;
    if (empty) form.current?.querySelector<HTMLElement>(`[name="${empty}"]`)?.focus();
    else if (kind === 'visitor' && !isPending) mutate({ email, password });
  };
  return (
    <>
      <Form ref={form} onSubmit={submit}>
        <Stack>
          <TextInput
            label={t('email')}
            name="email"
            type="email"
            autoComplete="username"
            maxLength={LIMITS.emailLength}
            value={email}
            onChange={(event) => onEmail(event.currentTarget.value)}
          />
          <PasswordField
            label={t('password')}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth mt="xs" loading={isPending}>
            {t('login')}
          </Button>
        </Stack>
      </Form>
      {/* Outside the form: submitting the dialog's form must not submit this one. */}
      <ForgotLink email={email} label={t('forgot')} look="link" />
    </>
  );
}

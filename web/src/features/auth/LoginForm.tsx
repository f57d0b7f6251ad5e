import { LIMITS } from '@framelift/contract';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { login } from '../../api/accounts.ts';
import { useSession } from '../../api/session.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import { ForgotLink } from './ForgotLink.tsx';

interface LoginFormProps {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  /** The address was just confirmed in a browser without a session. */
  readonly confirmed: boolean;
}

/**
 * Login form. It does not submit while a field is empty, which gets the focus, or when already logged in. The address
 * is shared with the registration form.
 */
export function LoginForm({ email, onEmail, confirmed }: LoginFormProps) {
  const { t } = useTranslation('auth');
  const { mutate, isPending } = useMutation(login);
  const { kind } = useSession();
  const [password, setPassword] = useState('');
  const [refusal, refuse] = useRefusal({ email, password });
  const form = useFormFocus(isPending, refusal);
  const wrong = refusal?.code === 'loginFailed';

  const submit = () => {
    const empty = email.trim() === '' ? 'email' : password === '' ? 'password' : null;
    if (empty) form.current?.querySelector<HTMLElement>(`[name="${empty}"]`)?.focus();
    else if (kind === 'visitor' && !isPending) mutate({ email, password }, { onError: refuse });
  };
  return (
    <>
      <Form ref={form} onSubmit={submit}>
        <Stack>
          {confirmed && <Text role="status">{t('confirmedLogIn')}</Text>}
          <FormProblem text={wrong ? undefined : refusal?.message} />
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
            error={wrong && refusal.message}
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

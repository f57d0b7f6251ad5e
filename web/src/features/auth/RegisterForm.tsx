import { LIMITS } from '@framelift/contract';
import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { register } from '../../api/accounts.ts';
import { showAlert } from '../../ui/alerts.ts';
import { Form } from '../../ui/Form.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordHints } from '../../ui/PasswordHints.tsx';
import { PolicyLink } from '../../ui/PolicyLink.tsx';
import { checkRegistration, type FieldProblem, type RegistrationFields } from './checkRegistration.ts';

type Own = Omit<RegistrationFields, 'email'>;
const EMPTY: Own = { name: '', phone: '', password: '', passwordConfirmation: '' };

/**
 * Problems are told when the form is to be sent, and from then on as it is typed: a line that appeared on leaving a field
 * would push away what is being clicked. What was typed stays.
 */
export function RegisterForm({ email, onEmail }: { email: string; onEmail: (email: string) => void }) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [own, setOwn] = useState(EMPTY);
  const [agreed, setAgreed] = useState(false);
  const [tried, setTried] = useState(false);
  const { mutate, isPending } = useMutation(register);
  const fields = { ...own, email };
  const problems = checkRegistration(fields);

  const errorOf = (name: keyof RegistrationFields): string | undefined => {
    const problem: FieldProblem | undefined = tried ? problems[name] : undefined;
    return problem && t(problem);
  };
  const field = (name: keyof Own) => ({
    name,
    label: t(name),
    value: own[name],
    error: errorOf(name),
    onChange: (event: { currentTarget: { value: string } }) => setOwn({ ...own, [name]: event.currentTarget.value }),
  });

  const submit = () => {
    if (!agreed || isPending) return;
    const names = Object.keys(problems);
    if (names.length > 0) {
      setTried(true);
      form.current?.querySelector<HTMLElement>(names.map((name) => `[name="${name}"]`).join())?.focus();
      return;
    }
    const { name, phone, password, passwordConfirmation } = own;
    mutate(
      { name, email, phone, password, password_confirmation: passwordConfirmation, isChecked: agreed },
      {
        onSuccess: (answer) => {
          navigate('/registerSuccess', { state: { email: answer.email } });
          void showAlert({ title: t('alreadySentEmail'), content: t('pleaseVerify'), ms: LIMITS.alertMs });
        },
      },
    );
  };

  return (
    <Form ref={form} onSubmit={submit}>
      <Stack>
        <TextInput {...field('name')} autoComplete="name" maxLength={LIMITS.textLength} />
        <TextInput
          label={t('email')}
          name="email"
          type="email"
          autoComplete="email"
          maxLength={LIMITS.emailLength}
          value={email}
          error={errorOf('email')}
          onChange={(event) => onEmail(event.currentTarget.value)}
        />
        <TextInput {...field('phone')} type="tel" autoComplete="tel" maxLength={LIMITS.phoneLength} />
        <PasswordField
          {...field('password')}
          autoComplete="new-password"
          description={<PasswordHints password={own.password} />}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
        <PasswordField {...field('passwordConfirmation')} autoComplete="new-password" />
        <Checkbox
          label={t('agree')}
          name="isChecked"
          checked={agreed}
          onChange={(event) => setAgreed(event.currentTarget.checked)}
        />
        <PolicyLink />
        <Button type="submit" fullWidth disabled={!agreed} loading={isPending}>
          {t('createAccount')}
        </Button>
      </Stack>
    </Form>
  );
}

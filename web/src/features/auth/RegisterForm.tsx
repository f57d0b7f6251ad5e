import { LIMITS } from '@framelift/contract';
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { register } from '../../api/accounts.ts';
import { prepareProof } from '../../api/captcha.ts';
import { isCallError } from '../../api/client.ts';
import { useIsClosed } from '../../api/config.ts';
import { keepRedirect } from '../../api/redirect.ts';
import { PolicyLink } from '../../shared/policy/PolicyLink.tsx';
import { showError } from '../../shared/show-error.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { showAlert } from '../../ui/alerts.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { UI_LIMITS } from '../../ui/limits.ts';
import { NAME_FIELD } from '../../ui/name-field.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordHints } from '../../ui/PasswordHints.tsx';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import { checkRegistration, type FieldProblem, type RegistrationFields } from './check-registration.ts';
import { isRefusedPassword } from './refused-password.ts';

type Own = Omit<RegistrationFields, 'email'>;
const EMPTY: Own = { name: '', phone: '', password: '', passwordConfirmation: '' };

/**
 * Registration form. Errors appear on submit and update live from then on: a message that appeared on blur would move
 * the button while it is being clicked.
 */
export function RegisterForm(props: { email: string; onEmail: (email: string) => void }) {
  const { t } = useTranslation('auth');
  if (useIsClosed('signUp')) return <Text>{t('signUpClosed')}</Text>;
  return <Fields {...props} />;
}

function Fields({ email, onEmail }: { email: string; onEmail: (email: string) => void }) {
  const { t } = useTranslation('auth');
  const navigate = useNavigate();
  const [own, setOwn] = useState(EMPTY);
  const [agreed, setAgreed] = useState(false);
  const [tried, setTried] = useState(false);
  const { mutate, isPending, error, variables } = useMutation(register);
  const fields = { ...own, email };
  const problems = checkRegistration(fields);
  const [refusal, refuse] = useRefusal(fields);

  // Shown until the refused password is changed.
  const refused = isRefusedPassword(error) && variables?.password === own.password ? error.message : undefined;
  const form = useFormFocus(isPending, refused);

  const errorOf = (name: keyof RegistrationFields): string | undefined => {
    const problem: FieldProblem | undefined = tried ? problems[name] : undefined;
    return problem ? t(problem) : name === 'password' ? refused : undefined;
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
          // The link of the email opens another tab.
          keepRedirect();
          navigate('/registerSuccess', { state: { email: answer.email } });
          void showAlert({
            kind: 'success',
            title: t('alreadySentEmail'),
            content: t('pleaseVerify'),
            ms: UI_LIMITS.alertMs,
          });
        },
        onError: (failure) => {
          // No response means that nothing was refused: network errors have their own text and duration.
          if (isCallError(failure) && failure.status === 0) return showError(failure);
          refuse(failure);
          const details = isCallError(failure) ? failure.details : [];
          void showAlert({
            kind: 'error',
            title: failure.message,
            content: details.length > 0 ? details.join('\n') : undefined,
            ms: UI_LIMITS.alertMs,
          });
        },
      },
    );
  };

  return (
    <Form ref={form} onSubmit={submit} onFocus={prepareProof}>
      <Stack>
        <FormProblem text={isRefusedPassword(error) ? undefined : refusal?.message} />
        <TextInput {...field('name')} autoComplete="name" {...NAME_FIELD} />
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
          description={<PasswordHints password={own.password} owner={fields} />}
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
        <Button type="submit" data-captcha="register" fullWidth disabled={!agreed} loading={isPending}>
          {t('createAccount')}
        </Button>
      </Stack>
    </Form>
  );
}

import { LIMITS } from '@framelift/contract';
import { Button, Stack, Text, Title } from '@mantine/core';
import IconLockX from '@tabler/icons-react/icons/IconLockX';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router';
import { changePassword } from '../../api/accounts.ts';
import { isCallError } from '../../api/client.ts';
import { hasSession, logoutMutation } from '../../api/session.ts';
import { showError } from '../../shared/show-error.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { checkNewPassword } from '../../ui/new-password.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordHints } from '../../ui/PasswordHints.tsx';
import { showToast } from '../../ui/toasts.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import { ForgotLink } from './ForgotLink.tsx';
import classes from './MailSent.module.css';
import { isRefusedPassword } from './refused-password.ts';

interface MailedLink {
  readonly token: string;
  readonly email: string;
}

function linkOf(search: string): MailedLink | null {
  const query = new URLSearchParams(search);
  const [token, email] = [query.get('resetPasswordToken'), query.get('email')];
  return token && email ? { token, email } : null;
}

/**
 * Target of the mailed link. The secret is removed from the URL immediately and kept in the state of the history entry,
 * so that it survives a reload, e.g. when a phone discards the page while a password manager is open.
 */
export function ForgetPasswordPage() {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const { mutate: logout, mutateAsync: logoutAsync } = useMutation(logoutMutation);
  const mailed = linkOf(search);
  const link = mailed ?? (state as { reset?: MailedLink } | null)?.reset ?? null;
  const [expired, setExpired] = useState(false);

  useEffect(() => {
    if (mailed) navigate(pathname, { replace: true, state: { reset: mailed } });
  });
  useEffect(() => {
    // Without a link nothing may be changed: the user has to log in again.
    if (!link && hasSession()) logout();
  }, [link, logout]);

  const forgetLink = () => navigate(pathname, { replace: true, state: null });
  if (!link || expired) return <Expired email={link?.email ?? ''} />;
  return (
    <ChoosePassword
      link={link}
      onExpired={() => setExpired(true)}
      onDone={async () => {
        forgetLink();
        // The server has ended all sessions of the member; the cookie of this one is cleared as well.
        await logoutAsync().catch(() => {});
        navigate('/login', { replace: true, state: { email: link.email } });
      }}
    />
  );
}

function ChoosePassword({
  link,
  onExpired,
  onDone,
}: {
  link: MailedLink;
  onExpired: () => void;
  onDone: () => Promise<void>;
}) {
  const { t } = useTranslation('password');
  const { t: auth } = useTranslation('auth');
  const [fields, setFields] = useState({ password: '', passwordConfirmation: '' });
  const [tried, setTried] = useState(false);
  const { mutate, isPending, error, variables } = useMutation(changePassword);
  const owner = { name: '', email: link.email };
  const problems = checkNewPassword(fields, owner);
  // Shown until the refused password is changed.
  const refused = isRefusedPassword(error) && variables?.newPassword === fields.password ? error.message : undefined;
  const form = useFormFocus(isPending, refused);
  const [refusal, refuse] = useRefusal(fields);

  const field = (name: keyof typeof fields) => ({
    name,
    value: fields[name],
    error: (tried && problems[name] && auth(problems[name])) || (name === 'password' ? refused : undefined),
    autoComplete: 'new-password',
    onChange: (event: { currentTarget: { value: string } }) =>
      setFields({ ...fields, [name]: event.currentTarget.value }),
  });
  const submit = () => {
    if (isPending) return;
    const names = Object.keys(problems);
    setTried(names.length > 0);
    if (names.length > 0) {
      form.current?.querySelector<HTMLElement>(names.map((name) => `[name="${name}"]`).join())?.focus();
      return;
    }
    mutate(
      { ...link, newPassword: fields.password },
      {
        onSuccess: async () => {
          await onDone();
          showToast({ kind: 'success', text: t('changed') });
        },
        onError: (failure) => {
          if (isCallError(failure) && failure.code === 'changePermissionExpired') onExpired();
          else if (!isRefusedPassword(failure)) {
            showError(failure);
            refuse(failure);
          }
        },
      },
    );
  };

  return (
    <Stack className={classes.sheet} gap="lg">
      <Title order={1}>{t('resetTitle')}</Title>
      <Text size="lg">{t('resetFor', { email: link.email })}</Text>
      <Form ref={form} onSubmit={submit}>
        <Stack>
          <FormProblem text={refusal?.message} />
          {/* Tells password managers which account the password belongs to. */}
          <input type="email" name="username" autoComplete="username" value={link.email} readOnly hidden />
          <PasswordField
            {...field('password')}
            label={t('newPassword')}
            description={<PasswordHints password={fields.password} owner={owner} />}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
          />
          <PasswordField {...field('passwordConfirmation')} label={auth('passwordConfirmation')} />
          <Button type="submit" fullWidth loading={isPending}>
            {t('change')}
          </Button>
        </Stack>
      </Form>
    </Stack>
  );
}

/** The link is missing, used or expired: shows how to continue. */
function Expired({ email }: { email: string }) {
  const { t } = useTranslation('password');
  const { t: auth } = useTranslation('auth');
  return (
    <Stack className={classes.sheet} gap="lg">
      <IconLockX className={classes.icon} data-failed stroke={1.25} aria-hidden />
      <div role="alert">
        <Title order={1}>{t('expired')}</Title>
      </div>
      <Text size="lg">{t('expiredHint', { hours: LIMITS.emailLinkHours })}</Text>
      <ForgotLink email={email} label={t('askAgain')} look="button" />
      <Button component={Link} to="/login" variant="default">
        {auth('toLogin')}
      </Button>
    </Stack>
  );
}

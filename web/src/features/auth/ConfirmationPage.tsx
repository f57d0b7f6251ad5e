import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { confirmEmail } from '../../api/accounts.ts';
import { isCallError } from '../../api/client.ts';
import { consumeRedirect } from '../../api/redirect.ts';
import { logoutMutation, userQuery, useSession } from '../../api/session.ts';
import { showToast } from '../../ui/toasts.ts';
import { LinkByHand } from './LinkByHand.tsx';
import { LocalMailbox } from './LocalMailbox.tsx';
import classes from './MailSent.module.css';
import { MailSent } from './MailSent.tsx';

/**
 * Target of the mailed link, and the only page of an unconfirmed member. Opening the link confirms nothing, because
 * mail scanners open links too: the user has to press the button.
 */
export function ConfirmationPage() {
  const { t } = useTranslation('auth');
  const { t: ofPassword } = useTranslation('password');
  const [query] = useSearchParams();
  const session = useSession();
  const queries = useQueryClient();
  const logout = useMutation(logoutMutation);
  const navigate = useNavigate();
  const { mutate, isPending, error, data } = useMutation(confirmEmail);
  const code = query.get('code');
  const email = query.get('email');

  if (!code || !email) {
    return (
      <MailSent email={'user' in session ? session.user.email : undefined}>
        <LinkByHand />
        {session.kind === 'unconfirmed' ? (
          <Button variant="default" onClick={() => logout.mutate()}>
            {t('logout')}
          </Button>
        ) : (
          <Button component={Link} to="/login" variant="default">
            {t('toLogin')}
          </Button>
        )}
      </MailSent>
    );
  }

  const confirm = () =>
    mutate(
      { code, email },
      {
        onSuccess: async ({ alreadyConfirmed, passwordNeeded, user }) => {
          if (passwordNeeded) return;
          showToast({ kind: 'success', text: t(alreadyConfirmed ? 'alreadyConfirmed' : 'confirmed') });
          if (!user && session.kind === 'visitor') {
            navigate('/login', { replace: true, state: { email, confirmed: true } });
            return;
          }
          if (!user) await queries.invalidateQueries({ queryKey: userQuery.queryKey });
          // Only a new member is still on the way to something.
          navigate(user || session.kind === 'unconfirmed' ? consumeRedirect() : '/', { replace: true });
        },
      },
    );

  if (data?.passwordNeeded) {
    return (
      <Stack className={classes.sheet} gap="lg">
        <Title order={1}>{t('confirmed')}</Title>
        <Text size="lg">{ofPassword('needed', { email })}</Text>
        <LocalMailbox />
        <Button component={Link} to="/login" variant="default">
          {t('toLogin')}
        </Button>
      </Stack>
    );
  }
  if (isCallError(error) && (error.status === 410 || error.status === 422)) {
    return (
      <MailSent email={email} problem={error.message}>
        <Button component={Link} to="/register" variant="default">
          {t('registerAgain')}
        </Button>
      </MailSent>
    );
  }
  return (
    <Stack className={classes.sheet} gap="lg">
      <Title order={1}>{t('confirmTitle')}</Title>
      <Text size="lg">{t('confirmText', { email })}</Text>
      <Button onClick={confirm} loading={isPending}>
        {t('confirmButton')}
      </Button>
      {error && (
        <Text c="var(--mantine-color-error)" role="alert">
          {error.message}
        </Text>
      )}
    </Stack>
  );
}

import { LIMITS } from '@framelift/contract';
import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import IconMailCheck from '@tabler/icons-react/icons/IconMailCheck';
import IconMailX from '@tabler/icons-react/icons/IconMailX';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resendConfirmation } from '../../api/accounts.ts';
import { isCallError } from '../../api/client.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { showAlert } from '../../ui/alerts.ts';
import { Form } from '../../ui/Form.tsx';
import { FormProblem } from '../../ui/FormProblem.tsx';
import { looksLikeEmail } from '../../ui/field-rules.ts';
import { UI_LIMITS } from '../../ui/limits.ts';
import { LocalMailbox } from './LocalMailbox.tsx';
import classes from './MailSent.module.css';
import { usePause } from './use-pause.ts';

/**
 * Shown after a mail was sent: how to continue, and how to request it again. Without an address it asks for one.
 * `problem` is the reason why the link of the last mail failed.
 */
export function MailSent({
  email,
  problem,
  children,
}: {
  email: string | undefined;
  problem?: string;
  children?: ReactNode;
}) {
  const { t } = useTranslation('auth');
  const { t: ofPassword } = useTranslation('password');
  const { mutate, isPending, isSuccess } = useMutation(resendConfirmation);
  const failed = problem !== undefined && !isSuccess;
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const [wait, pause] = usePause();
  const [refusal, refuse] = useRefusal(typed);
  const resendLabel = wait > 0 ? ofPassword('againIn', { seconds: wait }) : t('resend');

  const resend = () => {
    const address = email ?? typed.trim();
    setWrong(!looksLikeEmail(address));
    if (!looksLikeEmail(address) || isPending || wait > 0) return;
    mutate(address, {
      onSuccess: () => {
        refuse(null);
        pause(60 / LIMITS.resend.perMinute);
        void showAlert({
          kind: 'success',
          title: t('alreadySentEmail'),
          content: t('pleaseVerify'),
          ms: UI_LIMITS.alertMs,
        });
      },
      onError: (error) => {
        refuse(error);
        if (isCallError(error) && error.retryAfter !== undefined) pause(error.retryAfter);
      },
    });
  };

  return (
    <Stack className={classes.sheet} gap="lg">
      {failed ? (
        <IconMailX className={classes.icon} data-failed stroke={1.25} aria-hidden />
      ) : (
        <IconMailCheck className={classes.icon} stroke={1.25} aria-hidden />
      )}
      <Title order={1}>{t(failed ? 'linkFailed' : 'sentTitle')}</Title>
      {failed ? (
        <Text size="lg" role="alert">
          {problem}
        </Text>
      ) : (
        <div>
          <Text size="lg">{email ? t('sentTo', { email }) : t('sentToYou')}</Text>
          <Text size="lg">{t('validFor', { hours: LIMITS.emailLinkHours })}</Text>
        </div>
      )}
      {!failed && <LocalMailbox />}
      <Form onSubmit={resend}>
        <Stack gap="xs">
          {!failed && <Text c="dimmed">{t('notArrived')}</Text>}
          <FormProblem text={refusal?.message} />
          {email === undefined && (
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="email"
              maxLength={LIMITS.emailLength}
              value={typed}
              error={wrong && t('invalidEmail')}
              onChange={(event) => {
                setTyped(event.currentTarget.value);
                setWrong(false);
              }}
            />
          )}
          {failed ? (
            <Button type="submit" loading={isPending} disabled={wait > 0} className="tabular">
              {resendLabel}
            </Button>
          ) : (
            <Anchor
              component="button"
              type="submit"
              className={`tabular ${classes.link ?? ''}`}
              disabled={isPending || wait > 0}
            >
              {resendLabel}
            </Anchor>
          )}
        </Stack>
      </Form>
      {children}
    </Stack>
  );
}

import { LIMITS } from '@framelift/contract';
import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import IconMailCheck from '@tabler/icons-react/icons/IconMailCheck';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { resendConfirmation } from '../../api/accounts.ts';
import { configQuery } from '../../api/config.ts';
import { Form } from '../../ui/Form.tsx';
import { showToast } from '../../ui/toasts.ts';
import { looksLikeEmail } from './checkRegistration.ts';
import classes from './MailSent.module.css';

/** The mail was sent: what to do now, and the way to have it sent again. Without an address it is asked for. */
export function MailSent({ email, children }: { email: string | undefined; children?: ReactNode }) {
  const { t } = useTranslation('auth');
  const { data: config } = useQuery({ ...configQuery, meta: { quiet: true } });
  const { mutate, isPending } = useMutation(resendConfirmation);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);

  const resend = () => {
    const address = email ?? typed.trim();
    setWrong(!looksLikeEmail(address));
    if (!looksLikeEmail(address) || isPending) return;
    mutate(address, { onSuccess: () => showToast({ kind: 'success', text: t('resent') }) });
  };

  return (
    <Stack className={classes.sheet} gap="lg">
      <IconMailCheck className={classes.icon} stroke={1.25} aria-hidden />
      <Title order={1}>{t('sentTitle')}</Title>
      <Text size="lg">
        {email ? t('sentTo', { email }) : t('sentToYou')} {t('validFor', { hours: LIMITS.emailLinkHours })}
      </Text>
      {config?.sandbox && (
        <Stack gap="xs">
          <Text c="dimmed">{t('mailboxHint')}</Text>
          <Button component="a" href="/sandbox/mailbox" target="_blank">
            {t('mailbox')}
          </Button>
        </Stack>
      )}
      <Form onSubmit={resend}>
        <Stack gap="xs">
          <Text c="dimmed">{t('notArrived')}</Text>
          {email === undefined && (
            <TextInput
              label={t('email')}
              type="email"
              autoComplete="email"
              maxLength={LIMITS.emailLength}
              value={typed}
              error={wrong && t('invalidEmail')}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          <Anchor component="button" type="submit" className={classes.link ?? ''} disabled={isPending}>
            {t('resend')}
          </Anchor>
        </Stack>
      </Form>
      {children}
    </Stack>
  );
}

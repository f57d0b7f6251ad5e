import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { configQuery } from '../../api/config.ts';

/** Link to the local mailbox, shown in sandbox mode, where mails stay on this machine. */
export function LocalMailbox() {
  const { t } = useTranslation('auth');
  const { data: config } = useQuery(configQuery);
  if (!config?.sandbox) return null;
  return (
    <Stack gap="xs">
      <Text c="dimmed">{t('mailboxHint')}</Text>
      <Button component="a" href="/sandbox/mailbox" target="_blank" variant="default">
        {t('mailbox')}
      </Button>
    </Stack>
  );
}

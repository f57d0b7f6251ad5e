import { LIMITS } from '@framelift/contract/limits';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keepSelection } from './kept-selection.ts';
import type { KeptSelection } from './kept-store.ts';
import classes from './UploadDialog.module.css';

export type AccountWay = 'guest' | 'register' | 'login';

/** Asks a visitor who has chosen and cropped where the results should go. What was chosen is kept meanwhile. */
export function AccountStep({
  selection,
  onChoose,
}: {
  readonly selection: KeptSelection;
  readonly onChoose: (way: AccountWay) => void;
}) {
  const { t } = useTranslation('upload');
  const [isKept, setIsKept] = useState<boolean | null>(null);
  useEffect(() => {
    void keepSelection(selection).then(setIsKept);
  }, [selection]);
  return (
    <Stack className={classes.centred} align="center" gap="lg">
      <Stack gap="xs">
        <Title order={2}>{t('account.heading')}</Title>
        <Text c="dimmed">{t('account.text', { count: selection.files.length })}</Text>
      </Stack>
      <Stack gap="sm" className={classes.ways}>
        <Button size="lg" disabled={isKept === null} onClick={() => onChoose('register')} data-autofocus>
          {t('account.register')}
        </Button>
        <Button size="lg" variant="default" disabled={isKept === null} onClick={() => onChoose('login')}>
          {t('account.login')}
        </Button>
        <Button size="lg" variant="subtle" color="gray" disabled={isKept === null} onClick={() => onChoose('guest')}>
          {t('account.guest')}
        </Button>
      </Stack>
      <Text size="sm" c="dimmed">
        {t('account.guestNote', LIMITS.guest)}
      </Text>
      {isKept === false && (
        <Text size="sm" role="status">
          {t('account.notKept')}
        </Text>
      )}
    </Stack>
  );
}

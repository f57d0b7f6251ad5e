import { LIMITS } from '@framelift/contract';
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { guestLogin } from '../../api/accounts.ts';
import { prepareProof } from '../../api/captcha.ts';
import classes from './GuestEntry.module.css';

export function GuestEntry() {
  const { t } = useTranslation('auth');
  const { mutate, isPending } = useMutation(guestLogin);
  return (
    <Stack gap="xs" mt="lg">
      <span className={classes.or}>{t('or')}</span>
      <Button
        variant="default"
        fullWidth
        data-captcha="guest"
        loading={isPending}
        onPointerEnter={prepareProof}
        onFocus={prepareProof}
        onClick={() => mutate(undefined)}
      >
        {t('guest')}
      </Button>
      <Text size="sm" c="dimmed" ta="center" className={classes.hint}>
        {t('guestHint', LIMITS.guest)}
      </Text>
    </Stack>
  );
}

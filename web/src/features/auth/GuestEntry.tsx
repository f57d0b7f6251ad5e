import { LIMITS } from '@framelift/contract';
import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { guestLogin } from '../../api/accounts.ts';
import { prepareProof } from '../../api/captcha.ts';
import { useIsClosed } from '../../api/config.ts';
import { useRefusal } from '../../shared/use-refusal.ts';
import { FormProblem } from '../../ui/FormProblem.tsx';
import classes from './GuestEntry.module.css';

export function GuestEntry() {
  const { t } = useTranslation('auth');
  const { mutate, isPending } = useMutation(guestLogin);
  const [refusal, refuse] = useRefusal(null);
  const isClosed = useIsClosed('guests');
  return (
    <Stack gap="xs" mt="lg">
      <span className={classes.or}>{t('or')}</span>
      <FormProblem text={refusal?.message} />
      <Button
        variant="default"
        fullWidth
        disabled={isClosed}
        data-captcha="guest"
        loading={isPending}
        onPointerEnter={prepareProof}
        onFocus={prepareProof}
        onClick={() => mutate(undefined, { onError: refuse })}
      >
        {t('guest')}
      </Button>
      <Text size="sm" c="dimmed" ta="center" className={classes.hint}>
        {isClosed ? t('guestsClosed') : t('guestHint', LIMITS.guest)}
      </Text>
    </Stack>
  );
}

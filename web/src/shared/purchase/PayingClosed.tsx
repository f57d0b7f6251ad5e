import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePaying } from './paying.ts';

/** Says that nothing can be bought, where the operator has set up no way to pay. */
export function PayingClosed() {
  const { t } = useTranslation('payment');
  return usePaying() === 'closed' ? (
    <Text role="status" c="dimmed">
      {t('closed')}
    </Text>
  ) : null;
}

import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Modal } from '../../ui/Modal.tsx';
import { PolicyText } from './PolicyText.tsx';

/** Privacy policy, terms and disclaimer in one dialog, shown where users agree to them. */
export function PolicyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('policy');
  return (
    <Modal opened={opened} onClose={onClose} title={t('title')} size="lg">
      <Stack>
        <Text c="dimmed" size="sm">
          {t('updated')}
        </Text>
        <Title order={3}>{t('privacy.title')}</Title>
        <PolicyText name="privacy" order={4} />
        <Title order={3}>{t('terms.title')}</Title>
        <PolicyText name="terms" order={4} />
      </Stack>
    </Modal>
  );
}

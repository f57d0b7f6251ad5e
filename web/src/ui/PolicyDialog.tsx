import { LIMITS } from '@framelift/contract';
import { List, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Modal } from './Modal.tsx';

const PRIVACY = ['account', 'pictures', 'location', 'cookies'] as const;
const TERMS = [
  'depth',
  'region',
  'age',
  'renewal',
  'refund',
  'suspended',
  'personal',
  'abuse',
  'speed',
  'hours',
] as const;

export default function PolicyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('policy');
  return (
    <Modal opened={opened} onClose={onClose} title={t('title')} size="lg">
      <Stack>
        <Text c="dimmed" size="sm">
          {t('updated')}
        </Text>
        <Title order={3}>{t('privacyTitle')}</Title>
        {PRIVACY.map((part) => (
          <Text key={part}>{t(`privacy.${part}`, { days: LIMITS.guest.days, cookieDays: LIMITS.sessionDays })}</Text>
        ))}
        <Title order={3}>{t('termsTitle')}</Title>
        <List spacing="xs">
          {TERMS.map((part) => (
            <List.Item key={part}>
              {t(`terms.${part}`, {
                age: LIMITS.minimumAge,
                min: LIMITS.stream.minMbps,
                recommended: LIMITS.stream.recommendedMbps,
              })}
            </List.Item>
          ))}
        </List>
      </Stack>
    </Modal>
  );
}

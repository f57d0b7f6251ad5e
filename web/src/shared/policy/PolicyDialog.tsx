import { LEGAL_KINDS, type LegalKind } from '@framelift/contract';
import { Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { legalTextQuery } from '../../api/pages.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { Modal } from '../../ui/Modal.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { LegalDate, LegalText } from './LegalText.tsx';

/** Privacy policy, terms and disclaimer in one dialog, shown where users agree to them. */
export function PolicyDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('policy');
  return (
    <Modal opened={opened} onClose={onClose} title={t('title')} size="lg">
      <Stack>
        {LEGAL_KINDS.toReversed().map((name) => (
          <Legal key={name} name={name} />
        ))}
      </Stack>
    </Modal>
  );
}

function Legal({ name }: { name: LegalKind }) {
  const { t } = useTranslation('policy');
  const legal = useQuery(legalTextQuery(name, currentLanguage()));
  return (
    <>
      <Title order={3}>{t(`${name}.title`)}</Title>
      <QueryState query={legal} loading={<Skeleton height="40rem" />} align="flex-start">
        {(found) => (
          <>
            <LegalDate legal={found} />
            <LegalText name={name} legal={found} order={4} />
          </>
        )}
      </QueryState>
    </>
  );
}

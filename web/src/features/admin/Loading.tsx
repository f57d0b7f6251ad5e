import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Takes the room of what is on its way. */
export function Loading({ height }: { height: string }) {
  const { t } = useTranslation();
  return <Skeleton height={height} role="status" aria-label={t('loading')} />;
}

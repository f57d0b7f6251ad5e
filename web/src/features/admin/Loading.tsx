import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Placeholder with the height of the content being loaded. */
export function Loading({ height }: { height: string }) {
  const { t } = useTranslation();
  return <Skeleton height={height} role="status" aria-label={t('loading')} />;
}

import { Button, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Asked<T> {
  readonly data: T | undefined;
  readonly isError: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** What was asked for, once it is there; before, the room that it will take; else why not, and another try. */
export function QueryState<T>({
  query: { data, isError, error, refetch },
  height,
  children,
}: {
  query: Asked<T>;
  height: string;
  children: (data: T) => ReactNode;
}) {
  const { t } = useTranslation('admin');
  if (data !== undefined) return children(data);
  if (!isError) return <Skeleton height={height} role="status" aria-label={t('loading')} />;
  return (
    <Stack align="flex-start" role="alert">
      <Text>{error?.message}</Text>
      <Button variant="default" onClick={() => void refetch()}>
        {t('retry')}
      </Button>
    </Stack>
  );
}

import { Button, Stack, type StackProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The part of a query that `QueryState` needs. */
export interface AskedQuery<T> {
  readonly data: T | undefined;
  readonly isError: boolean;
  readonly isFetching?: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

export interface QueryStateProps<T> extends Omit<StackProps, 'children'> {
  readonly query: AskedQuery<T>;
  /** Placeholder while the data is loading. */
  readonly loading: ReactNode;
  /** Error text; defaults to the message of the error. */
  readonly failed?: string | undefined;
  readonly children: (data: T) => ReactNode;
}

/** Renders the data of a query; before that its placeholder, or the error with a retry button. */
export function QueryState<T>({ query, loading, failed, children, ...stack }: QueryStateProps<T>) {
  if (query.data !== undefined) return children(query.data);
  return query.isError ? <TryAgain query={query} text={failed} {...stack} /> : loading;
}

interface TryAgainProps extends StackProps {
  readonly query: Omit<AskedQuery<unknown>, 'data'>;
  readonly text?: string | undefined;
}

/** Error text of a failed query with a retry button. */
export function TryAgain({ query: { error, isFetching, refetch }, text, ...stack }: TryAgainProps) {
  const { t } = useTranslation();
  return (
    <Stack align="center" role="alert" {...stack}>
      <Text>{text ?? error?.message}</Text>
      <Button variant="default" loading={isFetching ?? false} onClick={() => void refetch()}>
        {t('retry')}
      </Button>
    </Stack>
  );
}

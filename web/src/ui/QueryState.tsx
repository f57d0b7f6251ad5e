import { Button, Stack, type StackProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** The part of a query that its states need. */
export interface AskedQuery<T> {
  readonly data: T | undefined;
  readonly isError: boolean;
  readonly isFetching?: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

export interface QueryStateProps<T> extends Omit<StackProps, 'children'> {
  readonly query: AskedQuery<T>;
  /** Takes the room of the answer while it is under way. */
  readonly loading: ReactNode;
  /** What is said when it failed; by default the message of the error. */
  readonly failed?: string | undefined;
  readonly children: (data: T) => ReactNode;
}

/** What a query answered; before that its placeholder, or why it failed with a button to try again. */
export function QueryState<T>({ query, loading, failed, children, ...stack }: QueryStateProps<T>) {
  if (query.data !== undefined) return children(query.data);
  return query.isError ? <TryAgain query={query} text={failed} {...stack} /> : loading;
}

interface TryAgainProps extends StackProps {
  readonly query: Omit<AskedQuery<unknown>, 'data'>;
  readonly text?: string | undefined;
}

/** Says that a query failed, with a button to try again. */
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

import { Button, Group, Stack, VisuallyHidden } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type AskedQuery, QueryState, type QueryStateProps } from './QueryState.tsx';

interface Pages<T> {
  readonly pages: readonly { readonly data: readonly T[] }[];
}

/** A query of a list that comes a page at a time. */
export interface PagedQuery<T> extends AskedQuery<Pages<T>> {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface InfiniteListProps<T, E extends HTMLElement> extends Omit<QueryStateProps<Pages<T>>, 'query' | 'children'> {
  readonly query: PagedQuery<T>;
  /** Shown where the list is empty. */
  readonly empty: ReactNode;
  /** Tells screen readers how many rows are shown. */
  readonly shown?: (count: number) => string;
  /** Selector of what takes the focus in a row; the row itself when absent. */
  readonly focus?: string;
  /** The rows, which are the children of the element that `place` refers to. */
  readonly children: (rows: readonly T[], place: RefObject<E | null>) => ReactNode;
}

/**
 * A list in all its states: on its way, failed, empty, and with more to show. "Show more" may be gone once the rows are
 * there, so the focus moves to the first new row.
 */
export function InfiniteList<T, E extends HTMLElement>({
  query,
  empty,
  shown,
  focus,
  gap = 'md',
  children,
  ...states
}: InfiniteListProps<T, E>) {
  const { t } = useTranslation();
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? [];
  const place = useRef<E>(null);
  const firstNew = useRef<number | null>(null);
  useEffect(() => {
    if (firstNew.current === null || rows.length <= firstNew.current) return;
    const row = place.current?.children[firstNew.current];
    const target = focus ? row?.querySelector(focus) : row;
    if (target instanceof HTMLElement) target.focus();
    firstNew.current = null;
  }, [rows.length, focus]);
  const showMore = () => {
    firstNew.current = rows.length;
    void query.fetchNextPage();
  };
  return (
    <QueryState query={query} {...states}>
      {() =>
        rows.length === 0 ? (
          empty
        ) : (
          <Stack gap={gap}>
            {children(rows, place)}
            {shown && <VisuallyHidden role="status">{shown(rows.length)}</VisuallyHidden>}
            {query.hasNextPage && (
              <Group justify="center">
                <Button variant="default" loading={query.isFetchingNextPage} onClick={showMore}>
                  {t('more')}
                </Button>
              </Group>
            )}
          </Stack>
        )
      }
    </QueryState>
  );
}

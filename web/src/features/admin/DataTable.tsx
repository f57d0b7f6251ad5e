import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import type { InfiniteData } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryState } from '../../ui/QueryState.tsx';
import { useShowMore } from '../../ui/use-show-more.ts';
import classes from './DataTable.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** What is in it may break anywhere, so that other columns keep their width: addresses of mail. */
  readonly loose?: boolean;
}

interface ListQuery<Row> {
  readonly data: InfiniteData<{ readonly data: readonly Row[] }> | undefined;
  readonly isError: boolean;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/**
 * A list a page at a time. On narrow screens each row is a card; the roles are named, because styles that take a table
 * apart take its meaning from readers as well. The first column names the row.
 */
export function DataTable<Row extends { readonly id: string }>({
  label,
  columns,
  query,
  empty,
}: {
  label: string;
  columns: readonly Column<Row>[];
  query: ListQuery<Row>;
  empty: string;
}) {
  const { t } = useTranslation('admin');
  const count = query.data?.pages.reduce((sum, page) => sum + page.data.length, 0) ?? 0;

  const { place, showMore } = useShowMore<HTMLTableSectionElement>(count, query.fetchNextPage);

  return (
    <QueryState query={query} height="24rem">
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.data);
        const [first, ...others] = columns;
        if (!first || rows.length === 0) return <Text c="dimmed">{empty}</Text>;
        return (
          <>
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <table role="table" className={classes.table} aria-label={label}>
              {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
              <thead role="rowgroup">
                {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
                <tr role="row">
                  {columns.map(({ key, label: name }) => (
                    // biome-ignore lint/a11y/noRedundantRoles: see above
                    <th key={key} role="columnheader" scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
              <tbody role="rowgroup" ref={place}>
                {rows.map((row) => (
                  // biome-ignore lint/a11y/noRedundantRoles: see above
                  <tr key={row.id} role="row" tabIndex={-1}>
                    {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
                    <th role="rowheader" scope="row">
                      {first.cell(row)}
                    </th>
                    {others.map(({ key, label: name, cell, loose }) => (
                      // biome-ignore lint/a11y/noRedundantRoles: see above
                      <td key={key} role="cell" data-label={name} data-loose={loose}>
                        {cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            <VisuallyHidden role="status">{t('shown', { count: rows.length })}</VisuallyHidden>
            {query.hasNextPage && (
              <Group justify="center">
                <Button variant="default" loading={query.isFetchingNextPage} onClick={showMore}>
                  {t('more')}
                </Button>
              </Group>
            )}
          </>
        );
      }}
    </QueryState>
  );
}

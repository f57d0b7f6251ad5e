// biome-ignore-all lint/a11y/noRedundantRoles: styles that take a table apart take its roles from screen readers as well.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { InfiniteList, type PagedQuery } from '../../ui/InfiniteList.tsx';
import classes from './DataTable.module.css';
import { Loading } from './Loading.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** The content may wrap anywhere, e.g. e-mail addresses, so that other columns keep their width. */
  readonly loose?: boolean;
}

/** Table of a paged list; on narrow screens each row becomes a card. The first column is the row header. */
export function DataTable<Row extends { readonly id: string | number }>({
  label,
  columns,
  query,
  empty,
}: {
  label: string;
  columns: readonly Column<Row>[];
  query: PagedQuery<Row>;
  empty: string;
}) {
  const { t } = useTranslation('admin');
  const [first, ...others] = columns;
  return (
    <InfiniteList<Row, HTMLTableSectionElement>
      query={query}
      loading={<Loading height="24rem" />}
      align="flex-start"
      empty={<Text c="dimmed">{empty}</Text>}
      shown={(count) => t('shown', { count })}
    >
      {(rows, place) => (
        <div className={classes.frame}>
          <table role="table" className={classes.table} aria-label={label}>
            <thead role="rowgroup">
              <tr role="row">
                {columns.map(({ key, label: name }) => (
                  <th key={key} role="columnheader" scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup" ref={place}>
              {rows.map((row) => (
                <tr key={row.id} role="row" tabIndex={-1}>
                  <th role="rowheader" scope="row">
                    {first?.cell(row)}
                  </th>
                  {others.map(({ key, label: name, cell, loose }) => (
                    <td key={key} role="cell" data-label={name} data-loose={loose}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </InfiniteList>
  );
}

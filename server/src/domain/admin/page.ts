import { type ListPosition, readCursor, writeCursor } from '../../platform/paging.ts';

/** Rows of a page; tables of operators are denser than lists of members. */
export const PAGE_SIZE = 50;

/**
 * One page of a list.
 * @param read gives up to `limit` rows after a position
 * @param place where a row stands
 * @throws ApiError `invalidInput` for a cursor not of ours
 */
export async function readPage<Row, Item>(
  cursor: string | undefined,
  read: (part: { after: ListPosition | null; limit: number }) => Promise<readonly Row[]>,
  place: (row: Row) => ListPosition,
  present: (row: Row) => Item,
): Promise<{ items: Item[]; next: string | null }> {
  const rows = await read({ after: cursor === undefined ? null : readCursor(cursor), limit: PAGE_SIZE + 1 });
  const page = rows.slice(0, PAGE_SIZE);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return { items: page.map(present), next: last ? writeCursor(place(last)) : null };
}

/** Every row of a list, some at a time, so that a file of any length takes little memory. */
export async function* readAll<Row>(
  read: (part: { after: ListPosition | null; limit: number }) => Promise<readonly Row[]>,
  place: (row: Row) => ListPosition,
): AsyncGenerator<Row> {
  const limit = 500;
  for (let after: ListPosition | null = null; ; ) {
    const rows = await read({ after, limit });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = place(last);
  }
}

import { ApiError, id, LIMITS, time } from '@framelift/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** Rows of a page of the administration; its tables are denser than lists of members. */
export const ADMIN_PAGE_SIZE = 50;

/** A row's place in a list that is sorted newest first [A97]. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** What a query returns of such a list: up to `limit` rows after a position. */
export interface PageRequest {
  readonly after: ListPosition | null;
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** The columns are never null; `nulls last` is how the indexes of lists are sorted, which only then spare the sort. */
export const newestFirst = (createdAt: PgColumn, id: PgColumn): SQL[] =>
  [createdAt, id].map((column) => sql`${column} desc nulls last`);

/** Condition for the rows that follow a position, newest first. */
export function afterPosition(position: ListPosition | null, createdAt: PgColumn, id: PgColumn): SQL | undefined {
  if (!position) return undefined;
  const [time, row] = [sql.param(position.createdAt, createdAt), sql.param(position.id, id)];
  return sql`(${createdAt}, ${id}) < (${time}, ${row})`;
}

interface PagedOptions<Row, Item> {
  /** As the caller sent it. */
  readonly cursor: string | undefined;
  readonly read: (request: PageRequest) => Promise<readonly Row[]>;
  readonly positionOf: (row: Row) => ListPosition;
  readonly present: (rows: Row[]) => Item[] | Promise<Item[]>;
  readonly size?: number;
}

/** One page of a list. @throws ApiError `invalidInput` for an invalid cursor */
export async function paged<Row, Item>(options: PagedOptions<Row, Item>): Promise<Page<Item>> {
  const { cursor, read, positionOf, present, size = LIMITS.pageSize } = options;
  const rows = await read({ after: cursor === undefined ? null : readCursor(cursor), limit: size + 1 });
  const page = rows.slice(0, size);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return { items: await present(page), next: last ? writeCursor(positionOf(last)) : null };
}

/** Every row of a list, in batches, so that an export of any length takes little memory. */
export async function* readAll<Row>(
  read: (request: PageRequest) => Promise<readonly Row[]>,
  positionOf: (row: Row) => ListPosition,
): AsyncGenerator<Row> {
  const limit = 500;
  for (let after: ListPosition | null = null; ; ) {
    const rows = await read({ after, limit });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    after = positionOf(last);
  }
}

/** The position as callers pass it back, opaque to them. */
function writeCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

function readCursor(cursor: string): ListPosition {
  const [createdAt = '', row = ''] = Buffer.from(cursor, 'base64url').toString().split(' ', 2);
  const position = { createdAt: new Date(createdAt), id: row };
  // Anything that the database cannot read as a time or an id would fail as an internal error.
  const valid = time.safeParse(createdAt).success && id.safeParse(row).success;
  if (!valid || writeCursor(position) !== cursor) throw new ApiError('invalidInput', ['page: not a cursor']);
  return position;
}

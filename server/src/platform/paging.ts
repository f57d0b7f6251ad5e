import { ApiError, id, LIMITS, time } from '@framelift/contract';
import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** Rows per page in the administration, whose tables are denser than members' lists. */
export const ADMIN_PAGE_SIZE = 50;

/** A row's place in a list that is sorted newest first [A97]. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** Range of a list query: up to `limit` rows after a position. */
export interface PageRequest {
  readonly after: ListPosition | null;
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Returns the ORDER BY terms. The columns are never null; `nulls last` matches the indexes, so that PostgreSQL needs no
 * sort.
 */
export const newestFirst = (createdAt: PgColumn, id: PgColumn): SQL[] =>
  [createdAt, id].map((column) => sql`${column} desc nulls last`);

/** Returns the condition for the rows after a position, newest first. */
export function afterPosition(position: ListPosition | null, createdAt: PgColumn, id: PgColumn): SQL | undefined {
  if (!position) return undefined;
  const [time, row] = [sql.param(position.createdAt, createdAt), sql.param(position.id, id)];
  return sql`(${createdAt}, ${id}) < (${time}, ${row})`;
}

interface PagedOptions<Row, Item> {
  /** As sent by the caller. */
  readonly cursor: string | undefined;
  readonly read: (request: PageRequest) => Promise<readonly Row[]>;
  readonly positionOf: (row: Row) => ListPosition;
  readonly present: (rows: Row[]) => Item[] | Promise<Item[]>;
  readonly size?: number;
}

/** Returns one page of a list. @throws ApiError `invalidInput` for an invalid cursor */
export async function paged<Row, Item>(options: PagedOptions<Row, Item>): Promise<Page<Item>> {
  const { cursor, read, positionOf, present, size = LIMITS.pageSize } = options;
  const rows = await read({ after: cursor === undefined ? null : readCursor(cursor), limit: size + 1 });
  const page = rows.slice(0, size);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return { items: await present(page), next: last ? writeCursor(positionOf(last)) : null };
}

/** Yields every row of a list in batches, so that an export of any length needs little memory. */
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

/** Encodes a position as an opaque cursor. */
function writeCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

function readCursor(cursor: string): ListPosition {
  const [createdAt = '', row = ''] = Buffer.from(cursor, 'base64url').toString().split(' ', 2);
  const position = { createdAt: new Date(createdAt), id: row };
  // A value that the database cannot parse as a time or an id would cause an internal error.
  const valid = time.safeParse(createdAt).success && id.safeParse(row).success;
  if (!valid || writeCursor(position) !== cursor) throw new ApiError('invalidInput', ['page: not a cursor']);
  return position;
}

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

/** A row's place in a list that is sorted by name. */
export interface NamePosition {
  /** The column that the list is sorted by. */
  readonly name: string;
  readonly id: string;
}

/** A row's place in a list that operators put in order. */
export interface Place {
  readonly position: number;
  readonly id: number;
}

/** Range of a list query: up to `limit` rows after a position. */
export interface PageRequest<Position = ListPosition> {
  readonly after: Position | null;
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

/** Returns the ORDER BY terms of the opposite order, from the same indexes read backwards. */
export const oldestFirst = (createdAt: PgColumn, id: PgColumn): SQL[] =>
  [createdAt, id].map((column) => sql`${column} asc nulls first`);

/** Returns the condition for the rows after a position, newest first. */
export function afterPosition(position: ListPosition | null, createdAt: PgColumn, id: PgColumn): SQL | undefined {
  return position
    ? sql`(${createdAt}, ${id}) < ${rowOf([position.createdAt, createdAt], [position.id, id])}`
    : undefined;
}

/** Returns the condition for the rows after a position, oldest first. */
export function afterOldPosition(position: ListPosition | null, createdAt: PgColumn, id: PgColumn): SQL | undefined {
  return position
    ? sql`(${createdAt}, ${id}) > ${rowOf([position.createdAt, createdAt], [position.id, id])}`
    : undefined;
}

/** Returns the condition for the rows after a position, by name. */
export function afterName(position: NamePosition | null, name: PgColumn, id: PgColumn): SQL | undefined {
  return position ? sql`(${name}, ${id}) > ${rowOf([position.name, name], [position.id, id])}` : undefined;
}

/** Returns the ORDER BY terms of a list that operators put in order. */
export const inOrder = (position: PgColumn, id: PgColumn): SQL[] => [sql`${position}`, sql`${id}`];

/** Returns the condition for the rows after a place in it. */
export function afterPlace(place: Place | null, position: PgColumn, id: PgColumn): SQL | undefined {
  return place ? sql`(${position}, ${id}) > ${rowOf([place.position, position], [place.id, id])}` : undefined;
}

/** Returns two values as a row, each as the type of its column. */
const rowOf = (...values: [unknown, PgColumn][]): SQL =>
  sql`(${sql.join(
    values.map(([value, column]) => sql.param(value, column)),
    sql`, `,
  )})`;

/** How positions of one kind are written into cursors, and read from them. */
interface CursorForm<Position> {
  write(position: Position): string;
  /** Returns null for a text that the database cannot parse as a position. */
  read(text: string): Position | null;
}

const byTime: CursorForm<ListPosition> = {
  write: ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`,
  read(text) {
    const [createdAt = '', row = ''] = text.split(' ', 2);
    const valid = time.safeParse(createdAt).success && id.safeParse(row).success;
    return valid ? { createdAt: new Date(createdAt), id: row } : null;
  },
};

/** Cursors of lists that are sorted by name. Those of other lists are none of these, because they begin with a time. */
const byName: CursorForm<NamePosition> = {
  write: ({ name, id }) => `${id} ${name}`,
  read(text) {
    const [row = ''] = text.split(' ', 1);
    const name = text.slice(row.length + 1);
    return id.safeParse(row).success && !name.includes('\0') ? { name, id: row } : null;
  },
};

/** Cursors of lists that operators put in order. */
const byPlace: CursorForm<Place> = {
  write: ({ position, id }) => `#${position} ${id}`,
  read(text) {
    const [, position, row] = /^#(-?\d{1,9}) (\d{1,9})$/.exec(text) ?? [];
    return position && row ? { position: Number(position), id: Number(row) } : null;
  },
};

interface PagedOptions<Row, Item, Position> {
  /** As sent by the caller. */
  readonly cursor: string | undefined;
  readonly read: (request: PageRequest<Position>) => Promise<readonly Row[]>;
  readonly positionOf: (row: Row) => Position;
  readonly present: (rows: Row[]) => Item[] | Promise<Item[]>;
  readonly size?: number;
}

/** Returns one page of a list. @throws ApiError `invalidInput` for an invalid cursor */
export function paged<Row, Item>(options: PagedOptions<Row, Item, ListPosition>): Promise<Page<Item>> {
  return pagedBy(byTime, options);
}

/** Like `paged`, for a list that is sorted by name. @throws ApiError `invalidInput` for an invalid cursor */
export function pagedByName<Row, Item>(options: PagedOptions<Row, Item, NamePosition>): Promise<Page<Item>> {
  return pagedBy(byName, options);
}

/** Like `paged`, for a list that operators put in order. @throws ApiError `invalidInput` for an invalid cursor */
export function pagedByPlace<Row, Item>(options: PagedOptions<Row, Item, Place>): Promise<Page<Item>> {
  return pagedBy(byPlace, options);
}

async function pagedBy<Row, Item, Position>(
  form: CursorForm<Position>,
  { cursor, read, positionOf, present, size = LIMITS.pageSize }: PagedOptions<Row, Item, Position>,
): Promise<Page<Item>> {
  const rows = await read({ after: cursor === undefined ? null : readCursor(form, cursor), limit: size + 1 });
  const page = rows.slice(0, size);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return { items: await present(page), next: last ? writeCursor(form, positionOf(last)) : null };
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
function writeCursor<Position>(form: CursorForm<Position>, position: Position): string {
  return Buffer.from(form.write(position)).toString('base64url');
}

function readCursor<Position>(form: CursorForm<Position>, cursor: string): Position {
  const position = form.read(Buffer.from(cursor, 'base64url').toString());
  if (!position || writeCursor(form, position) !== cursor) throw new ApiError('invalidInput', ['page: not a cursor']);
  return position;
}

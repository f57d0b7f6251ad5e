import { ApiError, id, time } from '@framelift/contract';

/** Where a list that is newest first goes on: after this row [A97]. */
export interface ListPosition {
  readonly createdAt: Date;
  readonly id: string;
}

/** The position as callers pass it back, opaque to them. */
export function writeCursor({ createdAt, id }: ListPosition): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

/** @throws ApiError `invalidInput` for a cursor not of ours */
export function readCursor(cursor: string): ListPosition {
  const [createdAt = '', row = ''] = Buffer.from(cursor, 'base64url').toString().split(' ', 2);
  const position = { createdAt: new Date(createdAt), id: row };
  // Its own parts alone: what the database cannot read as a time or an id would be a fault of ours.
  const parts = time.safeParse(createdAt).success && id.safeParse(row).success;
  if (!parts || writeCursor(position) !== cursor) throw new ApiError('invalidInput', ['page: not a cursor']);
  return position;
}

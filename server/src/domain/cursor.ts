import { ApiError } from '@framelift/contract';

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
  const match = /^(\S{24}) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString());
  const createdAt = new Date(match?.[1] ?? '');
  if (!match?.[2] || Number.isNaN(createdAt.getTime())) throw new ApiError('invalidInput', ['page: not a cursor']);
  return { createdAt, id: match[2] };
}

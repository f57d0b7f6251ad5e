import {
  ApiError,
  type api,
  type InputOf,
  type Language,
  POINT_REASONS,
  type PointEntry,
  type PointKind,
} from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { findUserForUpdate, updateUser } from '../user/user.sql.ts';
import {
  type EntryKey,
  findNewestEntry,
  findPointEntry,
  insertPointEntry,
  listEntryRows,
  type PointEntryRow,
} from './points.sql.ts';

export interface PointChange extends EntryKey {
  /** Positive to add. Zero changes nothing and is not recorded. */
  readonly amount: number;
  /** Name of what it is about, or the reason that an operator gave. */
  readonly note?: string;
  /** The administrator of a correction. */
  readonly actorId?: string;
}

/**
 * Changes the points of a user and records it, in the caller's transaction. A reason counts once for a reference: a
 * repeated change has no effect. Locks the row of the user until the transaction ends, so lock what else the
 * transaction changes first, as every other transaction does.
 * @returns the balance of this kind afterwards
 * @throws ApiError `notEnoughPoints`, `notEnoughFreePoints` if it would become negative
 */
export async function changePoints(
  { clock, ids }: Pick<Context, 'clock' | 'ids'>,
  tx: Tx,
  change: PointChange,
): Promise<number> {
  const { userId, kind, amount } = change;
  const user = await findUserForUpdate(tx, userId);
  if (!user) throw new Error(`Points of the unknown user ${userId}`);
  // Read after the lock: a concurrent change with the same reference is visible now.
  if (amount === 0 || (await findPointEntry(tx, change))) return user[kind];
  const balance = user[kind] + amount;
  if (balance < 0) throw notEnough(kind);
  await updateUser(tx, userId, { [kind]: balance });
  // The list is sorted by time, so the entries of a user have different ones, in the order of their balances.
  const newest = await findNewestEntry(tx, userId);
  const createdAt = new Date(Math.max(clock.now().getTime(), (newest?.createdAt.getTime() ?? 0) + 1));
  await insertPointEntry(tx, { ...change, id: ids.uuid(), balance, createdAt });
  return balance;
}

export function notEnough(kind: PointKind): ApiError {
  return new ApiError(kind === 'points' ? 'notEnoughPoints' : 'notEnoughFreePoints');
}

/** Returns a page of the changes of the caller's points. @throws ApiError `invalidInput` for an invalid cursor */
export function listPointEntries(
  context: Context,
  actor: Actor,
  input: InputOf<typeof api.pointEntries>,
): Promise<Page<PointEntry>> {
  return pageOfEntries(context, signedIn(actor).userId, input, actor.language);
}

/** Returns a page of the changes of the points of a user, newest first, with texts in one language. */
export function pageOfEntries(
  { db }: Context,
  userId: string,
  { kind, page }: InputOf<typeof api.pointEntries>,
  language: Language,
): Promise<Page<PointEntry>> {
  return paged({
    cursor: page,
    read: (request) => listEntryRows(db, userId, { ...request, kind }),
    positionOf: (row) => row,
    present: (rows) => rows.map((row) => present(row, language)),
  });
}

function present(
  { id, kind, amount, balance, reason, note, createdAt }: PointEntryRow,
  language: Language,
): PointEntry {
  const t = textsIn(language, 'points');
  // A row may have a reason of a newer version.
  const known = POINT_REASONS.find((name) => name === reason);
  return {
    id,
    kind,
    amount,
    balance,
    reason,
    title: known ? t(`reasons.${known}`) : reason,
    note: note ?? '',
    date: createdAt.toISOString(),
  };
}

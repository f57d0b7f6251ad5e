import { ApiError, type api, emailKey, type Friend, type InputOf, LIMITS } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries, Tx } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { DAY_MS } from '../../platform/time.ts';
import { notifyOfFriend } from '../notification/notify.ts';
import { findUser, findUserForUpdate } from '../user/user.sql.ts';
import {
  countFriendRows,
  countFriendships,
  deleteFriendship,
  deleteOtherRows,
  exportFriends,
  type FriendshipRow,
  type FriendshipView,
  findFriendByAddress,
  findFriendshipForUpdate,
  findFriendView,
  findOwnRequestForUpdate,
  findRequestFromForUpdate,
  insertFriendship,
  listFriendViews,
  lockAddresses,
  type Member,
  updateFriendship,
} from './friend.sql.ts';
import { inviteFriend } from './invite-job.ts';

interface ById {
  readonly id: string;
}

/** deleteFriend and refuseFriend can be undone for this time. */
const UNDO_MS = DAY_MS;
/** Further requests do not arrive for this time after one was declined. */
export const REFUSAL_MS = LIMITS.friends.requestDays * DAY_MS;

/** Returns a page of one list of the caller, newest first. @throws ApiError `invalidInput` for an invalid cursor */
export async function listFriends(
  { db }: Context,
  actor: Actor,
  { page, list }: InputOf<typeof api.friends>,
): Promise<Page<Friend> & { readonly total: number }> {
  const me = await memberOf(db, actor);
  const found = await paged({
    cursor: page,
    read: (request) => listFriendViews(db, me, list, request),
    positionOf: ({ row }) => row,
    present: (views) => views.map((view) => present(view, me)),
  });
  return { ...found, total: await countFriendRows(db, me, list) };
}

/** Returns the state between the caller and an address. */
export async function getFriend({ db }: Context, actor: Actor, { email }: { readonly email: string }): Promise<Friend> {
  const me = await memberOf(db, actor);
  return presentAt(db, me, email);
}

/**
 * Asks the owner of an address. Everything that depends on whether the address belongs to a member happens in a job, so
 * that neither the response nor its time reveals it.
 * @throws ApiError `friendIsYourself`, `tooManyFriends`
 */
export async function addFriend(
  context: Context,
  actor: Actor,
  { email }: { readonly email: string },
): Promise<Friend> {
  const { db, clock, ids, jobs } = context;
  const address = emailKey(email);
  return db.transaction(async (tx) => {
    const { emailLower } = await memberOf(tx, actor);
    if (address === emailLower) throw new ApiError('friendIsYourself');
    await lockAddresses(tx, emailLower, address);
    const me = await lockMember(tx, actor);
    const between = await findFriendByAddress(tx, me, address);
    const received = await findRequestFromForUpdate(tx, me, address);
    if (!between?.row.confirmedAt && received) await confirm(context, tx, received, me);
    else if (!between) {
      const now = clock.now();
      await refuseTooMany(tx, me.id);
      const earlier = await findOwnRequestForUpdate(tx, me.id, address);
      const isRefused = earlier?.refusedAt && now.getTime() - earlier.refusedAt.getTime() < REFUSAL_MS;
      const id = earlier?.id ?? ids.uuid();
      const asked = { targetEmail: email, createdAt: now };
      if (earlier) {
        const refusal = isRefused ? {} : { refusedAt: null, targetId: null };
        await updateFriendship(tx, id, { ...asked, ...refusal, endedAt: null, endedBy: null });
      } else await insertFriendship(tx, { ...asked, id, requesterId: me.id, targetEmailLower: address });
      await jobs.enqueue(tx, inviteFriend, { friendshipId: id });
    }
    return presentAt(tx, me, email);
  });
}

/** Accepts a request to the caller. Idempotent. @throws ApiError `friendNotFound`, `tooManyFriends` */
export async function confirmFriend(context: Context, actor: Actor, { id }: ById): Promise<Friend> {
  return context.db.transaction(async (tx) => {
    const me = await lockMember(tx, actor);
    const row = await findFriendshipForUpdate(tx, id);
    const isFriend = row?.confirmedAt && [row.requesterId, row.targetId].includes(me.id);
    if (!isFriend) await confirm(context, tx, requireReceived(row, me), me);
    return presentById(tx, me, id);
  });
}

/** Declines a request to the caller; the requester still sees it as sent. @throws ApiError `friendNotFound` */
export async function refuseFriend({ db, clock }: Context, actor: Actor, { id }: ById): Promise<ById> {
  await db.transaction(async (tx) => {
    const me = await memberOf(tx, actor);
    const row = await findFriendshipForUpdate(tx, id);
    if (row?.refusedAt && row.targetId === me.id) return;
    requireReceived(row, me);
    await updateFriendship(tx, id, { refusedAt: clock.now(), targetId: me.id });
  });
  return { id };
}

/**
 * Cancels a request of the caller or ends a friendship. An ended friendship gets a new id, so that everything that refers
 * to it is deleted now: undoing it brings the friend back but no permission.
 * @returns the id to restore it with
 * @throws ApiError `friendNotFound`
 */
export async function deleteFriend({ db, clock, ids }: Context, actor: Actor, { id }: ById): Promise<ById> {
  const { userId } = signedIn(actor);
  return db.transaction(async (tx) => {
    const row = await findFriendshipForUpdate(tx, id);
    const isOwn = row?.requesterId === userId || (row?.confirmedAt && row.targetId === userId);
    if (!row || !isOwn) throw new ApiError('friendNotFound');
    if (row.endedAt) return { id };
    const ended = { endedAt: clock.now(), endedBy: userId };
    if (!row.confirmedAt) {
      await updateFriendship(tx, id, ended);
      return { id };
    }
    const undoId = ids.uuid();
    await deleteFriendship(tx, id);
    await insertFriendship(tx, { ...row, ...ended, id: undoId, confirmedAt: null });
    return { id: undoId };
  });
}

/** Undoes deleteFriend and refuseFriend. Idempotent. @throws ApiError `friendNotFound`, `tooManyFriends` */
export async function restoreFriend(context: Context, actor: Actor, { id }: ById): Promise<Friend> {
  const since = new Date(context.clock.now().getTime() - UNDO_MS);
  return context.db.transaction(async (tx) => {
    const me = await lockMember(tx, actor);
    const row = await findFriendshipForUpdate(tx, id);
    if (!row) throw new ApiError('friendNotFound');
    const { endedAt, endedBy, refusedAt, targetId, requesterId } = row;
    if (endedAt && endedBy === me.id && endedAt > since) {
      await refuseTooMany(tx, me.id);
      await updateFriendship(tx, id, { endedAt: null, endedBy: null });
      // Unlike a request that was only sent or declined, an ended friendship had been confirmed.
      const other = refusedAt ? null : requesterId === me.id ? targetId : requesterId;
      if (other && targetId) await befriend(context, tx, row, me, other);
    } else if (!endedAt && refusedAt && targetId === me.id && refusedAt > since) {
      await updateFriendship(tx, id, { refusedAt: null, targetId: null });
    } else if (endedAt || refusedAt || ![requesterId, targetId].includes(me.id)) throw new ApiError('friendNotFound');
    return presentById(tx, me, id);
  });
}

export async function friendsForExport({ db }: Context, actor: Actor): Promise<Friend[]> {
  const me = await memberOf(db, actor);
  return (await exportFriends(db, me)).map((view) => present(view, me));
}

/** Makes the requester of a request and the caller friends, and tells the requester. */
async function confirm(context: Context, tx: Tx, row: FriendshipRow, me: Member): Promise<void> {
  await refuseTooMany(tx, me.id);
  await befriend(context, tx, row, me, row.requesterId);
  const name = (await findUser(tx, me.id))?.name ?? '';
  await notifyOfFriend(context, tx, 'friendConfirmed', { userId: row.requesterId, name });
}

/** Turns a row between the caller and another member into their friendship; other rows between them are deleted. */
async function befriend({ clock }: Context, tx: Tx, row: FriendshipRow, me: Member, otherId: string): Promise<void> {
  const other = await findUser(tx, otherId);
  if (!other?.emailLower) throw new ApiError('friendNotFound');
  await deleteOtherRows(tx, { a: me, b: { id: otherId, emailLower: other.emailLower }, except: row.id });
  const targetId = row.requesterId === me.id ? otherId : me.id;
  await updateFriendship(tx, row.id, {
    targetId,
    confirmedAt: clock.now(),
    refusedAt: null,
    endedAt: null,
    endedBy: null,
  });
}

/** @throws ApiError `friendNotFound` if it is no open request to this member */
function requireReceived(row: FriendshipRow | undefined, { emailLower }: Member): FriendshipRow {
  const isOpen = row && !row.confirmedAt && !row.endedAt && !row.refusedAt;
  if (!isOpen || row.targetEmailLower !== emailLower) throw new ApiError('friendNotFound');
  return row;
}

/** @throws ApiError `tokenExpired` if the account was deleted meanwhile */
async function memberOf(db: Queries, actor: Actor, find = findUser): Promise<Member> {
  const row = await find(db, signedIn(actor).userId);
  if (!row?.emailLower) throw new ApiError('tokenExpired');
  return { id: row.id, emailLower: row.emailLower };
}

/** As memberOf; serializes the changes of one member, so that counting and inserting are atomic. */
const lockMember = (tx: Tx, actor: Actor) => memberOf(tx, actor, findUserForUpdate);

async function refuseTooMany(tx: Tx, userId: string): Promise<void> {
  if ((await countFriendships(tx, userId)) >= LIMITS.friends.count) throw new ApiError('tooManyFriends');
}

async function presentAt(db: Queries, me: Member, email: string): Promise<Friend> {
  const view = await findFriendByAddress(db, me, emailKey(email));
  if (view) return present(view, me);
  const nothing = { id: null, isSend: false, isConfirm: false, isReceived: false, date: null };
  return { ...nothing, target_user: { name: '', email } };
}

/** @throws ApiError `friendNotFound` if it was merged with another request of the same two meanwhile */
async function presentById(tx: Tx, me: Member, id: string): Promise<Friend> {
  const view = await findFriendView(tx, id);
  if (!view) throw new ApiError('friendNotFound');
  return present(view, me);
}

function present({ row, requester, target }: FriendshipView, me: Member): Friend {
  const isOwn = requester.id === me.id;
  const other = isOwn ? target : requester;
  return {
    id: row.id,
    target_user: { name: other?.name ?? '', email: other?.email ?? row.targetEmail },
    isSend: isOwn,
    isConfirm: row.confirmedAt !== null,
    isReceived: !isOwn && row.confirmedAt === null,
    date: (row.confirmedAt ?? row.createdAt).toISOString(),
  };
}

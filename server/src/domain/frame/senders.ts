import { ApiError, type api, type FrameSender, type FriendsFrame, type InputOf } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { findFramesForUpdate } from './frame.sql.ts';
import { getOwnFrame } from './frames.ts';
import { deleteItemsOfSender } from './item.sql.ts';
import { deleteSender, insertSender, listFramesOfFriends, listSenders, lockFriendship } from './sender.sql.ts';

interface ById {
  readonly id: string;
}

/** Returns the caller's friends, and who of them may send to a frame. @throws ApiError `frameNotFound` */
export async function getSenders({ db }: Context, actor: Actor, { id }: ById): Promise<FrameSender[]> {
  const { ownerId } = await getOwnFrame(db, actor, id);
  return listSenders(db, ownerId, id);
}

/**
 * Allows a friend to send to a frame, or withdraws it with everything that the friend sent there.
 * @throws ApiError `frameNotFound`, `friendNotFound`
 */
export async function setSender(
  context: Context,
  actor: Actor,
  { id }: ById,
  { friend: friendshipId, allowed }: InputOf<typeof api.setFrameSender>,
): Promise<FrameSender[]> {
  const { db, clock, changes } = context;
  const { ownerId } = await getOwnFrame(db, actor, id);
  await db.transaction(async (tx) => {
    // Locked, so that nothing arrives while the permission is withdrawn.
    if ((await findFramesForUpdate(tx, [id])).length === 0) throw new ApiError('frameNotFound');
    if (!(await lockFriendship(tx, ownerId, friendshipId))) throw new ApiError('friendNotFound');
    if (allowed) return insertSender(tx, { frameId: id, friendshipId, createdAt: clock.now() });
    await deleteSender(tx, id, friendshipId);
    await deleteItemsOfSender(tx, id, friendshipId);
  });
  changes.changed(id);
  return getSenders(context, actor, { id });
}

/** Returns the frames of friends to which the caller may send. */
export function getFramesOfFriends({ db }: Context, actor: Actor): Promise<FriendsFrame[]> {
  return listFramesOfFriends(db, signedIn(actor).userId);
}

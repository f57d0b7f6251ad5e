import {
  ApiError,
  type api,
  type FrameIdentity,
  type FrameScreen,
  type InputOf,
  LIMITS,
  type OutputOf,
  type PairedFrame,
} from '@framelift/contract';
import { type Actor, asFrame, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { notifyOfFrame } from '../notification/notify.ts';
import {
  deleteFrame,
  deleteFramesOf,
  type FrameRow,
  findFrameIdentity,
  listFrameRows,
  renameOwnFrame,
  updateFrame,
} from './frame.sql.ts';
import { deletePairingsOf } from './pairing.sql.ts';

/** Returns a page of the caller's frames. @throws ApiError `invalidInput` for an invalid cursor */
export async function listFrames(
  { db, clock }: Context,
  actor: Actor,
  { page }: InputOf<typeof api.frames>,
): Promise<Page<PairedFrame>> {
  const { userId } = signedIn(actor);
  const now = clock.now();
  return paged({
    cursor: page,
    read: (request) => listFrameRows(db, userId, request),
    positionOf: (row) => row,
    present: (rows) => rows.map((row) => presentFrame(row, now)),
  });
}

/** @throws ApiError `frameNotFound` */
export async function renameFrame(
  { db, clock }: Context,
  actor: Actor,
  { id, name }: InputOf<typeof api.renameFrame>,
): Promise<PairedFrame> {
  const row = await renameOwnFrame(db, signedIn(actor).userId, id, name);
  if (!row) throw new ApiError('frameNotFound');
  return presentFrame(row, clock.now());
}

/** Invalidates the frame's token. @throws ApiError `frameNotFound` */
export async function unpairFrame(
  context: Context,
  actor: Actor,
  { id }: InputOf<typeof api.unpairFrame>,
): Promise<{ id: string }> {
  const { userId } = signedIn(actor);
  const row = await context.db.transaction((tx) => remove(tx, userId, id));
  if (!row) throw new ApiError('frameNotFound');
  context.log.info({ userId, frameId: id }, 'A frame was unpaired by its owner');
  return { id };
}

/** @throws ApiError `tokenExpired` if the calling frame was unpaired just now */
export async function getThisFrame({ db }: Context, actor: Actor): Promise<FrameIdentity> {
  const frame = await findFrameIdentity(db, asFrame(actor).id);
  if (!frame) throw new ApiError('tokenExpired');
  return frame;
}

/** @throws ApiError `tokenExpired` if the calling frame was unpaired just now */
export async function recordHeartbeat(
  context: Context,
  actor: Actor,
  { version, screen }: InputOf<typeof api.frameHeartbeat>,
): Promise<OutputOf<typeof api.frameHeartbeat>> {
  const now = context.clock.now();
  await updateFrame(context.db, asFrame(actor).id, {
    version,
    screenWidth: screen.width,
    screenHeight: screen.height,
    pixelRatio: screen.pixelRatio,
    lastSeenAt: now,
  });
  return { ...(await getThisFrame(context, actor)), at: now.toISOString() };
}

/** Unpairs the calling frame, on request of somebody in front of it; its owner is notified. */
export async function leaveFrame(context: Context, actor: Actor): Promise<Record<string, never>> {
  const { id, ownerId } = asFrame(actor);
  await context.db.transaction(async (tx) => {
    const row = await remove(tx, ownerId, id);
    if (row) await notifyOfFrame(context, tx, 'frameLeft', { ownerId, name: row.name });
  });
  context.log.info({ userId: ownerId, frameId: id }, 'A frame unpaired itself');
  return {};
}

export async function unpairFramesOf(tx: Tx, userId: string): Promise<void> {
  await deletePairingsOf(tx, userId);
  await deleteFramesOf(tx, userId);
}

export function presentFrame(row: FrameRow, now: Date): PairedFrame {
  const seen = row.lastSeenAt;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    screen: screenOf(row),
    pairedAt: row.createdAt.toISOString(),
    lastSeenAt: seen?.toISOString() ?? null,
    online: seen !== null && Math.abs(now.getTime() - seen.getTime()) < LIMITS.frames.onlineSeconds * 1000,
    version: row.version,
  };
}

export function screenOf(row: Pick<FrameRow, 'screenWidth' | 'screenHeight' | 'pixelRatio'>): FrameScreen {
  return { width: row.screenWidth, height: row.screenHeight, pixelRatio: row.pixelRatio };
}

/** Deletes the pairing before the frame, in the lock order of pairing. */
async function remove(tx: Tx, ownerId: string, id: string): Promise<FrameRow | undefined> {
  await deletePairingsOf(tx, ownerId, id);
  return deleteFrame(tx, ownerId, id);
}

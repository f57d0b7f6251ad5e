import {
  ApiError,
  type api,
  type FrameIdentity,
  type FrameScreen,
  type InputOf,
  isTimeZone,
  LIMITS,
  type OutputOf,
  type OwnFrame,
  type PairedFrame,
  id as schemaOfId,
} from '@framelift/contract';
import { type Actor, asFrame, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries, Tx } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { zoneName } from '../../platform/time.ts';
import { notifyOfFrame } from '../notification/notify.ts';
import {
  deleteFrame,
  deleteFramesOf,
  type FrameRow,
  findFrame,
  findFrameIdentity,
  findFramesForUpdate,
  listFrameRows,
  renameOwnFrame,
  updateFrame,
} from './frame.sql.ts';
import { markShown } from './item.sql.ts';
import { deletePairingsOf } from './pairing.sql.ts';
import { coverFor, readPlaylist } from './playlist.ts';
import { countSenders } from './sender.sql.ts';

/** Reported problems that a frame keeps. */
const KEPT_PROBLEMS = 20;

/** Returns the id of the item that a picture of a playlist belongs to. */
const itemIdOf = (id: string): string => id.split(':', 1)[0] ?? '';

/** Returns a page of the caller's frames. @throws ApiError `invalidInput` for an invalid cursor */
export async function listFrames(
  context: Context,
  actor: Actor,
  { page }: InputOf<typeof api.frames>,
): Promise<Page<OwnFrame>> {
  const { userId } = signedIn(actor);
  return paged({
    cursor: page,
    read: (request) => listFrameRows(context.db, userId, request),
    positionOf: (row) => row,
    async present(rows) {
      const frames: OwnFrame[] = [];
      // One after the other: each plans what its frame plays, up to thousands of media.
      for (const row of rows) frames.push(await presentOwnFrame(context, row));
      return frames;
    },
  });
}

/** @throws ApiError `frameNotFound` */
export async function getFrame(context: Context, actor: Actor, { id }: { readonly id: string }): Promise<OwnFrame> {
  return presentOwnFrame(context, await getOwnFrame(context.db, actor, id));
}

/** @throws ApiError `frameNotFound` */
export async function renameFrame(
  { db, clock, changes }: Context,
  actor: Actor,
  { id, name }: InputOf<typeof api.renameFrame>,
): Promise<PairedFrame> {
  const row = await renameOwnFrame(db, signedIn(actor).userId, id, name);
  if (!row) throw new ApiError('frameNotFound');
  changes.changed(id);
  return presentFrame(row, clock.now());
}

/** Invalidates the frame's token. @throws ApiError `frameNotFound` */
export async function unpairFrame(
  context: Context,
  actor: Actor,
  { id }: InputOf<typeof api.unpairFrame>,
): Promise<{ id: string }> {
  const { userId } = signedIn(actor);
  const row = await context.db.transaction((tx) => removeFrame(tx, userId, id));
  if (!row) throw new ApiError('frameNotFound');
  context.changes.changed(id);
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
  report: InputOf<typeof api.frameHeartbeat>,
): Promise<OutputOf<typeof api.frameHeartbeat>> {
  const { db, clock } = context;
  const { id } = asFrame(actor);
  const now = clock.now();
  const { version, screen, playlist, showing, problems = [], shown = [] } = report;
  const timeZone = report.timeZone && isTimeZone(report.timeZone) ? zoneName(report.timeZone) : null;
  const hasMoved = await db.transaction(async (tx) => {
    const [row] = await findFramesForUpdate(tx, [id]);
    if (!row) throw new ApiError('tokenExpired');
    const fresh = problems.map((problem) => ({ ...problem, at: now.toISOString() }));
    await updateFrame(tx, id, {
      version,
      screenWidth: screen.width,
      screenHeight: screen.height,
      pixelRatio: screen.pixelRatio,
      lastSeenAt: now,
      ...(timeZone !== null && { timeZone }),
      ...(playlist === undefined ? {} : { playlistVersion: playlist }),
      ...(showing === undefined ? {} : { showing }),
      ...(fresh.length === 0 ? {} : { problems: [...fresh, ...row.problems].slice(0, KEPT_PROBLEMS) }),
    });
    const items = [...new Set([...shown, ...(showing ? [showing.item] : [])].map(itemIdOf))];
    await markShown(
      tx,
      id,
      items.filter((item) => schemaOfId.safeParse(item).success),
      now,
    );
    return timeZone !== null && timeZone !== row.timeZone;
  });
  // The options of its playlist have changed with it.
  if (hasMoved) context.changes.changed(id);
  return { ...(await getThisFrame(context, actor)), at: now.toISOString() };
}

/** Unpairs the calling frame, on request of somebody in front of it; its owner is notified. */
export async function leaveFrame(context: Context, actor: Actor): Promise<Record<string, never>> {
  const { id, ownerId } = asFrame(actor);
  await context.db.transaction(async (tx) => {
    const row = await removeFrame(tx, ownerId, id);
    if (row) await notifyOfFrame(context, tx, 'frameLeft', { ownerId, name: row.name });
  });
  context.changes.changed(id);
  context.log.info({ userId: ownerId, frameId: id }, 'A frame unpaired itself');
  return {};
}

export async function unpairFramesOf(tx: Tx, userId: string): Promise<void> {
  await deletePairingsOf(tx, userId);
  await deleteFramesOf(tx, userId);
}

/**
 * Returns the caller's own frame. Another member's and an unknown one cause the same error.
 * @throws ApiError `frameNotFound`
 */
export async function getOwnFrame(db: Queries, actor: Actor, id: string): Promise<FrameRow> {
  const row = await findFrame(db, signedIn(actor).userId, id);
  if (!row) throw new ApiError('frameNotFound');
  return row;
}

/** Returns a frame with what it does now. */
async function presentOwnFrame(context: Context, row: FrameRow): Promise<OwnFrame> {
  const { db, clock } = context;
  const { plan, version, items, waiting } = await readPlaylist(context, row);
  const paired = presentFrame(row, clock.now());
  const byId = new Map(items.map(({ item }) => [item.id, item]));
  const shown = row.showing && byId.get(row.showing.item);
  const entry = shown && plan.entries.find(({ entry }) => entry.mediaId === shown.mediaId);
  return {
    ...paired,
    device_type_id: row.deviceTypeId,
    options: plan.options,
    hasCalibration: row.calibration !== null,
    state: stateOf(row, paired, items.length + waiting === 0, version),
    count: items.length,
    waiting,
    showing:
      row.showing && shown
        ? { ...row.showing, name: shown.name, cover: entry ? await coverFor(context, row, entry) : null }
        : null,
    problems: row.problems.map(({ at, item, code, detail }) => ({
      at,
      name: (item && byId.get(item)?.name) ?? null,
      code,
      detail,
    })),
    senders: await countSenders(db, row.id),
  };
}

function stateOf(row: FrameRow, { online }: PairedFrame, isEmpty: boolean, version: string): OwnFrame['state'] {
  if (row.lastSeenAt === null) return 'never';
  if (!online) return 'offline';
  if (isEmpty) return 'empty';
  return row.playlistVersion === version ? 'upToDate' : 'downloading';
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
export async function removeFrame(tx: Tx, ownerId: string, id: string): Promise<FrameRow | undefined> {
  await deletePairingsOf(tx, ownerId, id);
  return deleteFrame(tx, ownerId, id);
}

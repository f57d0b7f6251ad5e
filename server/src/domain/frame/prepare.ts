import { ApiError, type Format } from '@framelift/contract';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { defineJob, handle, type JobRun } from '../../platform/jobs/job.ts';
import { makePictureFile } from '../media/deliver/download.ts';
import type { PanelVariant } from '../media/deliver/panel-picture.ts';
import { startVideoFormat } from '../media/deliver/video.ts';
import { makeCopy } from '../media/lifecycle/copies.ts';
import { findMedia } from '../media/media.sql.ts';
import { isGuest } from '../user/user.sql.ts';
import { findFrameById } from './frame.sql.ts';
import { deleteFailedFrameFile, deleteFrameFile, failFrameFile, insertFrameFile, listFramesOf } from './item.sql.ts';
import { type Need, type Plan, planFrame } from './plan.ts';

/** Starts whatever a frame needs and nobody makes yet. */
const prepareFrame = defineJob('frame.prepare', z.strictObject({ frameId: z.uuid(), again: z.boolean().optional() }));
/** Makes one file of a picture for frames. */
const makeFile = defineJob('frame.file', z.strictObject({ mediaId: z.uuid(), variant: z.string() }), {
  retryDelay: 40,
  longestDelay: 600,
});

/**
 * Starts what a frame needs after the caller's transaction. Repeating it is harmless.
 * @param again whether what has failed is tried again
 */
export function enqueuePreparation({ jobs }: Context, tx: Tx, frameId: string, again = false): Promise<void> {
  return jobs.enqueue(tx, prepareFrame, { frameId, again });
}

/** Starts what a frame needs. Repeating it is harmless. */
export function startPreparation(context: Context, frameId: string): Promise<void> {
  return context.db.transaction((tx) => enqueuePreparation(context, tx, frameId));
}

/** Returns whether something is missing that nobody makes. */
export function isIncomplete({ entries }: Plan): boolean {
  return entries.some(({ outcome }) => outcome.state !== 'failed' && outcome.need !== null);
}

/** Starts everything that a frame needs. */
async function prepare(
  context: Context,
  { frameId, again = false }: z.output<typeof prepareFrame.data>,
): Promise<void> {
  const frame = await findFrameById(context.db, frameId);
  if (!frame) return;
  const { entries } = await planFrame(context.db, frame, context.clock.now());
  const started = new Set<string>();
  for (const { outcome, entry } of entries) {
    const need = outcome.state !== 'failed' || again ? outcome.need : null;
    if (!need || started.has(entry.mediaId)) continue;
    started.add(entry.mediaId);
    await start(context, need, again);
  }
  context.changes.changed(frameId);
}

async function start(context: Context, need: Need, again: boolean): Promise<void> {
  if (need.kind === 'copy') return makeCopy(context, { id: need.mediaId, device: need.device, again });
  if (need.kind === 'video') {
    await startVideoFormat(context, need.media, need.format).catch(ignoreChanged);
    return;
  }
  const { media, variant } = need;
  await context.db.transaction(async (tx) => {
    await deleteFailedFrameFile(tx, media.id, variant);
    const row = { mediaId: media.id, variant, createdAt: context.clock.now() };
    if (!(await insertFrameFile(tx, row))) return;
    const user = { id: media.ownerId, isGuest: await isGuest(tx, media.ownerId) };
    await context.jobs.enqueue(tx, makeFile, { mediaId: media.id, variant }, { user });
  });
}

/** A media that was changed or deleted meanwhile is looked at anew with the next playlist. */
function ignoreChanged(error: unknown): void {
  const isChange = error instanceof ApiError && CHANGED.includes(error.code);
  if (!isChange) throw error;
}
const CHANGED: readonly string[] = ['mediaNotFound', 'obj_havent_transformed_completed'];
/** Errors that another attempt may avoid. */
const PASSING: readonly string[] = ['systemBusy', 'serverFull'];

type FileData = z.output<typeof makeFile.data>;

async function runFile(context: Context, { mediaId, variant }: FileData, { signal }: JobRun): Promise<void> {
  const view = await findMedia(context.db, mediaId);
  try {
    if (view) await makePictureFile(context, view, variant as Format | PanelVariant, signal);
    await deleteFrameFile(context.db, mediaId, variant);
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError) || PASSING.includes(error.code)) throw error;
    if (CHANGED.includes(error.code)) await deleteFrameFile(context.db, mediaId, variant);
    else await failFrameFile(context.db, mediaId, variant, error.code);
    context.log.info({ mediaId, variant, code: error.code }, 'A file for a frame was not made');
  }
  await tellFramesOf(context, mediaId);
}

async function failFile(context: Context, { mediaId, variant }: FileData): Promise<void> {
  await failFrameFile(context.db, mediaId, variant, 'conversionFailed');
  await tellFramesOf(context, mediaId);
}

async function tellFramesOf(context: Context, mediaId: string): Promise<void> {
  for (const id of await listFramesOf(context.db, mediaId)) context.changes.changed(id);
}

export const prepareJobs = [
  handle<Context, z.output<typeof prepareFrame.data>>(prepareFrame, {
    run: prepare,
  }),
  handle<Context, FileData>(makeFile, { run: runFile, dead: failFile }),
];

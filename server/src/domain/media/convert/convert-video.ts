import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, MEDIA_STATUS } from '@framelift/contract';
import { EngineError, type VideoResult } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import { videoFormat } from '../deliver/video.ts';
import { endProcessing, lockMedia, resultKeys, updateMedia } from '../media.sql.ts';
import { deleteFiles, deleteUnnamed, insertFile, insertObjects } from '../object.sql.ts';
import { openResults, putFiles } from '../results.ts';
import { type Attempt, attempt, type ConvertData, finish, giveUp } from './attempt.ts';
import { activeAmong } from './conversion.sql.ts';
import { engineTerms } from './engine-request.ts';

/** Each folder is named after its conversion. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * One try of converting a video, or of making a further format of it. What is finished stays in a folder of the
 * conversion, so that the next try, in this process or in the next, goes on from there.
 */
export async function convertVideo(context: Context, data: ConvertData, run: JobRun): Promise<void> {
  await removeLeftFolders(context);
  try {
    await attempt(context, data, run, (own) => makeVideo(context, own));
  } finally {
    await removeLeftFolders(context);
  }
}

/** Ends a video that will not be tried again. */
export async function giveUpVideo(context: Context, data: ConvertData): Promise<void> {
  await giveUp(context, data);
  await removeLeftFolders(context);
}

/** Removes folders of conversions that have ended, also of those that another machine took over. */
export async function removeLeftFolders({ db, videos, log }: Context): Promise<void> {
  try {
    const names = (await videos.names()).filter((name) => UUID.test(name));
    const active = names.length === 0 ? new Set() : await activeAmong(db, names);
    for (const name of names) if (!active.has(name)) await videos.remove(name);
  } catch (error) {
    log.warn({ err: error }, 'Folders of videos may be left');
  }
}

async function makeVideo(context: Context, own: Attempt): Promise<void> {
  const { converter, videos, settings, work } = context;
  const { view, held, signal, onProgress } = own;
  const folder = await videos.open(held.id);
  const input = join(folder, 'original');
  await fetchOriginal(context, own, input);
  if (!held.format) await makePlayable(context, own, input);
  await work.use(async (outDir) => {
    const { strokes: _, ...terms } = engineTerms(view);
    const request = {
      ...terms,
      kind: 'video' as const,
      ...{ input, outDir, workDir: join(folder, 'segments'), tier: settings.video.tier },
      format: held.format ?? videoFormat(view),
    };
    await videos.open(join(held.id, 'segments'));
    const result = await converter.convert(request, { signal, onProgress });
    if (held.format) await keepFormat(context, own, result);
    else await keepVideo(context, own, result);
  });
}

/** The same file at every try. @throws ApiError `uploadMissing` */
async function fetchOriginal({ storage }: Context, { view }: Attempt, path: string): Promise<void> {
  if (await exists(path)) return;
  const { originalKey } = view.media;
  const arriving = `${path}.part`;
  await rm(arriving, { force: true });
  if (!originalKey || !(await storage.readTo(originalKey, arriving))) throw new ApiError('uploadMissing');
  await rename(arriving, path);
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Makes what browsers play of a video that they do not, once. A video without it is a video all the same. */
async function makePlayable(context: Context, { view, signal }: Attempt, input: string): Promise<void> {
  const { db, converter, work, log } = context;
  const { media } = view;
  if (media.video?.playable || media.videoKey) return;
  const results = openResults(context);
  try {
    await work.use(async (folder) => {
      const path = join(folder, 'playable.mp4');
      await converter.videoPreview({ path: input, outPath: path }, { signal });
      const videoKey = await results.put(path, 'video/mp4');
      await db.transaction(async (tx) => {
        const locked = await lockMedia(tx, media.id);
        if (!locked || locked.videoKey) return;
        await insertObjects(tx, locked.ownerId, results.objects);
        await updateMedia(tx, media.id, { videoKey });
      });
    });
    context.changes.changed(media.id);
  } catch (error) {
    if (signal.aborted || !(error instanceof EngineError)) throw error;
    log.warn({ err: error, mediaId: media.id }, 'A video has no preview that browsers play');
  } finally {
    await results.tidy();
  }
}

/** Makes the video the media's, in the place of what it had. */
async function keepVideo(context: Context, own: Attempt, result: VideoResult): Promise<void> {
  const { media } = own.view;
  const results = openResults(context);
  try {
    const files = await putFiles(context, results, media.id, [result.file]);
    const coverKey = await results.put(result.cover, 'image/jpeg');
    await finish(context, own, async (tx, before, finishedAt) => {
      await insertObjects(tx, before.ownerId, results.objects);
      const old = [...resultKeys(before), ...(await deleteFiles(tx, media.id))];
      for (const file of files) await insertFile(tx, file);
      const { crop, comfort, depthSource, frames, seconds, notes } = result;
      await endProcessing(tx, media.id, {
        ...{ status: MEDIA_STATUS.finished, finishedAt, resultRevision: before.revision },
        ...{ coverKey, crop, comfort, depthSource },
        video: { frames, seconds, notes, playable: before.video?.playable ?? false },
      });
      return deleteUnnamed(tx, old);
    });
  } finally {
    await results.tidy();
  }
}

/** Adds a further format to a video that is finished. */
async function keepFormat(context: Context, own: Attempt, result: VideoResult): Promise<void> {
  const { media } = own.view;
  const results = openResults(context);
  try {
    const files = await putFiles(context, results, media.id, [result.file]);
    await finish(context, own, async (tx, before) => {
      await insertObjects(tx, before.ownerId, results.objects);
      for (const file of files) await insertFile(tx, file);
      return [];
    });
  } finally {
    await results.tidy();
  }
}

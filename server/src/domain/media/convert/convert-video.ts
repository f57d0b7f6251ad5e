import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '@framelift/contract';
import { EngineError, type VideoResult } from '@framelift/engine';
import type { Context } from '../../../context.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import { findAssetKey } from '../asset.sql.ts';
import { videoFormat } from '../deliver/video.ts';
import { findMediaForUpdate } from '../media.sql.ts';
import { addFile, storeResults } from '../results.ts';
import { parseVideoVariant } from '../video-variant.ts';
import { type Attempt, attempt, type ConvertData, complete, fail, replaceResults } from './attempt.ts';
import { filterActiveConversions } from './conversion.sql.ts';
import { toEngineRequest, videoHints } from './engine-request.ts';

/** Folders are named after their conversions. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Runs one attempt of converting a video, or of making an additional format of it. Finished segments are kept in a
 * folder of the conversion, so that the next attempt, in any process of this machine, resumes there.
 */
export async function convertVideo(context: Context, data: ConvertData, run: JobRun): Promise<void> {
  await removeLeftFolders(context);
  try {
    await attempt(context, data, run, (own) => makeVideo(context, own));
  } finally {
    await removeLeftFolders(context);
  }
}

/** Ends a conversion of a video without another retry. */
export async function failVideo(context: Context, data: ConvertData): Promise<void> {
  await fail(context, data);
  await removeLeftFolders(context);
}

/** Removes folders of conversions that have ended, including those that another machine took over. */
export async function removeLeftFolders({ db, videoDirs, log }: Context): Promise<void> {
  try {
    const names = (await videoDirs.names()).filter((name) => UUID.test(name));
    const active = names.length === 0 ? new Set() : await filterActiveConversions(db, names);
    for (const name of names) if (!active.has(name)) await videoDirs.remove(name);
  } catch (error) {
    log.warn({ err: error }, 'Folders of videos may be left');
  }
}

async function makeVideo(context: Context, own: Attempt): Promise<void> {
  const { converter, videoDirs, settings, tempDirs } = context;
  const { view, held, signal, onProgress } = own;
  const folder = await videoDirs.open(held.id);
  const input = join(folder, 'original');
  await fetchOriginal(context, own, input);
  if (!held.format) await makePlayable(context, own, input);
  await tempDirs.use(async (outDir) => {
    const { strokes: _, ...settingsOfMedia } = toEngineRequest(view);
    const wanted = held.format === null ? null : parseVideoVariant(held.format);
    const request = {
      ...settingsOfMedia,
      ...wanted?.options,
      kind: 'video' as const,
      input,
      outDir,
      workDir: join(folder, 'segments'),
      tier: settings.video.tier,
      format: wanted?.format ?? videoFormat(view),
    };
    await videoDirs.open(join(held.id, 'segments'));
    const result = await converter.convert(request, { signal, onProgress });
    await storeVideo(context, own, result);
  });
}

/** Downloads the original, unless an earlier attempt did. @throws ApiError `uploadMissing` */
async function fetchOriginal({ storage }: Context, { view }: Attempt, path: string): Promise<void> {
  if (await exists(path)) return;
  const { original } = view.keys;
  const arriving = `${path}.part`;
  await rm(arriving, { force: true });
  if (!original || !(await storage.readTo(original, arriving))) throw new ApiError('uploadMissing');
  await rename(arriving, path);
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Makes a version that browsers can play, once, if they cannot play the original. A failure is only logged. */
async function makePlayable(context: Context, { view, signal }: Attempt, input: string): Promise<void> {
  const { db, converter, tempDirs, log } = context;
  const { media, keys } = view;
  if (media.video?.playable || keys.video) return;
  try {
    await storeResults(context, (results) =>
      tempDirs.use(async (folder) => {
        const path = join(folder, 'playable.mp4');
        const wanted = { path: input, ...videoHints(media), outPath: path };
        await converter.videoPreview(wanted, { signal, user: media.ownerId });
        await results.add({ role: 'video' }, path, 'video/mp4');
        await db.transaction(async (tx) => {
          const locked = await findMediaForUpdate(tx, media.id);
          if (locked && !(await findAssetKey(tx, media.id, 'video'))) await results.save(tx, locked);
        });
      }),
    );
    context.changes.changed(media.id);
  } catch (error) {
    if (signal.aborted || !(error instanceof EngineError)) throw error;
    log.warn({ err: error, mediaId: media.id }, 'A video has no preview that browsers play');
  }
}

/** Stores the video in place of the previous result, or adds an additional format to a finished one. */
function storeVideo(context: Context, own: Attempt, result: VideoResult): Promise<void> {
  const isFurther = own.held.format !== null;
  return storeResults(context, async (results) => {
    await addFile(results, result.file, own.held.format ?? result.file.format);
    if (!isFurther) await results.add({ role: 'cover' }, result.cover, 'image/jpeg');
    await complete(context, own, async (tx, media, finishedAt) => {
      if (isFurther) {
        await results.save(tx, media);
        return [];
      }
      const { crop, comfort, depthSource, frames, seconds, notes } = result;
      const video = { frames, seconds, notes, playable: media.video?.playable ?? false };
      return replaceResults(tx, media, results, { finishedAt, crop, comfort, depthSource, video });
    });
  });
}

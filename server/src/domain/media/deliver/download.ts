import { createHash } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ApiError,
  type api,
  type DownloadFormat,
  type FileOptions,
  type Format,
  isSwappable,
  LIMITS,
  MEDIA_STATUS,
  type OutputOf,
} from '@framelift/contract';
import { type DepthSource, EngineError, type PictureResult, type StillOptions } from '@framelift/engine';
import { parseCalibration } from '@framelift/engine/formats';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { mediaFiles } from '../../../platform/db/schema.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { engineTerms } from '../convert/engine-request.ts';
import { lockOwnMedia, type MediaView } from '../media.sql.ts';
import { getOwn, ownFormat, timeLeft } from '../media.ts';
import { findFile, findObject, insertFile, insertObjects, type MediaFileRow } from '../object.sql.ts';
import { openResults, putFiles, type StoredResults } from '../results.ts';
import { isVideo, makeVideoFormat } from './video.ts';

/** When to ask again while nothing is known about the end. */
const RETRY_SECONDS = 2;

interface Downloadable {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly type: string;
}

interface LinkInput extends FileOptions {
  readonly id: string;
  readonly format?: DownloadFormat | undefined;
  readonly zip?: readonly Format[] | undefined;
}

/** A file that is asked for: one format, or several in an archive. */
interface Wanted {
  /** Under which the file is stored: the format, and what makes it another file than the plain one. */
  readonly key: string;
  readonly formats: readonly Format[];
  readonly archive: boolean;
  readonly options: StillOptions;
}

/**
 * A link to a finished media in one format. What was never asked for is made now, from the depth that was stored: the
 * same depth that all its other files show.
 * @throws ApiError see the endpoint
 */
export async function getMediaLink(
  context: Context,
  actor: Actor,
  input: LinkInput,
): Promise<OutputOf<typeof api.getMediaLink>> {
  const view = await getOwn(context.db, actor, input.id);
  if (view.media.status !== MEDIA_STATUS.finished) {
    const retryAfter = timeLeft(view, context.clock.now()) || RETRY_SECONDS;
    throw new ApiError('obj_havent_transformed_completed', [], { retryAfter });
  }
  const format = input.format ?? ownFormat(view);
  const { id, key, name, type } =
    format === 'original' && !input.zip ? await original(context, view) : await file(context, view, format, input);
  const expires = new Date(context.clock.now().getTime() + LIMITS.downloadLinkMinutes * 60_000);
  return [{ id, type, url: await context.storage.presignGet(key, { name, type, expires }) }];
}

async function original({ db }: Context, { media }: MediaView): Promise<Downloadable> {
  const object = media.originalKey && (await findObject(db, media.originalKey));
  if (!object) throw new Error(`The stored media ${media.id} has no original`);
  return { id: media.id, key: object.key, name: media.name, type: object.type };
}

async function file(
  context: Context,
  view: MediaView,
  format: DownloadFormat,
  input: LinkInput,
): Promise<Downloadable> {
  const formats = input.zip ?? [format as Format];
  if (view.media.effect === 0 && formats.some((one) => one !== 'flat')) throw new ApiError('formatNotAvailable');
  const wanted = wantedFile(formats, input);
  const row = (await findFile(context.db, view.media.id, wanted.key)) ?? (await make(context, view, wanted));
  return { id: row.id, key: row.objectKey, name: row.name, type: row.type };
}

function make(context: Context, view: MediaView, wanted: Wanted): Promise<MediaFileRow> {
  const [format] = wanted.formats;
  if (!isVideo(view.media)) return makeOnce(context, view, wanted);
  // Videos have neither options nor archives.
  if (!format || wanted.key !== format) throw new ApiError('formatNotAvailable');
  return makeVideoFormat(context, view, format);
}

/** @throws ApiError `calibrationMissing`, `calibrationInvalid` */
function wantedFile(formats: readonly Format[], input: LinkInput): Wanted {
  const { swapEyes = false, anaglyph = 'dubois' } = input;
  const chosen = [...new Set(formats)].sort();
  const native = chosen.includes('native') ? readCalibration(input.calibration) : null;
  const variant = (format: Format) => {
    const marks = [
      swapEyes && isSwappable(format) && 'swapped',
      format === 'anaglyph' && anaglyph !== 'dubois' && anaglyph,
      format === 'native' && native?.mark,
    ];
    return [format, ...marks.filter(Boolean)].join('~');
  };
  return {
    key: `${input.zip ? 'zip:' : ''}${chosen.map(variant).join('+')}`,
    formats: chosen,
    archive: input.zip !== undefined,
    options: { swapEyes, anaglyph, ...(native && { calibration: native.calibration }) },
  };
}

/** What a display measured of itself, and a mark that is the same for the same display. */
function readCalibration(text: string | undefined) {
  if (text === undefined) throw new ApiError('calibrationMissing');
  try {
    const calibration = parseCalibration(text);
    const mark = createHash('sha256').update(JSON.stringify(calibration)).digest('hex').slice(0, 16);
    return { calibration, mark };
  } catch (error) {
    if (error instanceof EngineError && error.code === 'calibrationInvalid')
      throw new ApiError(error.code, [], { cause: error });
    throw error;
  }
}

/** What is being made now in this process, so that two clicks are one piece of work. */
const making = new Map<string, Promise<MediaFileRow>>();

function makeOnce(context: Context, view: MediaView, wanted: Wanted): Promise<MediaFileRow> {
  const what = `${view.media.id} ${view.media.resultRevision} ${wanted.key}`;
  const running = making.get(what) ?? makeNow(context, view, wanted).finally(() => making.delete(what));
  making.set(what, running);
  return running;
}

async function makeNow(context: Context, view: MediaView, wanted: Wanted): Promise<MediaFileRow> {
  const { media } = view;
  const { db, storage, converter, work } = context;
  const results = openResults(context);
  try {
    const made = await work.use(async (folder) => {
      const input = join(folder, 'original');
      const depth = join(folder, 'depth');
      const outDir = await mkdtemp(join(folder, 'results-'));
      await fetchObject(storage, media.originalKey, input);
      await fetchObject(storage, media.depthKey, depth);
      const result = await converter.convert({
        ...{ ...engineTerms(view), input, outDir },
        depth: { path: depth, source: media.depthSource as DepthSource },
        ...wanted.options,
        formats: wanted.formats,
        archive: wanted.archive,
      });
      return storeFile(context, results, media.id, wanted, result);
    });
    return await db.transaction(async (tx) => {
      const locked = await lockOwnMedia(tx, media.ownerId, media.id);
      if (!locked || locked.status === MEDIA_STATUS.deleted) throw new ApiError('mediaNotFound');
      // Changed meanwhile: this file shows what it was before.
      if (locked.status !== MEDIA_STATUS.finished || locked.resultRevision !== media.resultRevision)
        throw new ApiError('obj_havent_transformed_completed', [], { retryAfter: RETRY_SECONDS });
      // Another process may have been faster; then its file is the one.
      const earlier = await findFile(tx, media.id, wanted.key);
      if (earlier) return earlier;
      await insertObjects(tx, locked.ownerId, results.objects);
      return insertFile(tx, made);
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const code = error.code === 'conversionTimedOut' ? error.code : 'conversionFailed';
    throw new ApiError(code, [], { cause: error });
  } finally {
    await results.tidy();
  }
}

/** Stores the archive, or else the only file, and answers its row. */
async function storeFile(
  context: Context,
  results: StoredResults,
  mediaId: string,
  { key: format }: Wanted,
  { archive, files }: PictureResult,
): Promise<typeof mediaFiles.$inferInsert> {
  if (archive) {
    const { path, name, type, bytes: size } = archive;
    const objectKey = await results.put(path, type);
    const { ids, clock } = context;
    return {
      ...{ id: ids.uuid(), mediaId, createdAt: clock.now() },
      ...{ format, objectKey, name, type, size, width: 0, height: 0 },
    };
  }
  const [made] = await putFiles(context, results, mediaId, files);
  if (!made) throw new Error(`The engine made no ${format}`);
  return { ...made, format };
}

async function fetchObject(storage: Storage, key: string | null, path: string): Promise<void> {
  if (key && (await storage.readTo(key, path))) return;
  throw new Error(`The object ${key} of a finished media is not in the store`);
}

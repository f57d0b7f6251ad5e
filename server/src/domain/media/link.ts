import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, type api, type DownloadFormat, LIMITS, MEDIA_STATUS, type OutputOf } from '@framelift/contract';
import { type DepthSource, EngineError, type Format } from '@framelift/engine';
import type { Context } from '../../context.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Actor } from '../actor.ts';
import { isFilm, makeFilmFormat } from './film.ts';
import { lockOwnMedia, type MediaView } from './media.sql.ts';
import { getOwn, ownFormat, timeLeft } from './media.ts';
import { findFile, findObject, insertFile, insertObjects, type MediaFileRow } from './object.sql.ts';
import { openResults, putFiles } from './results.ts';
import { engineTerms } from './terms.ts';

/** When to ask again while nothing is known about the end. */
const RETRY_SECONDS = 2;

interface Downloadable {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly type: string;
}

/**
 * A link to a finished media in one format. What was never asked for is made now, from the depth that was stored: the
 * same depth that all its other files show.
 * @throws ApiError see the endpoint
 */
export async function getMediaLink(
  context: Context,
  actor: Actor,
  input: { readonly id: string; readonly format?: DownloadFormat | undefined },
): Promise<OutputOf<typeof api.getMediaLink>> {
  const view = await getOwn(context.db, actor, input.id);
  if (view.media.status !== MEDIA_STATUS.finished) {
    const retryAfter = timeLeft(view, context.clock.now()) || RETRY_SECONDS;
    throw new ApiError('obj_havent_transformed_completed', [], { retryAfter });
  }
  const format = input.format ?? ownFormat(view);
  const { id, key, name, type } =
    format === 'original' ? await original(context, view) : await file(context, view, format);
  const expires = new Date(context.clock.now().getTime() + LIMITS.downloadLinkMinutes * 60_000);
  return [{ id, type, url: await context.storage.presignGet(key, { name, type, expires }) }];
}

async function original({ db }: Context, { media }: MediaView): Promise<Downloadable> {
  const object = media.originalKey && (await findObject(db, media.originalKey));
  if (!object) throw new Error(`The stored media ${media.id} has no original`);
  return { id: media.id, key: object.key, name: media.name, type: object.type };
}

async function file(context: Context, view: MediaView, format: Format): Promise<Downloadable> {
  const { id } = view.media;
  if (view.media.effect === 0 && format !== 'flat') throw new ApiError('formatNotAvailable');
  const make = isFilm(view.media) ? makeFilmFormat : makeOnce;
  const row = (await findFile(context.db, id, format)) ?? (await make(context, view, format));
  return { id: row.id, key: row.objectKey, name: row.name, type: row.type };
}

/** What is being made now in this process, so that two clicks are one piece of work. */
const making = new Map<string, Promise<MediaFileRow>>();

function makeOnce(context: Context, view: MediaView, format: Format): Promise<MediaFileRow> {
  const what = `${view.media.id} ${format}`;
  const running = making.get(what) ?? make(context, view, format).finally(() => making.delete(what));
  making.set(what, running);
  return running;
}

async function make(context: Context, view: MediaView, format: Format): Promise<MediaFileRow> {
  const { media } = view;
  const { db, storage, converter, work } = context;
  const results = openResults(context, media.ownerId);
  try {
    const [made] = await work.use(async (folder) => {
      const input = join(folder, 'original');
      const depth = join(folder, 'depth');
      const outDir = await mkdtemp(join(folder, 'results-'));
      await fetchObject(storage, media.originalKey, input);
      await fetchObject(storage, media.depthKey, depth);
      const { files } = await converter.run({
        ...{ ...engineTerms(view), input, outDir },
        depth: { path: depth, source: media.depthSource as DepthSource },
        formats: [format],
      });
      return putFiles(context, results, media.id, files);
    });
    if (!made) throw new Error(`The engine made no ${format}`);
    return await db.transaction(async (tx) => {
      const locked = await lockOwnMedia(tx, media.ownerId, media.id);
      if (locked?.status !== MEDIA_STATUS.finished) throw new ApiError('mediaNotFound');
      // Changed meanwhile: this file shows what it was before.
      if (locked.resultRevision !== media.resultRevision) throw new ApiError('obj_havent_transformed_completed');
      // Another process may have been faster; then its file is the one.
      const earlier = await findFile(tx, media.id, format);
      if (earlier) return earlier;
      await insertObjects(tx, results.objects);
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

async function fetchObject(storage: Storage, key: string | null, path: string): Promise<void> {
  if (key && (await storage.readTo(key, path))) return;
  throw new Error(`The object ${key} of a finished media is not in the store`);
}

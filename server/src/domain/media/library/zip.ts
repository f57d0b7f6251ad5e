import { API_BASE, ApiError, api, type ErrorCode, isErrorCode, MEDIA_STATUS, type OutputOf } from '@framelift/contract';
import { safeStem } from '@framelift/engine/formats';
import { errorText } from '@framelift/texts/node';
import { type Actor, signedIn } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { streamZip, type ZipEntry, type ZipStream } from '../../../platform/storage/stream-zip.ts';
import { listFiles } from '../asset.sql.ts';
import { findManyShown, type MediaView } from '../media.sql.ts';
import { ownFormat } from '../media.ts';
import { stemOf } from '../upload/file-rules.ts';

type Zip = OutputOf<typeof api.zipMedia>;

interface StoredFile {
  readonly name: string;
  readonly key: string;
  /** Bytes. */
  readonly size: number;
}

interface Contents {
  readonly files: readonly { readonly view: MediaView; readonly file: StoredFile }[];
  /** Finished, but the file was deleted to save room. */
  readonly toMake: readonly MediaView[];
  readonly leftOut: readonly { readonly view: MediaView; readonly message: string }[];
}

/**
 * Returns a link to an archive of one file of each media, and what it does not contain.
 * @throws ApiError `mediaNotFound` if the caller may not look at one of them
 */
export async function zipMedia(
  context: Context,
  actor: Actor,
  { media_ids }: { readonly media_ids: readonly string[] },
): Promise<Zip> {
  const ids = [...new Set(media_ids)];
  const contents = await contentsOf(context, actor, ids);
  const { stream, size } = zipOf(context, contents, actor);
  try {
    return {
      url: `${API_BASE}${api.mediaZip.path}?${new URLSearchParams({ media_ids: ids.join(',') })}`,
      size: await size,
      files: contents.files.length,
      to_make: contents.toMake.map(({ media }) => media.id),
      left_out: contents.leftOut.map(({ view: { media }, message }) => ({ id: media.id, name: media.name, message })),
    };
  } finally {
    stream.destroy();
  }
}

/** Opens the archive of zipMedia. @throws ApiError `mediaNotFound` if the caller may not look at one of them */
export async function openMediaZip(
  context: Context,
  actor: Actor,
  { media_ids }: { readonly media_ids: readonly string[] },
): Promise<ZipStream & { readonly name: string }> {
  const contents = await contentsOf(context, actor, [...new Set(media_ids)]);
  const name = `framelift-${context.clock.now().toISOString().slice(0, 10)}.zip`;
  return { name, ...zipOf(context, contents, actor) };
}

async function contentsOf(context: Context, actor: Actor, ids: readonly string[]): Promise<Contents> {
  const views = await findManyShown(context.db, signedIn(actor).userId, ids, context.clock.now());
  if (views.length < ids.length) throw new ApiError('mediaNotFound');
  const stored = new Map(
    (
      await listFiles(
        context.db,
        views.map(({ media }) => media.id),
        [...new Set(views.map(ownFormat))],
      )
    ).map(({ mediaId, variant, name, object: { key, size } }) => [`${mediaId} ${variant}`, { name, key, size }]),
  );
  const files: Contents['files'][number][] = [];
  const toMake: MediaView[] = [];
  const leftOut: Contents['leftOut'][number][] = [];
  for (const view of views) {
    const { media } = view;
    if (media.status !== MEDIA_STATUS.finished) {
      leftOut.push({ view, message: errorText(reasonOf(view), actor.language) });
      continue;
    }
    const file = stored.get(`${media.id} ${ownFormat(view)}`);
    if (file) files.push({ view, file });
    else toMake.push(view);
  }
  return { files, toMake, leftOut };
}

function reasonOf({ media: { status, failureCode } }: MediaView): ErrorCode {
  if (status === MEDIA_STATUS.processing) return 'obj_havent_transformed_completed';
  return failureCode && isErrorCode(failureCode) ? failureCode : 'conversionFailed';
}

/** What is missing is named in a text file, in the language of the caller. */
function zipOf(context: Context, { files, toMake, leftOut }: Contents, actor: Actor): ZipStream {
  const taken = new Set<string>();
  const entries: ZipEntry[] = files.map(({ view: { media }, file: { name, key, size } }) => ({
    path: unique(name, safeStem(stemOf(media.name)), taken),
    date: media.createdAt,
    key,
    size,
  }));
  const missing = [
    ...leftOut.map(({ view, message }) => `${view.media.name}: ${message}`),
    ...toMake.map(({ media }) => `${media.name}: ${errorText('formatBeingMade', actor.language)}`),
  ];
  if (missing.length > 0)
    entries.push({ path: 'not-included.txt', date: context.clock.now(), text: `${missing.join('\r\n')}\r\n` });
  return streamZip(context.storage, entries);
}

/**
 * Returns the name of a file with a number after its stem if another file of the archive has it. What follows the stem
 * stays at the end: displays read the arrangement of the views from it.
 */
function unique(name: string, stem: string, taken: Set<string>): string {
  const [head, tail] = name.startsWith(stem) ? [stem, name.slice(stem.length)] : ['', name];
  let path = name;
  // File systems that ignore case would overwrite one with the other.
  for (let count = 2; taken.has(path.toLowerCase()); count++) path = `${head} (${count})${tail}`;
  taken.add(path.toLowerCase());
  return path;
}

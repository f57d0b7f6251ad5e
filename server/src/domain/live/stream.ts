import type { Readable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import {
  ApiError,
  type api,
  type InputOf,
  type OutputOf,
  type ParamsOf,
  type SOURCE_TROUBLES,
} from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { SourceError } from '../../platform/sources.ts';
import type { ByteRange } from '../../platform/storage/storage.ts';
import { type Origin, requireCountry } from './access.ts';
import {
  digestOf,
  type LinkClaims,
  type LiveFile,
  playlistPath,
  playlistUrl,
  readLink,
  segmentExpiry,
  segmentPath,
  segmentUrl,
} from './links.ts';
import { type LiveEventRow, listAngles } from './live.sql.ts';
import { loopPlaylist, readRecording } from './loop.ts';
import { readFacts, rewritePlaylist } from './rewrite.ts';
import { getRunningView, requireAdmission } from './sessions.ts';

const STORE = 'store:';
/** The playlist of a recording in our store. */
const INDEX = 'index.m3u8';

/** Types of what players of HLS load, by extension; anything else is bytes, never a page. */
const TYPES: Readonly<Record<string, string>> = {
  ts: 'video/mp2t',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  mp3: 'audio/mpeg',
  vtt: 'text/vtt',
};

/** Bytes of a segment: of a file in our store, or passed on from the broadcaster while they arrive. */
export type OpenSegment = { readonly type: string } & (
  | { readonly from: 'store'; readonly key: string; readonly size: number; read(range?: ByteRange): Promise<Readable> }
  | {
      readonly from: 'source';
      readonly status: 200 | 206;
      readonly size: number | null;
      readonly range: string | null;
      readonly body: Readable;
    }
);

/**
 * Returns the playlist of an angle for the caller's view, with signed links to everything that it names.
 * @throws ApiError of `livePlaylist`
 */
export async function readLivePlaylist(
  context: Context,
  actor: Actor,
  { session, playlist }: ParamsOf<typeof api.livePlaylist>,
  { token }: InputOf<typeof api.livePlaylist>,
  origin: Origin,
): Promise<string> {
  const { event, since, sealed } = await openLink(context, actor, { session, path: playlist, token }, origin);
  await requireAdmission(context, actor, event);
  const angle = playlist.slice(0, -playlistPath('').length);
  const source = await sourceOf(context, event, angle);
  // A variant of a source that an operator has replaced meanwhile.
  if (sealed.source !== null && sealed.source !== digestOf(source)) throw new ApiError('liveLinkExpired');
  const file = (path: string): LiveFile => ({ session, eventId: event.id, path });
  const now = context.clock.now();
  return broadcast(context, async () => {
    if (source.startsWith(STORE)) {
      const stored = await readStored(context, source);
      if (stored === null) throw new Error('There is no recording in this folder');
      const recording = readRecording(stored);
      return loopPlaylist(recording, { now, since }, (name, shownUntil) =>
        segmentUrl(context, file(segmentPath(angle, name)), {
          ...sealed,
          expires: segmentExpiry(new Date(shownUntil)),
          from: null,
        }),
      );
    }
    const { text, url } = await context.sources.readText(sealed.from ?? source);
    const named = { ...sealed, source: digestOf(source) };
    return rewritePlaylist(text, url, (kind, from) => {
      if (kind === 'playlist') return playlistUrl(context, file(playlist), { ...named, from });
      const path = segmentPath(angle, `part.${extensionOf(from)}`);
      return segmentUrl(context, file(path), { ...named, expires: wholeMinute(now), from });
    });
  });
}

/** Opens a segment for the caller's view. @param signal aborted when the caller hangs up @throws ApiError of `liveSegment` */
export async function openLiveSegment(
  context: Context,
  actor: Actor,
  { session, angle, segment }: ParamsOf<typeof api.liveSegment>,
  {
    token,
    range,
    signal,
  }: InputOf<typeof api.liveSegment> & { readonly range: string | undefined; readonly signal: AbortSignal },
  origin: Origin,
): Promise<OpenSegment> {
  const path = segmentPath(angle, segment);
  const { event, sealed } = await openLink(context, actor, { session, path, token }, origin);
  const type = TYPES[segment.slice(segment.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return broadcast(context, async () => {
    if (sealed.from !== null)
      return { type, from: 'source', ...(await context.sources.open(sealed.from, { range, signal })) };
    const source = await sourceOf(context, event, angle);
    if (!source.startsWith(STORE)) throw new ApiError('liveLinkInvalid');
    const key = `${source.slice(STORE.length)}/${segment}`;
    const info = await context.storage.head(key);
    if (!info) throw new ApiError('liveFileNotFound');
    return {
      type,
      from: 'store',
      key,
      size: info.size,
      async read(part) {
        const stream = await context.storage.openRead(key, part);
        if (!stream) throw new ApiError('liveFileNotFound');
        return stream;
      },
    };
  });
}

/** Tries the source of an angle. @throws ApiError `liveSourceRefused` */
export async function checkLiveSource(
  context: Context,
  { source }: InputOf<typeof api.checkLiveSource>,
): Promise<OutputOf<typeof api.checkLiveSource>> {
  const broken = (trouble: (typeof SOURCE_TROUBLES)[number], status: number | null = null) =>
    ({ trouble, status, variants: 0, has_time: false, segment_seconds: 0 }) as const;
  const found = (variants: number, hasTime: boolean, seconds: number) =>
    ({ trouble: null, status: null, variants, has_time: hasTime, segment_seconds: seconds }) as const;
  const isStored = source.startsWith(STORE);
  const stored = isStored ? await readStored(context, source) : null;
  try {
    if (isStored) {
      if (stored === null) return broken('noRecording');
      const { segments } = readRecording(stored);
      return found(1, true, Math.max(...segments.map(({ ms }) => ms)) / 1000);
    }
    const first = await context.sources.readText(source);
    const { variants } = readFacts(first.text, first.url);
    const [variant] = variants;
    const { text, url } = variant === undefined ? first : await context.sources.readText(variant);
    const { hasTime, segmentSeconds } = readFacts(text, url);
    return segmentSeconds > 0 ? found(Math.max(1, variants.length), hasTime, segmentSeconds) : broken('noSegments');
  } catch (error) {
    // Readers of playlists throw nothing else.
    if (!(error instanceof SourceError)) return broken('noPlaylist');
    if (error.trouble === 'private') throw new ApiError('liveSourceRefused');
    if (error.trouble === 'missing') return broken('missing', error.status);
    return broken(error.status === null ? 'unreachable' : 'refused', error.status);
  }
}

/** Checks all that a link binds: the view and its login, the event, the country, and its expiry. */
async function openLink(
  context: Context,
  actor: Actor,
  { session, path, token }: { readonly session: string; readonly path: string; readonly token: string },
  origin: Origin,
): Promise<{ readonly event: LiveEventRow; readonly since: Date; readonly sealed: LinkClaims }> {
  const { event, session: view } = await getRunningView(context, actor, session);
  const sealed = readLink(context, { session, eventId: event.id, path }, token);
  await requireCountry(context, origin);
  if (sealed.country !== origin.country) throw new ApiError('liveLinkInvalid');
  return { event, since: view.createdAt, sealed };
}

/** @throws ApiError `liveFileNotFound` for an angle that the event no longer has */
async function sourceOf({ db }: Context, event: LiveEventRow, angle: string): Promise<string> {
  const found = (await listAngles(db, [event.id])).find(({ id }) => id === angle);
  if (!found) throw new ApiError('liveFileNotFound');
  return found.source;
}

/** Returns the playlist of a recording in our store; null if there is none. */
async function readStored({ storage }: Context, source: string): Promise<string | null> {
  const stream = await storage.openRead(`${source.slice(STORE.length)}/${INDEX}`);
  return stream && readText(stream);
}

/** Runs `read`; what goes wrong at the broadcaster is logged, without its address, and answered as an interruption. */
async function broadcast<T>({ log }: Context, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (error instanceof SourceError && error.trouble === 'missing') throw new ApiError('liveFileNotFound');
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a live source failed');
    // Without its cause, which looks like one of our own services that is down.
    throw new ApiError('liveSourceFailed');
  }
}

/** Links to the segments of a broadcaster stay the same for a minute: players tell segments apart by them. */
const wholeMinute = (now: Date) => segmentExpiry(new Date(Math.ceil(now.getTime() / 60_000) * 60_000));

/** Returns the extension of what a URL leads to, which players look at. */
function extensionOf(url: string): string {
  const [, extension] = /\.([a-z0-9]{2,4})$/i.exec(new URL(url).pathname) ?? [];
  const lower = extension?.toLowerCase() ?? '';
  return Object.hasOwn(TYPES, lower) ? lower : 'bin';
}

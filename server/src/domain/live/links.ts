import { createHash } from 'node:crypto';
import { API_BASE, ApiError, api, fillPath, LIMITS } from '@framelift/contract';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { HOUR_MS } from '../../platform/time.ts';

/**
 * How long a view lasts, with its links to playlists: one that goes on is opened anew. When the event ends is not sealed,
 * because it may be prolonged.
 */
const VIEW_MS = 12 * HOUR_MS;

/** What a link seals. Nobody but this server can read it: the address of the broadcaster stays unknown. */
const claims = z.strictObject({
  /** Milliseconds since 1970. */
  expires: z.number(),
  country: z.string().nullable(),
  /** URL at the broadcaster of what the link leads to; null where the names of the path say it. */
  from: z.string().nullable(),
  /** Digest of the source of the angle whose playlist named it; null for what is in no playlist of a source. */
  source: z.string().nullable(),
});
export type LinkClaims = z.output<typeof claims>;

/** A file of a view. The seal is made for exactly these three, and fits nothing else. */
export interface LiveFile {
  readonly session: string;
  readonly eventId: string;
  /** `<angle>.m3u8`, or an angle and a segment. */
  readonly path: string;
}

export const playlistPath = (angle: string) => `${angle}.m3u8`;
export const segmentPath = (angle: string, segment: string) => `${angle}/${segment}`;

const recordOf = ({ session, eventId, path }: LiveFile) => JSON.stringify([session, eventId, path]);

/** Returns when a view that was started at this time ends, and its links to playlists with it. */
export const viewExpiry = (startedAt: Date): number => startedAt.getTime() + VIEW_MS;

/** Returns when links to segments end that are made now. */
export const segmentExpiry = (now: Date): number => now.getTime() + LIMITS.live.segmentLinkSeconds * 1000;

/** Returns a short digest of the source of an angle, for `LinkClaims`. */
export const digestOf = (source: string): string =>
  createHash('sha256').update(source).digest('base64url').slice(0, 22);

/** Returns the URL of a playlist. */
export function playlistUrl({ liveLinks }: Context, file: LiveFile, sealed: LinkClaims): string {
  const path = fillPath(api.livePlaylist.path, { session: file.session, playlist: file.path });
  return withToken(path, liveLinks.encrypt(JSON.stringify(sealed), recordOf(file)));
}

/** Returns the URL of a segment of an angle. */
export function segmentUrl({ liveLinks }: Context, file: LiveFile, sealed: LinkClaims): string {
  const [angle = '', segment = ''] = file.path.split('/');
  const path = fillPath(api.liveSegment.path, { session: file.session, angle, segment });
  return withToken(path, liveLinks.encrypt(JSON.stringify(sealed), recordOf(file)));
}

const withToken = (path: string, token: string) => `${API_BASE}${path}?token=${token}`;

/** Opens the seal of a link. @throws ApiError `liveLinkInvalid`, `liveLinkExpired` */
export function readLink({ liveLinks, clock }: Context, file: LiveFile, token: string): LinkClaims {
  const sealed = open(() => claims.parse(JSON.parse(liveLinks.decrypt(token, recordOf(file)))));
  if (sealed.expires <= clock.now().getTime()) throw new ApiError('liveLinkExpired');
  return sealed;
}

function open(read: () => LinkClaims): LinkClaims {
  try {
    return read();
  } catch (cause) {
    throw new ApiError('liveLinkInvalid', [], { cause });
  }
}

import { createHash } from 'node:crypto';
import { ApiError, type api, type FramePlaylist, LIMITS, type OutputOf, type PlaylistItem } from '@framelift/contract';
import { gridOf } from '@framelift/engine/formats';
import { type Actor, asFrame } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { HOUR_MS } from '../../platform/time.ts';
import type { Versioned } from '../../platform/versioned.ts';
import { deviceProfile } from '../device-type/device-types.ts';
import { assetUrl } from '../media/deliver/asset-url.ts';
import { isVideo } from '../media/deliver/video.ts';
import type { MediaView } from '../media/media.sql.ts';
import { type FrameRow, findFrameById, findFrameIdentity, findFrameWithOwner } from './frame.sql.ts';
import { type Plan, type PlannedEntry, planFrame, type StoredFile } from './plan.ts';
import { isIncomplete, startPreparation } from './prepare.ts';

type Unsigned = Omit<PlaylistItem, 'files'> & { readonly files: PlannedFiles };
type PlannedFiles = Extract<PlannedEntry['outcome'], { state: 'ready' }>['files'];

/** A playlist without links. */
export interface Playlist extends Omit<FramePlaylist, 'items' | 'expires_at'> {
  readonly items: readonly { readonly item: Unsigned; readonly ownerOf: MediaView['media'] }[];
  readonly plan: Plan;
}

/** @throws ApiError `tokenExpired` if the calling frame was unpaired just now */
export async function getPlaylist(context: Context, actor: Actor): Promise<Versioned<FramePlaylist>> {
  const { playlist, row } = await ownPlaylist(context, actor);
  return {
    version: playlist.version,
    async read() {
      const expires = linksEnd(context);
      const { version, frame, options, calibration, waiting } = playlist;
      const items = await Promise.all(
        playlist.items.map(async ({ item, ownerOf }): Promise<PlaylistItem> => {
          const files: PlaylistItem['files'] = {};
          for (const [role, file] of Object.entries(item.files) as [keyof PlannedFiles, StoredFile][]) {
            const { sha256, size, type, layout } = file;
            files[role] = { sha256, size, type, layout, url: await link(context, row.id, ownerOf.id, file, expires) };
          }
          return { ...item, files };
        }),
      );
      return { version, frame, options, calibration, items, waiting, expires_at: expires.toISOString() };
    },
  };
}

/** @throws ApiError `tokenExpired` if the calling frame was unpaired just now */
export async function getFeed(context: Context, actor: Actor): Promise<Versioned<OutputOf<typeof api.frameFeed>>> {
  const { playlist, row } = await ownPlaylist(context, actor);
  return {
    version: playlist.version,
    async read() {
      const expires = linksEnd(context);
      const items = await Promise.all(
        playlist.items.flatMap(({ item, ownerOf }) => {
          const { main } = item.files;
          return main ? [feedItem(context, row.id, ownerOf.id, item, main, expires)] : [];
        }),
      );
      const { version, options, waiting, frame } = playlist;
      return { version, name: frame.name, options, items, waiting, expires_at: expires.toISOString() };
    },
  };
}

async function feedItem(
  context: Context,
  frameId: string,
  mediaId: string,
  item: Unsigned,
  main: StoredFile,
  expires: Date,
) {
  const { id, name, sender, kind, seconds, fit, quilt } = item;
  const { type, size, sha256, layout } = main;
  const url = context.settings.publicUrl + (await link(context, frameId, mediaId, main, expires));
  return { id, title: name, sender, kind, seconds, fit, url, type, size, sha256, layout, quilt };
}

async function ownPlaylist(context: Context, actor: Actor): Promise<{ playlist: Playlist; row: FrameRow }> {
  const row = await findFrameById(context.db, asFrame(actor).id);
  if (!row) throw new ApiError('tokenExpired');
  const playlist = await readPlaylist(context, row);
  // What nobody makes yet: a change of an album, or a file that was deleted to make room.
  if (isIncomplete(playlist.plan)) await startPreparation(context, row.id);
  return { playlist, row };
}

/** What a stream of events tells, and does, about a frame. */
interface FrameState {
  /** Version of what it plays; null if it was unpaired, or if its owner is restricted. */
  readonly version: string | null;
  readonly isUnpaired: boolean;
  /** Whether something is missing that nobody makes. */
  readonly isIncomplete: boolean;
}

export async function frameState(context: Context, id: string): Promise<FrameState> {
  const { db, clock } = context;
  const found = await findFrameWithOwner(db, id);
  if (!found || (found.owner.deletionAt && found.owner.deletionAt <= clock.now()))
    return { version: null, isUnpaired: true, isIncomplete: false };
  if (found.owner.restrictedAt) return { version: null, isUnpaired: false, isIncomplete: false };
  const { version, plan } = await readPlaylist(context, found.frame);
  return { version, isUnpaired: false, isIncomplete: isIncomplete(plan) };
}

/** Returns what a frame plays now. @throws ApiError `tokenExpired` if it was unpaired just now */
export async function readPlaylist({ db, clock }: Context, row: FrameRow): Promise<Playlist> {
  const identity = await findFrameIdentity(db, row.id);
  if (!identity) throw new ApiError('tokenExpired');
  const plan = await planFrame(db, row, clock.now());
  const items = plan.entries.flatMap((entry) => {
    const { outcome } = entry;
    return outcome.state === 'ready' ? [{ item: toItem(entry, outcome), ownerOf: outcome.view.media }] : [];
  });
  const content = {
    frame: identity,
    options: plan.options,
    calibration: row.calibration,
    waiting: plan.entries.filter(({ outcome }) => outcome.state === 'waiting').length,
  };
  const canonical = JSON.stringify([content, items.map(({ item }) => item)]);
  return { ...content, items, plan, version: createHash('sha256').update(canonical).digest('hex') };
}

function toItem(
  { entry, media: own }: PlannedEntry,
  { view, files }: { view: MediaView; files: PlannedFiles },
): Unsigned {
  const { media, device } = view;
  const { item } = entry;
  const quilt = files.main?.layout === 'quilt' ? gridOf(deviceProfile(device)) : null;
  return {
    id: item.albumId === null ? item.id : `${item.id}:${entry.mediaId}`,
    mediaId: entry.mediaId,
    name: own.media.name,
    sender: item.friendshipId === null ? null : entry.addedBy,
    kind: isVideo(media) ? 'video' : 'picture',
    width: media.crop?.width ?? media.sourceWidth ?? 1,
    height: media.crop?.height ?? media.sourceHeight ?? 1,
    seconds: media.video?.seconds ?? null,
    fit: item.fit,
    effect: media.effect,
    convergence: media.convergence,
    budget: device.disparityBudget,
    quilt: quilt && { columns: quilt.columns, rows: quilt.rows, aspect: quilt.aspect },
    files,
  };
}

const linksEnd = ({ clock }: Context) => new Date(clock.now().getTime() + LIMITS.frames.linkHours * HOUR_MS);

/** Returns a link to the cover of a picture: a friend's can be seen by the owner of the frame while it is there. */
export async function coverFor(
  context: Context,
  frame: Pick<FrameRow, 'id' | 'ownerId'>,
  { media: { media, keys } }: PlannedEntry,
): Promise<string | null> {
  const { cover: key } = keys;
  if (!key || media.ownerId === frame.ownerId) return assetUrl(media.id, 'cover', key);
  return link(context, frame.id, media.id, { key, name: media.name, type: 'image/jpeg' }, linksEnd(context));
}

/** Returns a link that ends with the item: the server checks at each use that the frame still plays the media. */
function link(
  { storage }: Context,
  frameId: string,
  mediaId: string,
  { key, name, type }: Pick<StoredFile, 'key' | 'name' | 'type'>,
  expires: Date,
): Promise<string> {
  return storage.presignGet(key, { mediaId, name, type, expires, inline: true, frameId });
}

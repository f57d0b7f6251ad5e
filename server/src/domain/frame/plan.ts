import {
  type ErrorCode,
  type Format,
  type FrameFile,
  type FrameOptions,
  isErrorCode,
  LIMITS,
  MEDIA_STATUS,
  type VideoFormat,
} from '@framelift/contract';
import type { Queries } from '../../platform/db/open.ts';
import type { DeviceTypeRow } from '../device-type/device-type.sql.ts';
import { findDeviceTypeRow } from '../device-type/device-type.sql.ts';
import { deviceProfile } from '../device-type/device-types.ts';
import { listFiles, listObjects } from '../media/asset.sql.ts';
import { type ConversionRow, newestFormatsOf } from '../media/convert/conversion.sql.ts';
import { PANEL_VARIANTS, type PanelVariant, panelVariant } from '../media/deliver/panel-picture.ts';
import { isVideo } from '../media/deliver/video.ts';
import { copyCrop, copyKey } from '../media/lifecycle/copies.ts';
import { listCopies, listMediaByIds, type MediaView } from '../media/media.sql.ts';
import type { FrameRow } from './frame.sql.ts';
import { type Entry, listEntries, listFrameFiles } from './item.sql.ts';
import { optionsOf } from './options.ts';

/** A stored file that a frame plays. */
export interface StoredFile extends Omit<FrameFile, 'url'> {
  readonly key: string;
  readonly name: string;
}

const LAYERS = ['colour', 'depth', 'background', 'backgroundDepth'] as const;
type Role = 'main' | (typeof LAYERS)[number];

/** Something that has to be made before an entry can play. */
export type Need =
  | { readonly kind: 'copy'; readonly mediaId: string; readonly device: DeviceTypeRow }
  | { readonly kind: 'file'; readonly media: MediaView['media']; readonly variant: Format | PanelVariant }
  | { readonly kind: 'video'; readonly media: MediaView['media']; readonly format: VideoFormat };

export type EntryState =
  | {
      readonly state: 'ready';
      readonly view: MediaView;
      readonly files: Partial<Record<Role, StoredFile>>;
      /** A sharper file to play instead, unless there is one or it is being made. */
      readonly need: Need | null;
    }
  /** `need` is null while it is being made. */
  | { readonly state: 'waiting'; readonly need: Need | null }
  | { readonly state: 'failed'; readonly code: ErrorCode; readonly need: Need | null };

/** One picture or video of a frame. */
export interface PlannedEntry {
  readonly entry: Entry;
  /** The media itself, not its copy. */
  readonly media: MediaView;
  readonly outcome: EntryState;
}

export interface Plan {
  readonly options: FrameOptions;
  readonly entries: readonly PlannedEntry[];
}

/** Arrangements of a stereo pair in a video, the best first; `hsbs` is made if there is none. */
const PAIRS = ['sbs', '2x1', 'hsbs'] as const satisfies readonly VideoFormat[];
const VARIANTS: readonly (Format | PanelVariant)[] = ['flat', 'quilt', ...PAIRS, ...PANEL_VARIANTS];
const LAYOUT: Partial<Record<Format, FrameFile['layout']>> = {
  flat: 'whole',
  quilt: 'quilt',
  sbs: 'sideBySide',
  '2x1': 'sideBySide',
  hsbs: 'halfSideBySide',
};

/** Returns everything that a frame plays at this time with its files, and what is missing. */
export async function planFrame(db: Queries, frame: FrameRow, now: Date): Promise<Plan> {
  const options = optionsOf(frame);
  const entries = await listEntries(db, frame.id, now);
  const ids = [...new Set(entries.map(({ mediaId }) => mediaId))];
  if (ids.length === 0) return { options, entries: [] };
  const device = frame.deviceTypeId === null ? undefined : await findDeviceTypeRow(db, frame.deviceTypeId);
  const views = new Map((await listMediaByIds(db, ids)).map((view) => [view.media.id, view]));
  const copies = device ? await listCopies(db, ids, device.id) : [];
  const known = await readFiles(db, [...views.values(), ...copies]);
  const copyOf = new Map(copies.map((view) => [view.media.copyOf, view]));

  /** The outcome of a media is the same in every album. */
  const outcomes = new Map<string, EntryState>();
  for (const [id, view] of views) outcomes.set(id, outcomeOf(view, copyOf.get(id), device, { frame, options, known }));
  return {
    options,
    entries: entries.flatMap((entry) => {
      const [media, outcome] = [views.get(entry.mediaId), outcomes.get(entry.mediaId)];
      return media && outcome ? [{ entry, media, outcome }] : [];
    }),
  };
}

function outcomeOf(
  view: MediaView,
  copy: MediaView | undefined,
  device: DeviceTypeRow | undefined,
  showing: Showing,
): EntryState {
  if (!device || suits(view, device, showing.options) || !copyCrop(view.media, device)) return ofMedia(view, showing);
  if (view.media.status !== MEDIA_STATUS.finished) return unfinished(view);
  const need: Need = { kind: 'copy', mediaId: view.media.id, device };
  if (copy?.media.copyKey !== copyKey(view.media, device)) return { state: 'waiting', need };
  const outcome = ofMedia(copy, showing);
  return outcome.state === 'failed' && !outcome.need ? { ...outcome, need } : outcome;
}

/**
 * Returns whether a frame can play a media as it was converted. Depth for another display can be too strong for the eyes:
 * a light field has several times the disparity of a television.
 */
function suits({ device }: MediaView, frame: DeviceTypeRow, { mode }: FrameOptions): boolean {
  if (device.id === frame.id) return true;
  if (device.ratio !== frame.ratio) return false;
  return mode === 'flat' || mode === 'parallax' || device.disparityBudget === frame.disparityBudget;
}

function unfinished({ media: { status, failureCode: code } }: MediaView): EntryState {
  if (status === MEDIA_STATUS.processing) return { state: 'waiting', need: null };
  return { state: 'failed', code: code && isErrorCode(code) ? code : 'conversionFailed', need: null };
}

function ofMedia(view: MediaView, showing: Showing): EntryState {
  const { media } = view;
  const { options, known } = showing;
  if (media.status !== MEDIA_STATUS.finished) return unfinished(view);
  const format = formatFor(view, options, known);
  const panel = panelPictureFor(view, format, showing);
  const sharp = panel && known.files.get(`${media.id} ${panel}`);
  const main = (format === 'flat' && sharp) || known.files.get(`${media.id} ${format}`);
  if (main) {
    const layers = layersFor(view, options, known);
    const files = { main, ...layers, ...(layers.colour && sharp && { colour: sharp }) };
    const isMissing = panel && !sharp && !known.making.has(`${media.id} ${panel}`);
    return { state: 'ready', view, files, need: isMissing ? { kind: 'file', media, variant: panel } : null };
  }
  const isPanelFailed = typeof known.making.get(`${media.id} ${panel}`) === 'object';
  const variant = (format === 'flat' && !isPanelFailed && panel) || format;
  const need: Need = isVideo(media)
    ? { kind: 'video', media, format: format as VideoFormat }
    : { kind: 'file', media, variant };
  const making = known.making.get(`${media.id} ${variant}`);
  if (!making) return { state: 'waiting', need };
  return making === 'now' ? { state: 'waiting', need: null } : { state: 'failed', code: making.failed, need };
}

/**
 * Returns the variant of a picture in the size of the panel, where that is sharper: the file `flat` has the pixels of the
 * device type, and the layers have `LIMITS.previewPx`. Tiles of a quilt have fewer pixels than the layers.
 */
function panelPictureFor(
  { media, device }: MediaView,
  format: Format,
  { frame, options }: Showing,
): PanelVariant | null {
  const isDrawn = drawsDepth(media, options);
  if (isVideo(media) || format === 'quilt' || (format !== 'flat' && !isDrawn)) return null;
  const { resolution } = deviceProfile(device);
  const longer = (width: number | null, height: number | null) => Math.max(width ?? 0, height ?? 0);
  return panelVariant({
    panel: longer(frame.screenWidth, frame.screenHeight),
    crop: longer(media.crop?.width ?? media.sourceWidth, media.crop?.height ?? media.sourceHeight),
    there: isDrawn ? LIMITS.previewPx : longer(resolution.width, resolution.height),
  });
}

function formatFor({ media }: MediaView, { mode }: FrameOptions, known: Known): Format {
  if (media.effect === 0 || mode === 'flat' || mode === 'parallax') return 'flat';
  if (mode === 'quilt' || mode === 'native') return 'quilt';
  if (!isVideo(media)) return 'sbs';
  return PAIRS.find((format) => known.files.has(`${media.id} ${format}`)) ?? 'hsbs';
}

/** Returns whether the frame draws a picture from its layers: the mode or the strength has no file of its own. */
function drawsDepth(media: MediaView['media'], { mode, strength }: FrameOptions): boolean {
  return media.effect > 0 && !isVideo(media) && (mode === 'parallax' || (mode !== 'flat' && strength !== 1));
}

function layersFor({ media, keys }: MediaView, options: FrameOptions, known: Known) {
  const layers: Partial<Record<Role, StoredFile>> = {};
  if (!drawsDepth(media, options)) return layers;
  for (const role of LAYERS) {
    const object = known.objects.get(keys[role] ?? '');
    if (object) layers[role] = { ...object, name: media.name };
  }
  return layers;
}

/** How a frame shows its entries, and what there is of them. */
interface Showing {
  readonly frame: Pick<FrameRow, 'screenWidth' | 'screenHeight'>;
  readonly options: FrameOptions;
  readonly known: Known;
}

/** Files by media and variant, and what is being made. */
interface Known {
  readonly files: ReadonlyMap<string, StoredFile>;
  readonly objects: ReadonlyMap<string, Omit<StoredFile, 'name'>>;
  readonly making: ReadonlyMap<string, 'now' | { readonly failed: ErrorCode }>;
}

async function readFiles(db: Queries, views: readonly MediaView[]): Promise<Known> {
  const ids = views.map(({ media }) => media.id);
  const keys = views.flatMap((view) => LAYERS.flatMap((role) => view.keys[role] ?? []));
  const files = new Map(
    (await listFiles(db, ids, VARIANTS)).map(({ mediaId, variant, name, object }) => {
      const { key, sha256, size, type } = object;
      const layout = LAYOUT[variant as Format] ?? 'whole';
      return [`${mediaId} ${variant}`, { key, sha256, size, type, layout, name }] as const;
    }),
  );
  const objects = new Map(
    (keys.length === 0 ? [] : await listObjects(db, keys)).map(
      ({ key, sha256, size, type }) => [key, { key, sha256, size, type, layout: 'whole' }] as const,
    ),
  );
  const making = new Map<string, 'now' | { readonly failed: ErrorCode }>();
  const failed = (code: string | null) => ({
    failed: code && isErrorCode(code) ? code : ('conversionFailed' as const),
  });
  const current = new Map(views.map(({ media }) => [media.id, media]));
  for (const { mediaId, variant, failureCode, createdAt } of await listFrameFiles(db, ids)) {
    // What failed before the current result says nothing about it.
    const isPast = failureCode !== null && createdAt < (current.get(mediaId)?.finishedAt ?? createdAt);
    if (!isPast) making.set(`${mediaId} ${variant}`, failureCode === null ? 'now' : failed(failureCode));
  }
  for (const row of await newestFormatsOf(db, ids)) {
    // A format of an earlier revision was cancelled or replaced by the edit: it is made again.
    const what = row.revision === current.get(row.mediaId)?.revision ? stateOf(row) : null;
    if (what) making.set(`${row.mediaId} ${row.format}`, what === 'now' ? 'now' : failed(row.failureCode));
  }
  return { files, objects, making };
}

/** Returns null for a format that was made: without its file it is made again. */
function stateOf({ state }: ConversionRow): 'now' | 'failed' | null {
  if (state === 'done') return null;
  return state === 'waiting' || state === 'running' ? 'now' : 'failed';
}

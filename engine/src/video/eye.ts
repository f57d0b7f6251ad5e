import { open } from 'node:fs/promises';
import type { PairLayout } from '@framelift/contract/formats';
import { isSqueezed, isSqueezedAcross, isSqueezedDown } from '../formats/pair-halves.ts';
import { pairOfName } from '../formats/pair-name.ts';
import { layoutOf, type Packing, packingOf } from '../formats/pair-places.ts';
import type { Rect, Size } from '../types.ts';
import { type Rotation, storedLayout } from './rotation.ts';

/** Where the left eye is in the frames of a video that is 3D already. */
export interface Eye {
  /** In the last two, each eye has frames of its own: in views of the same time (MV-HEVC), or one after the other. */
  readonly packing: 'sideBySide' | 'topBottom' | 'rows' | 'columns' | 'checkerboard' | 'views' | 'turns';
  /** Whether the left eye is the second one: right, bottom, odd rows or columns, not the base view, or later. */
  readonly second: boolean;
  /** Whether each eye has half of its pixels in one direction, so that the eye has the shape of the whole frame. */
  readonly squeezed: boolean;
}

/** Eyes that nothing but the pictures themselves tells, in upright frames. */
export interface EyeDoubt {
  readonly packing: Packing;
  /** Whether only the order of the eyes is open; otherwise only the likeness of the halves speaks for a pair. */
  readonly isPair: boolean;
}

/** Values of FFmpeg's `AVStereo3DType`. */
const SIDE_BY_SIDE = 1;
const TOP_BOTTOM = 2;
const FRAME_SEQUENCE = 3;
const CHECKERBOARD = 4;
const QUINCUNX = 5;
const ROWS = 6;
const COLUMNS = 7;
const UNSPECIFIED = 8;
/** Values of `AVStereo3DView` and of the eye to show where only one can be. */
const PACKED = 0;
const LEFT = 1;
const RIGHT = 2;
const INVERTED = 1;

/** What side data says about 3D. */
export interface Stereo {
  /** Null if the second one cannot be decoded (MVC, MV-HEVC without its parameters): the decoder gives one. */
  readonly eye: Eye | null;
}

/**
 * Parses FFmpeg's `AVStereo3D` (four native integers: type, flags, view, primary eye), made from Matroska's StereoMode,
 * from the boxes `st3d` and `vexu` of MP4, and from the frame packing of H.264 and HEVC. Null for a flat video.
 *
 * @param aspect width divided by height of a whole frame as it is shown
 * @param boxed see `stereoBox`
 * @param hevc whether the codec is HEVC, which layers eyes without naming it
 */
export function stereoOf(data: Buffer | null, aspect: number, boxed: number | null, hevc: boolean): Stereo | null {
  if (!data || data.length < 12) return null;
  const type = data.readInt32LE(0) === UNSPECIFIED ? (boxed ?? UNSPECIFIED) : data.readInt32LE(0);
  const second = (data.readInt32LE(4) & INVERTED) !== 0;
  const eye = (packing: Eye['packing'], squeezed: boolean) => ({ eye: { packing, second, squeezed } });
  switch (type) {
    case SIDE_BY_SIDE:
    case QUINCUNX:
      return eye('sideBySide', isSqueezedAcross(aspect));
    case TOP_BOTTOM:
      return eye('topBottom', isSqueezedDown(aspect));
    case ROWS:
      return eye('rows', true);
    case COLUMNS:
      return eye('columns', true);
    case CHECKERBOARD:
      return eye('checkerboard', false);
    case FRAME_SEQUENCE:
      return eye('turns', false);
    case UNSPECIFIED:
      return hevc && data.readInt32LE(8) === PACKED ? { eye: null } : null;
    default:
      return null;
  }
}

/** Returns the eye that a frame says it is for, if eyes have frames of their own; an inverted order is not applied. */
export function viewOfFrame(data: Buffer | null): 'left' | 'right' | null {
  if (data === null || data.length < 12 || data.readInt32LE(0) !== FRAME_SEQUENCE) return null;
  const view = data.readInt32LE(8);
  return view === LEFT ? 'left' : view === RIGHT ? 'right' : null;
}

/**
 * Returns whether the base view is the right eye by the boxes `stri` and `hero` of an MP4: the order of the eyes is
 * reversed, or the right one is the one to show where only one can be. Null if there are no such boxes.
 */
export function baseIsRight(data: Buffer | null): boolean | null {
  if (!data || data.length < 16) return null;
  return (data.readInt32LE(4) & INVERTED) !== 0 || data.readInt32LE(12) === RIGHT;
}

/** Returns whether each eye has frames of its own. */
export function areApart({ packing }: Eye): boolean {
  return packing === 'views' || packing === 'turns';
}

/** Largest index of an MP4 that is searched. */
const INDEX_BYTES = 64_000_000;

/**
 * Returns the packing that the boxes `st3d` or `pkin` of an MP4 state, as an `AVStereo3DType`; null if there is none.
 * FFmpeg forgets it if a `vexu` box follows, as its own files have.
 */
export async function stereoBox(path: string): Promise<number | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(16);
    for (let at = 0; at + 8 < size; ) {
      await file.read(head, 0, 16, at);
      const [short, kind] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)];
      const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short === 0 ? size - at : short;
      if (length < 8) return null;
      if (kind === 'moov') {
        const { buffer } = await file.read(Buffer.alloc(Math.min(length, INDEX_BYTES)), { position: at });
        const st3d = buffer.indexOf('st3d');
        if (st3d > 0 && st3d + 9 <= buffer.length)
          return [null, TOP_BOTTOM, SIDE_BY_SIDE][buffer[st3d + 8] as number] ?? null;
        const pkin = buffer.indexOf('pkin');
        const packing = pkin > 0 ? buffer.toString('latin1', pkin + 8, pkin + 12) : '';
        return packing === 'side' ? SIDE_BY_SIDE : packing === 'over' ? TOP_BOTTOM : null;
      }
      at += length;
    }
    return null;
  } finally {
    await file.close();
  }
}

/**
 * Returns the eye of a layout that the member chose; whether it is squeezed is said by the tags, by the name, or by the
 * shape. Where each eye has frames of its own, a layout says only which eye comes first.
 *
 * @param aspect of a whole upright frame
 * @param told the eye in stored frames by their tags
 */
export function chosenEye(layout: PairLayout, turn: Rotation, aspect: number, name: string, told: Eye | null): Eye {
  const packing = packingOf(layout);
  const second = layout !== layoutOf(packing, false);
  if (told && areApart(told)) return { ...told, second };
  const named = pairOfName(name);
  const squeezed = (named?.packing === packing ? named.squeezed : null) ?? isSqueezed(packing, aspect);
  const chosen = storedEye({ packing, second, squeezed }, turn);
  return told?.packing === chosen.packing ? { ...told, second: chosen.second } : chosen;
}

/** Returns an eye in upright frames as it is stored. */
export function storedEye(upright: { packing: Packing; second: boolean; squeezed: boolean }, turn: Rotation): Eye {
  const layout = storedLayout(layoutOf(upright.packing, upright.second), turn);
  const packing = packingOf(layout);
  return { packing, second: layout !== layoutOf(packing, false), squeezed: upright.squeezed };
}

/** Returns the other eye of the same frames. */
export function otherEye(eye: Eye): Eye {
  return { ...eye, second: !eye.second };
}

/** Returns the filters that leave the left eye of a frame. */
export function eyeFilters({ packing, second }: Eye): string[] {
  const rows = `field=type=${second ? 'bottom' : 'top'}`;
  const columns = ['transpose=clock', rows, 'transpose=cclock'];
  switch (packing) {
    case 'sideBySide':
      return [`crop=iw/2:ih:${second ? 'iw/2' : '0'}:0`];
    case 'topBottom':
      return [`crop=iw:ih/2:0:${second ? 'ih/2' : '0'}`];
    case 'rows':
      return [rows];
    case 'columns':
      return columns;
    case 'checkerboard':
      return ['field=type=top', ...columns];
    case 'views':
    case 'turns':
      return [];
  }
}

/** Returns the size of the left eye in stored pixels. */
export function eyeSize({ packing }: Eye, { width, height }: Size): Size {
  const across = packing === 'sideBySide' || packing === 'columns' || packing === 'checkerboard';
  const down = packing === 'topBottom' || packing === 'rows' || packing === 'checkerboard';
  return { width: across ? width >> 1 : width, height: down ? height >> 1 : height };
}

/** Returns the factors by which a squeezed eye is stretched. */
export function eyeStretch({ packing, squeezed }: Eye): readonly [across: number, down: number] {
  if (!squeezed) return [1, 1];
  return packing === 'sideBySide' || packing === 'columns' ? [2, 1] : [1, 2];
}

/** Parses the crop of a container (PixelCrop of Matroska, `clap` of MOV): top, bottom, left and right in pixels. */
export function containerCrop(data: Buffer | null, { width, height }: Size): Rect | null {
  if (!data || data.length < 16) return null;
  const [top, bottom, left, right] = [0, 4, 8, 12].map((at) => data.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const crop = { x: left, y: top, width: width - left - right, height: height - top - bottom };
  const changes = crop.width !== width || crop.height !== height;
  return changes && crop.width > 0 && crop.height > 0 ? crop : null;
}

/** Returns how the frames of an untagged video may hold two whole eyes, by their shape: 32:9 and 8:3, or 8:9 and 2:3. */
export function possiblePacking(aspect: number): 'sideBySide' | 'topBottom' | null {
  if (aspect > 2.6) return 'sideBySide';
  return (aspect > 0.86 && aspect < 0.92) || (aspect > 0.64 && aspect < 0.69) ? 'topBottom' : null;
}

import { open } from 'node:fs/promises';
import type { PairLayout } from '@framelift/contract/formats';
import { isSqueezed, isSqueezedAcross, isSqueezedDown } from '../formats/pair-halves.ts';
import { pairOfName } from '../formats/pair-name.ts';
import { layoutOf, type Packing, packingOf } from '../formats/pair-places.ts';
import type { Rect, Size } from '../types.ts';

/** Where the left eye is in the frames of a video that is 3D already. */
export interface Eye {
  readonly packing: 'sideBySide' | 'topBottom' | 'rows' | 'columns' | 'checkerboard';
  /** Whether the left eye is the second one: right, bottom, odd rows or columns. */
  readonly second: boolean;
  /** Whether each eye has half of its pixels in one direction, so that the eye has the shape of the whole frame. */
  readonly squeezed: boolean;
}

/** Eyes that nothing but the pictures themselves tells. */
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
/** Value of `AVStereo3DView`: both eyes. */
const PACKED = 0;
const RIGHT = 2;
const INVERTED = 1;

/** What side data says about 3D. */
export interface Stereo {
  readonly eye: Eye | null;
  /** The two eyes are layers, of which the decoder gives one (MV-HEVC, MVC), or they take turns. */
  readonly layered: boolean;
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
  const eye = (packing: Eye['packing'], squeezed: boolean) => ({ eye: { packing, second, squeezed }, layered: false });
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
      return { eye: null, layered: true };
    case UNSPECIFIED:
      return hevc && data.readInt32LE(8) === PACKED ? { eye: null, layered: true } : null;
    default:
      return null;
  }
}

/** Returns whether a frame is one for the right eye, in a video whose eyes take turns. */
export function isRightEye(data: Buffer | null): boolean {
  return data !== null && data.length >= 12 && data.readInt32LE(0) === FRAME_SEQUENCE && data.readInt32LE(8) === RIGHT;
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
 * shape.
 */
export function chosenEye(layout: PairLayout, aspect: number, name: string, told: Eye | null): Eye {
  const packing = packingOf(layout);
  const second = layout !== layoutOf(packing, false);
  if (told?.packing === packing) return { ...told, second };
  const named = pairOfName(name);
  const squeezed = (named?.packing === packing ? named.squeezed : null) ?? isSqueezed(packing, aspect);
  return { packing, second, squeezed };
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

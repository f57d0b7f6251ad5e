import { open } from 'node:fs/promises';
import type { Rect, Size } from '../types.ts';

/** Where the left eye is in the frames of a video that is 3D already. */
export interface Eye {
  readonly packing: 'sideBySide' | 'topBottom' | 'rows' | 'columns' | 'checkerboard';
  /** Whether the left eye is the second one: right, bottom, odd rows or columns. */
  readonly second: boolean;
  /** Whether each eye has half of its pixels in one direction, so that the eye has the shape of the whole frame. */
  readonly squeezed: boolean;
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

/** Shapes of screens and cinema, in which pairs are squeezed: 4:3, 16:9 and 2.2 … 2.5. Other pairs are whole. */
function isSqueezedAcross(aspect: number): boolean {
  return (aspect > 1.25 && aspect < 1.42) || (aspect > 1.6 && aspect < 1.9) || (aspect > 2.2 && aspect < 2.5);
}

/** As above; 9:16 is a squeezed pair of portrait videos. */
function isSqueezedDown(aspect: number): boolean {
  return aspect > 1.25 || (aspect > 0.55 && aspect < 0.58);
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

interface NamedPacking {
  readonly packing: 'sideBySide' | 'topBottom';
  readonly second: boolean;
}

/** What file names say: the usual abbreviations between other words. A pair of whole eyes has its own names. */
const NAMED: readonly (readonly [RegExp, NamedPacking])[] = [
  [/^(h-?sbs|half-?sbs|sbs|full-?sbs|3dh|lr|lrf|lrq|2x1)$/, { packing: 'sideBySide', second: false }],
  [/^(rl|rlf|rlq|cross)$/, { packing: 'sideBySide', second: true }],
  [/^(h-?ou|half-?ou|ou|h-?tab|half-?tab|tab|tb|tbf|tbq|3dv|fulltb)$/, { packing: 'topBottom', second: false }],
  [/^(bt|btf)$/, { packing: 'topBottom', second: true }],
];

/** Returns how a video is packed by its name, e.g. `Film.3D.HSBS.mkv`; null if it does not say. */
export function packingOfName(name: string): NamedPacking | null {
  const joined = name.toLowerCase().replace(/\b(h|half|full)[ ._-]+(sbs|ou|tab)\b/g, '$1$2');
  for (const word of joined.split(/[ ._()[\]-]+/).reverse())
    for (const [pattern, packing] of NAMED) if (pattern.test(word)) return packing;
  return null;
}

/** Returns whether a pair of this packing is squeezed, by the shape of a whole frame. */
export function isSqueezed(packing: Eye['packing'], aspect: number): boolean {
  return packing === 'topBottom' ? isSqueezedDown(aspect) : isSqueezedAcross(aspect);
}

/** Columns and rows of half a frame in which its two halves are compared, and of the blocks compared one by one. */
const COMPARED: Size = { width: 96, height: 54 };
const BLOCK: Size = { width: 16, height: 9 };
/** Largest shift between two eyes, in compared columns. */
const LARGEST_SHIFT = 16;
/** Least likeness of two eyes, by how much it must exceed that of other rows of them, and least contrast to tell. */
const ALIKE = { untold: 0.7, named: 0.5 };
const MORE_ALIKE = { untold: 0.2, named: 0.1 };
const CONTRAST = 6;

/** Size to which a frame is scaled before its halves are compared. */
export function comparedSize(packing: 'sideBySide' | 'topBottom'): Size {
  const { width, height } = COMPARED;
  return packing === 'sideBySide' ? { width: 2 * width, height } : { width, height: 2 * height };
}

/**
 * Returns whether the halves of a grey frame of `comparedSize` show the same scene, with shifts along the rows; null if
 * the frame has too little contrast to tell. A pattern that repeats itself is not taken for a pair.
 *
 * @param named whether the name says so, too: then less likeness is enough
 */
export function halvesMatch(grey: Uint8Array, packing: 'sideBySide' | 'topBottom', named = false): boolean | null {
  const stride = comparedSize(packing).width;
  const other = packing === 'sideBySide' ? COMPARED.width : COMPARED.width * COMPARED.height;
  const half = (from: number) =>
    Float32Array.from({ length: COMPARED.width * COMPARED.height }, (_, i) => {
      const y = Math.floor(i / COMPARED.width);
      return grey[from + y * stride + (i % COMPARED.width)] as number;
    });
  const [left, right] = [half(0), half(other)];
  const alike = likeness(left, right, 0);
  if (alike === null) return null;
  const byChance = Math.max(...[1, 2, 3, 4].map((k) => likeness(left, right, k * BLOCK.height) ?? 1));
  const kind = named ? 'named' : 'untold';
  return alike >= ALIKE[kind] && alike - byChance >= MORE_ALIKE[kind];
}

/**
 * Returns the mean correlation of the blocks of `a` with the most similar part of `b` in the same rows (moved down by
 * `rows`, around the edge), weighted by their contrast; null without contrast.
 */
function likeness(a: Float32Array, b: Float32Array, rows: number): number | null {
  const { width, height } = COMPARED;
  const samples = BLOCK.width * BLOCK.height;
  let [sum, weights] = [0, 0];
  for (let top = 0; top < height; top += BLOCK.height)
    for (let left = 0; left < width; left += BLOCK.width) {
      let [best, weight] = [0, 0];
      for (let shift = -LARGEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
        if (left + shift < 0 || left + shift + BLOCK.width > width) continue;
        let [sa, sb, ab, aa, bb] = [0, 0, 0, 0, 0];
        for (let y = top; y < top + BLOCK.height; y++) {
          const row = ((y + rows) % height) * width + shift;
          for (let x = left; x < left + BLOCK.width; x++) {
            const p = a[y * width + x] as number;
            const q = b[row + x] as number;
            sa += p;
            sb += q;
            ab += p * q;
            aa += p * p;
            bb += q * q;
          }
        }
        const [va, vb] = [aa - (sa * sa) / samples, bb - (sb * sb) / samples];
        weight = va;
        if (va > 0 && vb > 0) best = Math.max(best, (ab - (sa * sb) / samples) / Math.sqrt(va * vb));
      }
      sum += best * weight;
      weights += weight;
    }
  return weights / (width * height) < CONTRAST ** 2 ? null : sum / weights;
}

/** Returns how the frames of an untagged video may hold two whole eyes, by their shape: 32:9 and 8:3, or 8:9 and 2:3. */
export function possiblePacking(aspect: number): 'sideBySide' | 'topBottom' | null {
  if (aspect > 2.6) return 'sideBySide';
  return (aspect > 0.86 && aspect < 0.92) || (aspect > 0.64 && aspect < 0.69) ? 'topBottom' : null;
}

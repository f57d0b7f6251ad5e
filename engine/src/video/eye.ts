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
const INVERTED = 1;

/** What side data says about 3D. */
export interface Stereo {
  readonly eye: Eye | null;
  /** The decoder gives one eye only, of two in the file: MV-HEVC and MVC. */
  readonly layered: boolean;
}

/**
 * Parses FFmpeg's `AVStereo3D` (four native integers: type, flags, view, primary eye), made from Matroska's StereoMode,
 * from the boxes `st3d` and `vexu` of MP4, and from the frame packing of H.264 and HEVC. Null for a flat video.
 *
 * @param aspect width divided by height of a whole frame as it is shown
 */
export function stereoOf(data: Buffer | null, aspect: number): Stereo | null {
  if (!data || data.length < 12) return null;
  const type = data.readInt32LE(0);
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
      return data.readInt32LE(8) === PACKED ? { eye: null, layered: true } : null;
    default:
      return null;
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

/** Columns and rows of half a frame in which its two halves are compared. */
const COLUMNS_COMPARED = 64;
const ROWS_COMPARED = 36;
/** Largest shift between two eyes, in compared columns. */
const LARGEST_SHIFT = 6;
/** Least correlation of two eyes, least contrast, and by how much halves must be more alike than parts of one half. */
const ALIKE = 0.9;
const CONTRAST = 6;
const MORE_ALIKE = 0.2;

/** Size to which a frame is scaled before its halves are compared. */
export function comparedSize(packing: 'sideBySide' | 'topBottom'): Size {
  return packing === 'sideBySide'
    ? { width: 2 * COLUMNS_COMPARED, height: ROWS_COMPARED }
    : { width: COLUMNS_COMPARED, height: 2 * ROWS_COMPARED };
}

/**
 * Returns whether the halves of a grey frame of `comparedSize` show the same scene, with small shifts; null if the frame
 * has too little contrast to tell. A repeated pattern is not taken for a pair.
 */
export function halvesMatch(grey: Uint8Array, packing: 'sideBySide' | 'topBottom'): boolean | null {
  const row = packing === 'sideBySide' ? 2 * COLUMNS_COMPARED : COLUMNS_COMPARED;
  const other = packing === 'sideBySide' ? COLUMNS_COMPARED : COLUMNS_COMPARED * ROWS_COMPARED;
  const half = (from: number) =>
    withoutRowMeans(
      Float32Array.from({ length: COLUMNS_COMPARED * ROWS_COMPARED }, (_, i) => {
        const y = Math.floor(i / COLUMNS_COMPARED);
        return grey[from + y * row + (i % COLUMNS_COMPARED)] as number;
      }),
    );
  const [left, right] = [half(0), half(other)];
  const power = Math.min(
    ...[left, right].map((one) => one.reduce((sum, value) => sum + value * value, 0) / one.length),
  );
  if (power < CONTRAST ** 2) return null;
  const bestOf = (a: Float32Array, b: Float32Array, shifts: readonly number[]) =>
    Math.max(...shifts.map((shift) => correlation(a, b, shift)));
  const small = Array.from({ length: 2 * LARGEST_SHIFT + 1 }, (_, i) => i - LARGEST_SHIFT);
  const large = Array.from({ length: COLUMNS_COMPARED / 2 - 2 * LARGEST_SHIFT }, (_, i) => i + 2 * LARGEST_SHIFT);
  const alike = bestOf(left, right, small);
  return alike >= ALIKE && alike - bestOf(left, left, large) >= MORE_ALIKE;
}

function withoutRowMeans(values: Float32Array): Float32Array {
  for (let y = 0; y < ROWS_COMPARED; y++) {
    const line = values.subarray(y * COLUMNS_COMPARED, (y + 1) * COLUMNS_COMPARED);
    const mean = line.reduce((sum, value) => sum + value, 0) / COLUMNS_COMPARED;
    for (let x = 0; x < COLUMNS_COMPARED; x++) line[x] = (line[x] as number) - mean;
  }
  return values;
}

/** Returns the correlation of two pictures, the second one shifted to the left. */
function correlation(a: Float32Array, b: Float32Array, shift: number): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let y = 0; y < ROWS_COMPARED; y++)
    for (let x = Math.max(0, -shift); x < Math.min(COLUMNS_COMPARED, COLUMNS_COMPARED - shift); x++) {
      const p = a[y * COLUMNS_COMPARED + x] as number;
      const q = b[y * COLUMNS_COMPARED + x + shift] as number;
      ab += p * q;
      aa += p * p;
      bb += q * q;
    }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/** Returns how the frames of an untagged video may hold two whole eyes, by their shape: 32:9 and 8:3, or 8:9 and 2:3. */
export function possiblePacking(aspect: number): 'sideBySide' | 'topBottom' | null {
  if (aspect > 2.6) return 'sideBySide';
  return (aspect > 0.86 && aspect < 0.92) || (aspect > 0.64 && aspect < 0.69) ? 'topBottom' : null;
}

import type { RightEye } from '../../decode/stereo/right-eye.ts';
import { median } from '../statistics.ts';
import { type Layer, NEAREST } from './layers.ts';

/** The photographed right eye; its picture is as large as the layer of the left one. */
type SizedEye = Pick<RightEye, 'far' | 'near'> & { readonly colour: Uint8Array };

/** About as many points of the left eye are looked at for a comparison, of which a share must be seen by both. */
const COMPARED = 20_000;
const LEAST_SHARED = 0.25;
/** Widest crack, in pixels, between surfaces that meet in the right eye. */
const CRACK = 3;
/** Largest vertical offset between the lenses that is searched, as a share of the height. */
const MOST_ROWS = 0.01;
/** Most pairs are aligned: another vertical offset must reduce the difference by more than this factor. */
const LEVEL_BONUS = 0.95;
/** Differences beyond this are those of different things, however large they are. */
const OTHER_THING = 40;
/** Passes of the fit of the colours; differences beyond a multiple of the median are left out in the next one. */
const PASSES = 4;
const OUTLIER = 3;
/** Median difference, of 255, above which the eyes show different things. In the pairs of the evaluation it is 1 to 4. */
const LARGEST_DIFFERENCE = 10;

/** Points of the left eye that the right one sees: their indices, and the columns at which it sees them. */
interface Shared {
  readonly here: Int32Array;
  readonly columns: Int32Array;
}

/**
 * What the right eye sees of things that are hidden from the left one, in the colours of the left one. A row at a time:
 * `enter` it first.
 */
export class RightView {
  readonly #eye: SizedEye;
  readonly #width: number;
  readonly #height: number;
  /** Disparity in pixels of depth 0, and per unit of depth. */
  readonly #far: number;
  readonly #perDepth: number;
  /** Of each pixel of the right eye's row the nearest depth that the left eye sees there; −1 where it sees none. */
  readonly #nearest: Float32Array;
  readonly #rows: number;
  /** Per channel: its value in the left eye. */
  readonly #colours: readonly Uint8Array[];
  #row = 0;

  /** @returns null if the colours cannot be made those of the left eye */
  static of(layer: Layer, eye: SizedEye): RightView | null {
    const view = new RightView(layer, eye);
    return view.#colours.length === 3 ? view : null;
  }

  private constructor(layer: Layer, eye: SizedEye) {
    const { width, height } = layer;
    this.#eye = eye;
    this.#width = width;
    this.#height = height;
    this.#far = eye.far * width;
    this.#perDepth = ((eye.near - eye.far) * width) / NEAREST;
    this.#nearest = new Float32Array(width);
    const shared = this.#shared(layer);
    this.#rows = shared ? this.#offset(layer, shared) : 0;
    this.#colours = shared ? this.#match(layer, shared) : [];
  }

  /** Goes to a row of the left eye. */
  enter(y: number, depth: ArrayLike<number>): void {
    const width = this.#width;
    const nearest = this.#nearest;
    this.#row = this.#beside(y, this.#rows);
    nearest.fill(-1);
    let before = Number.NaN;
    for (let x = 0; x < width; x++) {
      const value = depth[x] as number;
      const place = this.#place(x, value);
      // A surface covers what lies between its pixels, unless it is torn there.
      const from = Math.abs(place - before - 1) < 1 ? before : place;
      const end = Math.min(width - 1, Math.round(place));
      for (let i = Math.max(0, Math.round(from)); i <= end; i++) nearest[i] = Math.max(nearest[i] as number, value);
      before = place;
    }
    closeCracks(nearest);
  }

  /**
   * Whether nothing hides a point of the left eye's row from the right one.
   * @param near depth of what hides it from the left one, if that does. A step of a pixel is not told from none
   */
  sees(x: number, depth: number, near = Number.POSITIVE_INFINITY): boolean {
    const place = this.#place(x, depth);
    const column = Math.floor(place);
    if (column < 0 || column + 1 >= this.#width) return false;
    const step = (near - depth) * this.#perDepth;
    const nearest = Math.max(this.#nearest[column] as number, this.#nearest[column + 1] as number);
    return step > 1 && (nearest - depth) * this.#perDepth <= Math.min(1, step / 2);
  }

  /** Writes the colour of a point that it sees. */
  copy(x: number, depth: number, out: Uint8Array, at: number): void {
    const { colour } = this.#eye;
    const place = this.#place(x, depth);
    const column = Math.floor(place);
    const share = place - column;
    const from = 3 * (this.#row * this.#width + column);
    for (const [c, table] of this.#colours.entries()) {
      const here = colour[from + c] as number;
      out[at + c] = table[Math.round(here + share * ((colour[from + 3 + c] as number) - here))] as number;
    }
  }

  #place(x: number, depth: number): number {
    return x - this.#far - depth * this.#perDepth;
  }

  #beside(y: number, rows: number): number {
    return Math.min(this.#height - 1, Math.max(0, y + rows));
  }

  /** Returns the points of a grid that both eyes see; null if there are too few. */
  #shared({ depth }: Layer): Shared | null {
    const width = this.#width;
    const step = Math.max(1, Math.round(Math.sqrt((width * this.#height) / COMPARED)));
    const here: number[] = [];
    const columns: number[] = [];
    let looked = 0;
    for (let y = step >> 1; y < this.#height; y += step) {
      const row = depth.subarray(y * width, (y + 1) * width);
      this.enter(y, row);
      for (let x = step >> 1; x < width; x += step) {
        const value = row[x] as number;
        looked++;
        if (!this.sees(x, value)) continue;
        here.push(y * width + x);
        columns.push(Math.round(this.#place(x, value)));
      }
    }
    const enough = here.length > LEAST_SHARED * looked;
    return enough ? { here: Int32Array.from(here), columns: Int32Array.from(columns) } : null;
  }

  /** Returns the samples of a channel of the right eye at the shared points, if its picture is `rows` lower. */
  #samples({ here, columns }: Shared, channel: number, rows: number): Float32Array {
    const width = this.#width;
    return Float32Array.from(here, (i, k) => {
      const y = this.#beside(Math.floor(i / width), rows);
      return this.#eye.colour[3 * (y * width + (columns[k] as number)) + channel] as number;
    });
  }

  /** Returns how many rows lower the right eye's picture is, judged by the green channel. */
  #offset({ colour }: Layer, shared: Shared): number {
    const green = Float32Array.from(shared.here, (i) => colour[3 * i + 1] as number);
    const difference = (rows: number) =>
      this.#samples(shared, 1, rows).reduce(
        (sum, value, k) => sum + Math.min(OTHER_THING, Math.abs(value - (green[k] as number))),
        0,
      );
    const most = Math.round(MOST_ROWS * this.#height);
    let best = 0;
    let least = difference(0) * LEVEL_BONUS;
    for (let rows = -most; rows <= most; rows++) {
      const here = difference(rows);
      if (here < least) [best, least] = [rows, here];
    }
    return best;
  }

  /** Returns tables for the channels in which the eyes agree: two exposures differ by a gain and an offset. */
  #match({ colour }: Layer, shared: Shared): Uint8Array[] {
    return [0, 1, 2].flatMap((channel) => {
      const wanted = Float32Array.from(shared.here, (i) => colour[3 * i + channel] as number);
      const line = fitLine(this.#samples(shared, channel, this.#rows), wanted);
      if (line.difference > LARGEST_DIFFERENCE) return [];
      const table = new Uint8ClampedArray(256).map((_, value) => line.gain * value + line.offset);
      return [new Uint8Array(table.buffer)];
    });
  }
}

/** Covers gaps that are no wider than outlines are uncertain, by the nearer side: what is seen there may be either. */
function closeCracks(nearest: Float32Array): void {
  for (let x = 1; x < nearest.length; x++) {
    if (nearest[x] !== -1 || nearest[x - 1] === -1) continue;
    let end = x;
    while (end < nearest.length && nearest[end] === -1) end++;
    if (end < nearest.length && end - x <= CRACK)
      nearest.fill(Math.max(nearest[x - 1] as number, nearest[end] as number), x, end);
    x = end;
  }
}

interface Line {
  readonly gain: number;
  readonly offset: number;
  /** Median difference that remains. */
  readonly difference: number;
}

/** Fits `to = gain · from + offset` by least squares without outliers. */
function fitLine(from: Float32Array, to: Float32Array): Line {
  let line: Line = { gain: 1, offset: 0, difference: Number.POSITIVE_INFINITY };
  for (let pass = 0; pass < PASSES; pass++) {
    const { gain, offset } = line;
    const differences = from.map((value, k) => Math.abs(gain * value + offset - (to[k] as number)));
    const difference = median(differences);
    const limit = OUTLIER * Math.max(1, difference);
    let [n, sumFrom, sumTo, products, squares] = [0, 0, 0, 0, 0];
    for (let k = 0; k < from.length; k++) {
      if ((differences[k] as number) > limit) continue;
      const [a, b] = [from[k] as number, to[k] as number];
      n++;
      sumFrom += a;
      sumTo += b;
      products += a * b;
      squares += a * a;
    }
    const spread = squares - (sumFrom * sumFrom) / n;
    // A channel of one value says nothing about the gain.
    const slope = spread < n ? 1 : (products - (sumFrom * sumTo) / n) / spread;
    line = { gain: slope, offset: (sumTo - slope * sumFrom) / n, difference };
  }
  return line;
}

import type { Size } from '../types.ts';

/*
 * A flat picture on the front half of a sphere (VR180), in equirectangular projection: columns are equal steps of
 * longitude, rows of latitude, −90 … 90 degrees each. A point of the sphere at longitude λ and latitude φ is seen in the
 * flat picture at x = f · tan λ and y = f · tan φ / cos λ. Because x depends on the column alone, a picture is resampled
 * exactly by two passes in one dimension: first the rows, then each column.
 */

/** The lens of a picture is unknown: this is a usual one, in degrees along the longer side. */
const FIELD_OF_VIEW = 60;

/** Returns the distance of the eye from a picture, in its pixels. */
export function focalLength({ width, height }: Size): number {
  return Math.max(width, height) / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
}

/** Returns the side of a half sphere in whose middle a picture keeps its pixels: a multiple of four, for chroma. */
export function halfSphereSide(flat: Size): number {
  return 4 * Math.round((Math.PI * focalLength(flat)) / 4);
}

/** Returns the longest side of a picture whose half sphere has at most this side. */
export function longestFlatSide(side: number): number {
  return Math.floor((2 * side * Math.tan((FIELD_OF_VIEW * Math.PI) / 360)) / Math.PI);
}

/** Samples of one picture within a larger one. */
export interface Samples {
  readonly data: Uint8Array;
  /** Of its first sample, and from one row to the next. */
  readonly at: number;
  readonly stride: number;
}

/** Samples that one result is made of: the first one, and the weight of each. */
interface Taps {
  readonly first: Int32Array;
  readonly weights: Float32Array;
  readonly count: number;
}

/** The resampling of pictures of one size to a half sphere: computed once, used for each eye, frame and plane. */
export class HalfSphere {
  readonly #flat: Size;
  readonly #channels: number;
  /** The part of the half sphere that shows the picture. */
  readonly #left: number;
  readonly #top: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #across: Taps;
  readonly #down: Taps;
  readonly #narrowed: Float32Array;

  /** @param channels interleaved samples of a pixel */
  constructor(flat: Size, side: number, channels: number) {
    const focal = focalLength(flat);
    const step = Math.PI / side;
    const angle = (i: number) => (i + 0.5 - side / 2) * step;
    // The filter reaches over the edge of the picture.
    const covered = (length: number) => Math.min(side, 2 * Math.ceil(Math.atan(length / 2 / focal) / step) + 2 * REACH);
    this.#flat = flat;
    this.#channels = channels;
    this.#columns = covered(flat.width);
    this.#rows = covered(flat.height);
    this.#left = (side - this.#columns) / 2;
    this.#top = (side - this.#rows) / 2;
    this.#across = emptyTaps(this.#columns);
    for (let column = 0; column < this.#columns; column++) {
      const longitude = angle(this.#left + column);
      const x = flat.width / 2 + focal * Math.tan(longitude);
      fill(this.#across, column, x, (focal * step) / Math.cos(longitude) ** 2, flat.width);
    }
    this.#down = emptyTaps(this.#columns * this.#rows);
    for (let row = 0; row < this.#rows; row++) {
      const latitude = angle(this.#top + row);
      for (let column = 0; column < this.#columns; column++) {
        const towards = Math.cos(angle(this.#left + column));
        const y = flat.height / 2 + (focal * Math.tan(latitude)) / towards;
        const pace = (focal * step) / Math.cos(latitude) ** 2 / towards;
        fill(this.#down, row * this.#columns + column, y, pace, flat.height);
      }
    }
    this.#narrowed = new Float32Array(flat.height * this.#columns * channels);
  }

  /**
   * Draws a picture into a half sphere. What is around it is left as it is.
   * @param black value of what is around the picture, with which its edge is mixed
   */
  draw(flat: Samples, sphere: Samples, black: number): void {
    this.#narrow(flat, black);
    const { first, weights, count } = this.#down;
    const channels = this.#channels;
    const stride = this.#columns * channels;
    for (let row = 0; row < this.#rows; row++) {
      const to = sphere.at + (this.#top + row) * sphere.stride + this.#left * channels;
      for (let column = 0; column < this.#columns; column++) {
        const cell = row * this.#columns + column;
        const from = (first[cell] as number) * stride + column * channels;
        for (let channel = 0; channel < channels; channel++) {
          let sum = black + 0.5;
          for (let i = 0; i < count; i++) {
            const weight = weights[cell * count + i] as number;
            if (weight !== 0) sum += weight * (this.#narrowed[from + i * stride + channel] as number);
          }
          sphere.data[to + column * channels + channel] = Math.max(0, Math.min(255, sum));
        }
      }
    }
  }

  /** Resamples the rows: differences from black, in which the edge of the picture fades by itself. */
  #narrow({ data, at, stride }: Samples, black: number): void {
    const { first, weights, count } = this.#across;
    const channels = this.#channels;
    for (let row = 0; row < this.#flat.height; row++) {
      for (let column = 0; column < this.#columns; column++) {
        const from = at + row * stride + (first[column] as number) * channels;
        const to = (row * this.#columns + column) * channels;
        for (let channel = 0; channel < channels; channel++) {
          let sum = 0;
          for (let i = 0; i < count; i++) {
            const weight = weights[column * count + i] as number;
            if (weight !== 0) sum += weight * ((data[from + i * channels + channel] as number) - black);
          }
          this.#narrowed[to + channel] = sum;
        }
      }
    }
  }
}

/** Steps on the sphere by which the filter reaches over the edge. */
const REACH = 4;
/** Samples under the filter where the picture is squeezed most: by 1.45 in its corners, by 1.6 where the filter reaches beyond them. */
const TAPS = 8;

function emptyTaps(length: number): Taps {
  return { first: new Int32Array(length), weights: new Float32Array(length * TAPS), count: TAPS };
}

/**
 * Notes the samples around a place and their weights. Those outside of the picture are black and have none.
 * @param pace samples from this result to the next one: the filter widens with it, so that nothing aliases
 */
function fill({ first, weights }: Taps, index: number, place: number, pace: number, length: number): void {
  const scale = Math.max(1, pace);
  const start = Math.ceil(place - 0.5 - 2 * scale);
  // Within the picture, so that no other memory is read; the weights move along.
  const from = Math.min(Math.max(0, length - TAPS), Math.max(0, start));
  let sum = 0;
  for (let sample = start; sample < start + TAPS; sample++) sum += cubic((sample + 0.5 - place) / scale);
  for (let i = 0; i < TAPS; i++) {
    const sample = from + i;
    if (sample < length) weights[index * TAPS + i] = cubic((sample + 0.5 - place) / scale) / sum;
  }
  first[index] = from;
}

/** Catmull-Rom. */
function cubic(at: number): number {
  const x = Math.abs(at);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

import type { Layer } from './layers.ts';

/**
 * Dilates near objects (a running maximum of depth). Pixels along an outline mix both sides: moved with the near side
 * they remain an outline, left on the far side they would appear as a ghost contour.
 */
export interface DilateRows {
  readonly kind: 'dilate';
  readonly source: Pick<Layer, 'width' | 'height' | 'depth'>;
  /** Radius in pixels. */
  readonly across: number;
  readonly down: number;
  /** Receives the result; must not be the source's own array. */
  readonly depth: Uint16Array;
}

/*
 * Van Herk's running maximum, first vertical, then horizontal. The input is split into blocks of the window's length,
 * so every window is the end of one block plus the start of the next, and the cost per pixel is independent of the
 * radius.
 */
export function dilateRows({ source, across, down, depth }: DilateRows, from: number, to: number): void {
  const { width, height } = source;
  const rowOf = (y: number) => {
    const row = Math.min(height - 1, Math.max(0, y));
    return source.depth.subarray(row * width, (row + 1) * width);
  };
  const window = 2 * down + 1;
  const ends = Array.from({ length: window }, () => new Uint16Array(width));
  const beginning = new Uint16Array(width);
  const column = new Uint16Array(width);
  const along = new RowMaximum(width, across);
  for (let block = from; block < to; block += window) {
    const first = block - down;
    (ends[window - 1] as Uint16Array).set(rowOf(first + window - 1));
    for (let k = window - 2; k >= 0; k--) larger(ends[k + 1] as Uint16Array, rowOf(first + k), ends[k] as Uint16Array);
    beginning.fill(0);
    for (let k = 0; k < window && block + k < to; k++) {
      if (k > 0) larger(beginning, rowOf(first + window + k - 1), beginning);
      larger(ends[k] as Uint16Array, beginning, column);
      along.write(column, depth, (block + k) * width);
    }
  }
}

function larger(a: Uint16Array, b: Uint16Array, out: Uint16Array): void {
  for (let i = 0; i < out.length; i++) out[i] = Math.max(a[i] as number, b[i] as number);
}

/** Running maximum along one row. */
class RowMaximum {
  readonly #radius: number;
  readonly #window: number;
  /** The row with replicated ends, padded to whole blocks. */
  readonly #padded: Uint16Array;
  readonly #beginnings: Uint16Array;
  readonly #ends: Uint16Array;

  constructor(width: number, radius: number) {
    this.#radius = radius;
    this.#window = 2 * radius + 1;
    const length = Math.ceil((width + 2 * radius) / this.#window) * this.#window;
    this.#padded = new Uint16Array(length);
    this.#beginnings = new Uint16Array(length);
    this.#ends = new Uint16Array(length);
  }

  write(row: Uint16Array, out: Uint16Array, at: number): void {
    const radius = this.#radius;
    const window = this.#window;
    const padded = this.#padded;
    const beginnings = this.#beginnings;
    const ends = this.#ends;
    padded.fill(row[0] as number, 0, radius);
    padded.set(row, radius);
    padded.fill(row.at(-1) as number, radius + row.length);
    for (let block = 0; block < padded.length; block += window) {
      let highest = 0;
      for (let i = block; i < block + window; i++) {
        highest = Math.max(highest, padded[i] as number);
        beginnings[i] = highest;
      }
      highest = 0;
      for (let i = block + window - 1; i >= block; i--) {
        highest = Math.max(highest, padded[i] as number);
        ends[i] = highest;
      }
    }
    for (let x = 0; x < row.length; x++) {
      out[at + x] = Math.max(ends[x] as number, beginnings[x + window - 1] as number);
    }
  }
}

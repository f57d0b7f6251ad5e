import { edgeFade } from '../geometry/parallax.ts';
import type { Size } from '../types.ts';
import { RowWarp } from '../views/warp.ts';
import { Scaler } from './scale.ts';

/** A small picture with its depth (0 far … 1 near), in memory that threads share. */
export interface DepthGrid extends Size {
  readonly depth: Float32Array;
}

export interface BackgroundGrid extends DepthGrid {
  /** RGB bytes. */
  readonly colour: Uint8Array;
}

/**
 * Rows of all views of one frame of a film: the frame is scaled to the views' size, its depth interpolated, and the rows
 * warped. Unlike a still picture nothing is kept between: each of these arrays is written again for the next frame.
 */
export interface FilmRows {
  readonly kind: 'film';
  /** RGB bytes of the frame. */
  readonly frame: Uint8Array;
  readonly frameSize: Size;
  readonly view: Size;
  readonly depth: DepthGrid;
  readonly background: BackgroundGrid;
  readonly convergence: number;
  /** Share of the shift that is shown, 0 … 1: a camera that sways is rarely at the end of its way. */
  readonly strength: number;
  /** Per view: pixels of shift for `depth − convergence = 1`. */
  readonly reaches: Float32Array;
  /** Per view: x and y of its top left corner in the packed picture. */
  readonly corners: Int32Array;
  /** Over-scan in pixels of the view. */
  readonly inset: number;
  readonly packed: Uint8Array;
  readonly packedWidth: number;
}

/** The tools for rows of one kind; those of the last film are kept, since making them costs more than a row. */
let kept: { readonly key: string; readonly tools: RowTools } | undefined;

export function filmRows(task: FilmRows, from: number, to: number): void {
  const { frameSize, view, depth, background, reaches, corners, packed, packedWidth, inset } = task;
  const key = JSON.stringify([frameSize, view, depth.width, depth.height, background.width, [...reaches]]);
  if (kept?.key !== key) kept = { key, tools: new RowTools(task) };
  const { scaler, warp, across, backAcross, places } = kept.tools;
  const zoom = view.width / (view.width - 2 * inset);
  let loaded = -1;
  for (let y = from; y < to; y++) {
    across.row(depth, ((y + 0.5) * depth.height) / view.height - 0.5, task, warp.effect);
    const back = clamp(((y + 0.5) * background.height) / view.height - 0.5, background.height);
    const upper = Math.floor(back);
    if (upper !== loaded) {
      const lower = Math.min(background.height - 1, upper + 1);
      warp.backUpper.set(colourRow(background, upper));
      warp.backLower.set(colourRow(background, lower));
      loaded = upper;
    }
    backAcross.row(background, back, task, warp.backEffect);
    for (let i = 0; i < places.length; i++) {
      places[i] = 3 * (((corners[2 * i + 1] as number) + y) * packedWidth + (corners[2 * i] as number));
    }
    warp.draw(scaler.row(task.frame, y), zoom, inset, back - upper, packed, places);
  }
}

class RowTools {
  readonly scaler: Scaler;
  readonly warp: RowWarp;
  readonly across: DepthRow;
  readonly backAcross: DepthRow;
  readonly places: Uint32Array;

  constructor({ frameSize, view, depth, background, reaches }: FilmRows) {
    this.scaler = new Scaler(frameSize, view);
    this.warp = new RowWarp(view.width, background.width, reaches);
    this.across = new DepthRow(depth.width, view.width);
    this.backAcross = new DepthRow(background.width, background.width);
    this.places = new Uint32Array(reaches.length);
  }
}

/** Interpolates a row of depth and turns it into `(depth − convergence) · edge fade`: what shifts are proportional to. */
class DepthRow {
  readonly #cells: Int32Array;
  readonly #shares: Float32Array;
  readonly #fade: Float32Array;
  /** The row between two rows of the grid; its last value is repeated. */
  readonly #between: Float32Array;

  constructor(gridWidth: number, width: number) {
    this.#cells = new Int32Array(width);
    this.#shares = new Float32Array(width);
    this.#fade = Float32Array.from({ length: width }, (_, x) => edgeFade((x + 0.5) / width));
    this.#between = new Float32Array(gridWidth + 1);
    for (let x = 0; x < width; x++) {
      const at = clamp(((x + 0.5) * gridWidth) / width - 0.5, gridWidth);
      this.#cells[x] = Math.floor(at);
      this.#shares[x] = at - Math.floor(at);
    }
  }

  row({ depth, width, height }: DepthGrid, y: number, { convergence, strength }: FilmRows, out: Float32Array): void {
    const at = clamp(y, height);
    const upper = Math.floor(at);
    const down = at - upper;
    const first = upper * width;
    const second = Math.min(height - 1, upper + 1) * width;
    const between = this.#between;
    for (let x = 0; x < width; x++) {
      const above = depth[first + x] as number;
      between[x] = (above + ((depth[second + x] as number) - above) * down - convergence) * strength;
    }
    between[width] = between[width - 1] as number;
    const cells = this.#cells;
    const shares = this.#shares;
    const fade = this.#fade;
    for (let x = 0; x < cells.length; x++) {
      const cell = cells[x] as number;
      const left = between[cell] as number;
      out[x] = (left + ((between[cell + 1] as number) - left) * (shares[x] as number)) * (fade[x] as number);
    }
  }
}

function colourRow({ colour, width }: BackgroundGrid, y: number): Uint8Array {
  return colour.subarray(3 * y * width, 3 * (y + 1) * width);
}

function clamp(at: number, length: number): number {
  return Math.min(length - 1, Math.max(0, at));
}

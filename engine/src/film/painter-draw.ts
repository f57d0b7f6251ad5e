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
  const { frame, frameSize, view, depth, background, reaches, corners, packed, packedWidth, inset } = task;
  const key = JSON.stringify([frameSize, view, depth.width, background.width, [...reaches]]);
  if (kept?.key !== key) kept = { key, tools: new RowTools(task) };
  const { scaler, warp, across, backAcross, places } = kept.tools;
  across.begin(task, depth);
  backAcross.begin(task, background);
  const zoom = view.width / (view.width - 2 * inset);
  let loaded = -1;
  let loadedDepth = -1;
  let widened = -1;
  for (let y = from; y < to; y++) {
    const at = clamp(((y + 0.5) * depth.height) / view.height - 0.5, depth.height);
    const above = Math.floor(at);
    for (let row = Math.max(widened + 1, above); row <= above + 1; row++)
      across.write(row, warp.effectRows[row & 1] as Float32Array);
    widened = above + 1;
    warp.mixEffect((above & 1) as 0 | 1, at - above);

    const back = clamp(((y + 0.5) * background.height) / view.height - 0.5, background.height);
    const upper = Math.floor(back);
    if (upper !== loaded) {
      warp.backUpper.set(colourRow(background, upper));
      warp.backLower.set(colourRow(background, Math.min(background.height - 1, upper + 1)));
      loaded = upper;
    }
    const near = Math.round(back);
    if (near !== loadedDepth) {
      backAcross.write(near, warp.backEffect);
      loadedDepth = near;
    }
    for (let i = 0; i < places.length; i++) {
      places[i] = 3 * (((corners[2 * i + 1] as number) + y) * packedWidth + (corners[2 * i] as number));
    }
    warp.draw(scaler.row(frame, y), zoom, inset, back - upper, packed, places);
  }
}

class RowTools {
  readonly scaler: Scaler;
  readonly warp: RowWarp;
  readonly across: DepthRows;
  readonly backAcross: DepthRows;
  readonly places: Uint32Array;

  constructor({ frameSize, view, depth, background, reaches }: FilmRows) {
    this.scaler = new Scaler(frameSize, view);
    this.warp = new RowWarp(view.width, background.width, reaches);
    this.across = new DepthRows(depth.width, view.width);
    this.backAcross = new DepthRows(background.width, background.width);
    this.places = new Uint32Array(reaches.length);
  }
}

/** Widens rows of depth and turns them into `(depth − convergence) · edge fade`: what shifts are proportional to. */
class DepthRows {
  readonly #cells: Int32Array;
  readonly #shares: Float32Array;
  readonly #fade: Float32Array;
  #grid: DepthGrid = { width: 0, height: 0, depth: new Float32Array() };
  #convergence = 0;
  #strength = 0;

  constructor(gridWidth: number, width: number) {
    this.#cells = new Int32Array(width);
    this.#shares = new Float32Array(width);
    this.#fade = Float32Array.from({ length: width }, (_, x) => edgeFade((x + 0.5) / width));
    for (let x = 0; x < width; x++) {
      const at = clamp(((x + 0.5) * gridWidth) / width - 0.5, gridWidth);
      this.#cells[x] = Math.min(gridWidth - 2, Math.floor(at));
      this.#shares[x] = at - (this.#cells[x] as number);
    }
  }

  begin({ convergence, strength }: FilmRows, grid: DepthGrid): void {
    this.#grid = grid;
    this.#convergence = convergence;
    this.#strength = strength;
  }

  /** @param row of the grid; below its last one that is repeated */
  write(row: number, out: Float32Array): void {
    const { depth, width, height } = this.#grid;
    const first = Math.min(height - 1, row) * width;
    const cells = this.#cells;
    const shares = this.#shares;
    const fade = this.#fade;
    for (let x = 0; x < out.length; x++) {
      const cell = first + (cells[x] as number);
      const left = depth[cell] as number;
      const here = left + ((depth[cell + 1] as number) - left) * (shares[x] as number);
      out[x] = (here - this.#convergence) * (fade[x] as number) * this.#strength;
    }
  }
}

function colourRow({ colour, width }: BackgroundGrid, y: number): Uint8Array {
  return colour.subarray(3 * y * width, 3 * (y + 1) * width);
}

function clamp(at: number, length: number): number {
  return Math.min(length - 1, Math.max(0, at));
}

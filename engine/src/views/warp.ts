import { readFileSync } from 'node:fs';
import { distFile } from './dist.ts';

/** What warp.as exports; addresses are bytes in its memory. */
interface WarpModule {
  readonly memory: WebAssembly.Memory;
  readonly colour: WebAssembly.Global;
  readonly effect: WebAssembly.Global;
  readonly backUpper: WebAssembly.Global;
  readonly backLower: WebAssembly.Global;
  readonly backEffect: WebAssembly.Global;
  readonly reaches: WebAssembly.Global;
  readonly rows: WebAssembly.Global;
  allocate(pixels: number, backPixels: number, views: number): void;
  warp(views: number, zoom: number, inset: number, backMix: number): void;
}

let compiled: WebAssembly.Module | undefined;

/**
 * Warps rows of one picture: fill `colour`, `effect` and the background's rows, `draw`, read `row(view)`.
 * The arrays are views of the module's memory and stay valid for the life of the object.
 */
export class RowWarp {
  /** RGB bytes of the row to draw. */
  readonly colour: Uint8Array;
  /** Signed nearness of each pixel; times a view's reach it is the shift in pixels, positive to the right. */
  readonly effect: Float32Array;
  /** RGB bytes of the background rows above and below the row, and the effect of the nearer one. */
  readonly backUpper: Uint8Array;
  readonly backLower: Uint8Array;
  readonly backEffect: Float32Array;
  readonly #module: WarpModule;
  readonly #width: number;
  readonly #views: number;
  readonly #rows: Uint8Array;

  /**
   * @param width pixels of a row, also of the views' rows
   * @param backWidth pixels of a row of the background layer
   * @param reaches per view: pixels of shift per unit of effect
   */
  constructor(width: number, backWidth: number, reaches: ArrayLike<number>) {
    compiled ??= new WebAssembly.Module(readFileSync(distFile('warp.wasm')));
    const instance = new WebAssembly.Instance(compiled, {});
    const module = instance.exports as unknown as WarpModule;
    module.allocate(width, backWidth, reaches.length);
    const bytes = (at: WebAssembly.Global, length: number) => new Uint8Array(module.memory.buffer, at.value, length);
    const floats = (at: WebAssembly.Global, length: number) => new Float32Array(module.memory.buffer, at.value, length);
    this.colour = bytes(module.colour, 3 * width);
    this.effect = floats(module.effect, width);
    this.backUpper = bytes(module.backUpper, 3 * backWidth);
    this.backLower = bytes(module.backLower, 3 * backWidth);
    this.backEffect = floats(module.backEffect, backWidth);
    floats(module.reaches, reaches.length).set(reaches);
    this.#module = module;
    this.#width = width;
    this.#views = reaches.length;
    this.#rows = bytes(module.rows, 3 * width * reaches.length);
  }

  /**
   * @param zoom stretch of the row about its left edge after `inset` pixels were cut (over-scan); 1 for none
   * @param inset pixels of the source left of the view
   * @param backMix share of the lower background row, 0 … 1
   */
  draw(zoom: number, inset: number, backMix: number): void {
    this.#module.warp(this.#views, zoom, inset, backMix);
  }

  /** RGB bytes of the row as seen by a view; overwritten by the next `draw`. */
  row(view: number): Uint8Array {
    return this.#rows.subarray(view * 3 * this.#width, (view + 1) * 3 * this.#width);
  }
}

import { readFileSync } from 'node:fs';
import { distFile } from './dist.ts';

/** The part of the platform's WebAssembly that is used; TypeScript declares it only together with a browser's DOM. */
interface Platform {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}
const { Module, Instance } = (globalThis as unknown as { WebAssembly: Platform }).WebAssembly;

interface Address {
  readonly value: number;
}

/** What warp.as exports; addresses are bytes in its memory. */
interface WarpModule {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly colour: Address;
  readonly effect: Address;
  readonly backUpper: Address;
  readonly backLower: Address;
  readonly backEffect: Address;
  readonly reaches: Address;
  readonly rows: Address;
  allocate(pixels: number, backPixels: number, views: number): void;
  warp(views: number, zoom: number, inset: number, backMix: number): void;
}

let compiled: object | undefined;

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
    compiled ??= new Module(readFileSync(distFile('warp.wasm')));
    const module = new Instance(compiled, {}).exports as WarpModule;
    module.allocate(width, backWidth, reaches.length);
    const bytes = (at: Address, length: number) => new Uint8Array(module.memory.buffer, at.value, length);
    const floats = (at: Address, length: number) => new Float32Array(module.memory.buffer, at.value, length);
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

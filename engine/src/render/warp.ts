import { type Address, instantiate, type KernelMemory } from './wasm.ts';

/** Exports of warp.as; addresses are byte offsets in its memory. */
export interface WarpModule {
  readonly memory: KernelMemory;
  readonly colour: Address;
  readonly colourSkew: { value: number };
  readonly effect: Address;
  readonly backUpper: Address;
  readonly backLower: Address;
  readonly backEffect: Address;
  readonly reaches: Address;
  readonly rows: Address;
  readonly pitch: Address;
  readonly skews: Address;
  readonly corners: Address;
  readonly cells: Address;
  readonly shares: Address;
  readonly fades: Address;
  readonly backFades: Address;
  allocate(pixels: number, backPixels: number, views: number, planes: number, coarseness: number): void;
  warp(views: number, zoom: number, inset: number, backMix: number): void;
  readFrame(at: number, pitch: number, rowPitch: number, rows: number): void;
  readChannels(first: number, step: number): void;
  readDepth(at: number, colourAt: number, depthAt: number, cellsAcross: number, cellsDown: number): void;
  showDepth(convergence: number, share: number): void;
  writeTo(at: number, pitch: number, rowPitch: number): void;
  drawVideo(views: number, from: number, to: number, zoom: number, inset: number): void;
}

/**
 * Returns the offset of an array within an 8-byte word. V8 copies to and from shared memory word by word only between
 * equally aligned places, else byte by byte, four times slower; therefore rows are laid out with equal skew.
 */
function skewOf(byteOffset: number): number {
  return byteOffset & 7;
}

/**
 * Warps rows of one picture: fill `effect` and the background rows, pass the row's colours, and draw. The arrays are
 * views of the module's memory and stay valid for the lifetime of the object.
 */
export class RowWarp {
  /** Signed nearness of each pixel; multiplied by a view's reach it is the shift in pixels, positive to the right. */
  readonly effect: Float32Array;
  /** RGB bytes of the background rows above and below the row, and the effect of the nearest one. */
  readonly backUpper: Uint8Array;
  readonly backLower: Uint8Array;
  readonly backEffect: Float32Array;
  readonly #module: WarpModule;
  readonly #bytes: Uint8Array;
  readonly #skews: Int32Array;
  readonly #rowBytes: number;

  /**
   * @param width pixels per row, also of the views' rows
   * @param backWidth pixels per row of the background layer
   * @param reaches per view: shift in pixels per unit of effect
   */
  constructor(width: number, backWidth: number, reaches: ArrayLike<number>) {
    const module = instantiate<WarpModule>('warp.wasm');
    module.allocate(width, backWidth, reaches.length, 3, 1);
    const { buffer } = module.memory;
    this.effect = new Float32Array(buffer, module.effect.value, width);
    this.backUpper = new Uint8Array(buffer, module.backUpper.value, 3 * backWidth);
    this.backLower = new Uint8Array(buffer, module.backLower.value, 3 * backWidth);
    this.backEffect = new Float32Array(buffer, module.backEffect.value, backWidth);
    new Float32Array(buffer, module.reaches.value, reaches.length).set(reaches);
    this.#skews = new Int32Array(buffer, module.skews.value, reaches.length);
    this.#module = module;
    this.#bytes = new Uint8Array(buffer);
    this.#rowBytes = 3 * width;
  }

  /**
   * Draws the row of every view.
   * @param colour RGB bytes of the row
   * @param zoom horizontal scale after `inset` pixels were cropped at the left (overscan); 1 for none
   * @param inset pixels of the source left of the view
   * @param backMix weight of the lower background row, 0 … 1
   * @param packed destination of the views' rows, RGB bytes
   * @param places per view: offset of its row in `packed`
   */
  draw(
    colour: Uint8Array,
    zoom: number,
    inset: number,
    backMix: number,
    packed: Uint8Array,
    places: ArrayLike<number>,
  ): void {
    const module = this.#module;
    const views = this.#skews.length;
    const skew = skewOf(colour.byteOffset);
    module.colourSkew.value = skew;
    this.#bytes.set(colour, module.colour.value + skew);
    for (let view = 0; view < views; view++) this.#skews[view] = skewOf(packed.byteOffset + (places[view] as number));
    module.warp(views, zoom, inset, backMix);
    for (let view = 0; view < views; view++) {
      const from = module.rows.value + view * module.pitch.value + (this.#skews[view] as number);
      packed.set(this.#bytes.subarray(from, from + this.#rowBytes), places[view] as number);
    }
  }
}

import { type Layer, NEAREST } from '../depth/layers/layers.ts';
import { edgeFade } from '../geometry/parallax.ts';
import { RowWarp } from './warp.ts';

/** Parameters for drawing views of one layer. */
export interface Views {
  readonly layer: Layer;
  /** The background layer of the picture, at its own resolution. */
  readonly background: Layer;
  readonly convergence: number;
  /** Per view: shift in pixels for `depth − convergence = 1`. */
  readonly reaches: Float32Array;
  /** Overscan in pixels of the layer. */
  readonly inset: number;
  /** `fadeWidth` of the parallax. */
  readonly fade: number;
}

/** Parameters for drawing views into a packed picture. */
export interface DrawViews extends Views {
  readonly kind: 'views';
  /** Per view: x and y of its top-left corner in the packed picture. */
  readonly corners: Int32Array;
  readonly packed: Uint8Array;
  readonly packedWidth: number;
}

/** Draws rows `from` to `to` (exclusive) of every view. Rows are independent, so threads split the work by rows. */
export function drawViews(task: DrawViews, from: number, to: number): void {
  const { reaches, corners, packed, packedWidth } = task;
  const drawer = new RowDrawer(task);
  const places = new Uint32Array(reaches.length);
  for (let y = from; y < to; y++) {
    for (let view = 0; view < places.length; view++) {
      const x = corners[2 * view] as number;
      const top = corners[2 * view + 1] as number;
      places[view] = 3 * ((top + y) * packedWidth + x);
    }
    drawer.draw(y, packed, places);
  }
}

/** Draws one row of every view at a time; most efficient from top to bottom. */
export class RowDrawer {
  readonly #views: Views;
  readonly #warp: RowWarp;
  readonly #zoom: number;
  readonly #nearness: Nearness;
  readonly #backNearness: Nearness;
  #loadedUpper = -1;
  #loadedNear = -1;

  constructor(views: Views) {
    const { layer, background, convergence, reaches, inset, fade } = views;
    this.#views = views;
    this.#warp = new RowWarp(layer.width, background.width, reaches);
    this.#zoom = layer.width / (layer.width - 2 * inset);
    this.#nearness = new Nearness(layer.width, convergence, fade);
    this.#backNearness = new Nearness(background.width, convergence, fade);
  }

  /** @param places per view: offset of its row in `packed` */
  draw(y: number, packed: Uint8Array, places: ArrayLike<number>): void {
    const { layer, background, inset } = this.#views;
    const warp = this.#warp;
    this.#nearness.ofRow(layer, y, warp.effect);
    const back = Math.max(0, ((y + 0.5) * background.height) / layer.height - 0.5);
    const upper = Math.min(background.height - 1, Math.floor(back));
    const lower = Math.min(background.height - 1, upper + 1);
    const near = Math.min(background.height - 1, Math.round(back));
    if (upper !== this.#loadedUpper) {
      warp.backUpper.set(colourRow(background, upper));
      warp.backLower.set(colourRow(background, lower));
      this.#loadedUpper = upper;
    }
    if (near !== this.#loadedNear) {
      this.#backNearness.ofRow(background, near, warp.backEffect);
      this.#loadedNear = near;
    }
    warp.draw(colourRow(layer, y), this.#zoom, inset, back - upper, packed, places);
  }
}

function colourRow({ colour, width }: Layer, y: number): Uint8Array {
  return colour.subarray(3 * y * width, 3 * (y + 1) * width);
}

/** Converts rows of depth to `(depth − convergence) · edge fade`, to which shifts are proportional. */
class Nearness {
  readonly #scale: Float64Array;
  readonly #offset: Float64Array;

  constructor(width: number, convergence: number, fadeWidth: number) {
    const fade = Float64Array.from({ length: width }, (_, x) => edgeFade((x + 0.5) / width, fadeWidth));
    this.#scale = fade.map((value) => value / NEAREST);
    this.#offset = fade.map((value) => value * convergence);
  }

  ofRow({ depth, width }: Layer, y: number, out: Float32Array): void {
    const scale = this.#scale;
    const offset = this.#offset;
    const at = y * width;
    for (let x = 0; x < width; x++) {
      out[x] = (depth[at + x] as number) * (scale[x] as number) - (offset[x] as number);
    }
  }
}

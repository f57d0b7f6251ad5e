import { deserialize, serialize } from 'node:v8';
import { EngineError } from '../errors.ts';
import { allowedSweepPercent, comfortOf, overscan, wishedSweepPercent } from '../geometry/index.ts';
import { sharedBytes, sharedFloats } from '../layers/layers.ts';
import type { Comfort, DepthSource, DeviceProfile, FilmFormat, FilmTier, Picture, Size } from '../types.ts';
import { createPool, type Pool } from '../views/pool.ts';
import { FilmBackground } from './depth/background.ts';
import { FilmDepth } from './depth/film-depth.ts';
import { createKeyEstimator, type KeyEstimator } from './depth/key.ts';
import type { BackgroundGrid } from './painter-draw.ts';
import { type FilmLayout, filmLayout } from './painter-layout.ts';
import { Scaler } from './scale.ts';

/** Turns the frames of one film into what a display shows, one after the other. */
export interface FilmPainter {
  /** Of the frames that come out; both sides are even. */
  readonly size: Size;
  /** Over the frames painted so far: the largest disparity, and the mean of the window violation. */
  readonly comfort: Comfort | null;
  readonly depthSource: DepthSource | null;
  /**
   * Begins the next frame in order of presentation, and finds its depth. The frame is drawn while the next one begins,
   * which may be as soon as this settles; not the one after it, before the first is drawn.
   * @param rgb packed RGB24 of the upright, cut frame; read before this settles
   * @param seconds its time
   */
  begin(rgb: Uint8Array, seconds: number): Promise<Drawing>;
  /** What must be kept so that painting goes on after a crash as if nothing had happened; taken between frames. */
  save(): Uint8Array;
  close(): Promise<void>;
}

export interface Drawing {
  /** Packed RGB24 of the painter's size; valid until the frame after the next begins. */
  readonly painted: Promise<Uint8Array>;
}

export interface FilmPainterOptions {
  /** Of the frames that go in. */
  readonly input: Size;
  readonly format: FilmFormat;
  readonly device: DeviceProfile;
  /** Percent, 0 … 100. */
  readonly effect: number;
  readonly tier: FilmTier;
  /** Depth that lies in the plane of the frame; follows the subject when absent. */
  readonly convergence?: number;
  readonly threads: number;
  readonly modelsDir?: string;
  /** Of `save`, by a painter with the same options. */
  readonly state?: Uint8Array;
}

/** Seconds in which the camera of a wiggle sways there and back. */
const SWAY_SECONDS = 3;
const ONE_SHARE = { sharesPerThread: 1 };

export async function createFilmPainter(options: FilmPainterOptions): Promise<FilmPainter> {
  if (options.format === 'flat') {
    return new FlatPainter(options.input, filmLayout('flat', options.device, options.input));
  }
  const { tier, threads, modelsDir } = options;
  // The small network gains nothing from a second thread that the encoder could use.
  return createDepthPainter(options, await createKeyEstimator(tier, tier === 'fast' ? 1 : threads, modelsDir));
}

/** A painter whose depth comes from `estimator`, which it closes in the end. Not for `flat`. */
export function createDepthPainter(options: FilmPainterOptions, estimator: KeyEstimator): FilmPainter {
  return new DepthPainter(options, filmLayout(options.format, options.device, options.input), estimator);
}

/** The film as it is, at the size of the display. */
class FlatPainter implements FilmPainter {
  readonly size: Size;
  readonly comfort = null;
  readonly depthSource = null;
  readonly #scaler: Scaler;
  readonly #slots: readonly Uint8Array[];
  #turn = 0;

  constructor(input: Size, { width, height }: FilmLayout) {
    this.size = { width, height };
    this.#slots = [0, 1].map(() => new Uint8Array(3 * width * height));
    this.#scaler = new Scaler(input, this.size);
  }

  async begin(rgb: Uint8Array): Promise<Drawing> {
    const pixels = this.#scaler.picture(rgb).data;
    const slot = this.#slots[this.#turn++ & 1] as Uint8Array;
    slot.set(pixels);
    return { painted: Promise.resolve(slot) };
  }

  save(): Uint8Array {
    return new Uint8Array();
  }

  async close(): Promise<void> {}
}

/** What `save` writes down besides the depth and the background. */
interface ComfortSoFar {
  largest: number;
  wished: number;
  violations: number;
  frames: number;
}

/** Memory of one frame on its way, shared with the threads. */
interface Slot {
  readonly frame: Uint8Array;
  readonly depth: Float32Array;
  readonly background: BackgroundGrid;
  readonly packed: Uint8Array;
  readonly merged: Uint8Array | null;
}

class DepthPainter implements FilmPainter {
  readonly size: Size;
  readonly depthSource = 'basic';
  readonly #options: FilmPainterOptions;
  readonly #layout: FilmLayout;
  readonly #estimator: KeyEstimator;
  readonly #depth: FilmDepth;
  readonly #background: FilmBackground;
  readonly #scalers = new Map<string, Scaler>();
  readonly #wishedPercent: number;
  readonly #sweep: number;
  readonly #corners: Int32Array;
  /** Two of each: one frame is drawn while the next one's depth is found. */
  readonly #slots: readonly Slot[];
  #turn = 0;
  /** The frame at half its size, for everything that is much smaller than it. */
  readonly #half: Size;
  readonly #halver: Scaler;
  #halved: Uint8Array = new Uint8Array();
  readonly #pool: Pool;
  #comfort: ComfortSoFar = { largest: 0, wished: 0, violations: 0, frames: 0 };

  constructor(options: FilmPainterOptions, layout: FilmLayout, estimator: KeyEstimator) {
    const { input, format, device, effect, tier, threads, state } = options;
    this.#options = options;
    this.#layout = layout;
    this.#estimator = estimator;
    this.size = format === 'anaglyph' ? layout.view : { width: layout.width, height: layout.height };
    this.#wishedPercent = layout.set ? wishedSweepPercent(layout.set, effect, input) : 0;
    this.#sweep = allowedSweepPercent(this.#wishedPercent, device.disparityBudget) / 100;
    this.#corners = Int32Array.from(layout.cells.flatMap(({ x, y }) => [x, y]));
    this.#depth = new FilmDepth(input, estimator, tier === 'best' ? 2 : 1);
    this.#background = new FilmBackground(this.#depth.grid, this.#sweep / 2);
    this.#half = { width: input.width >> 1, height: input.height >> 1 };
    this.#halver = new Scaler(input, this.#half);
    this.#pool = createPool(threads);
    this.#slots = [0, 1].map(() => ({
      frame: sharedBytes(3 * input.width * input.height),
      depth: sharedFloats(this.#depth.grid.width * this.#depth.grid.height),
      background: copyOf(this.#background.grid),
      packed: sharedBytes(3 * layout.width * layout.height),
      merged: format === 'anaglyph' ? sharedBytes(3 * this.size.width * this.size.height) : null,
    }));
    if (state) this.#restore(state);
  }

  get comfort(): Comfort | null {
    if (!this.#layout.set) return null;
    const { largest, wished, violations, frames } = this.#comfort;
    return {
      largestDisparityPercent: largest,
      wishedDisparityPercent: wished,
      clamped: this.#wishedPercent > 100 * this.#sweep,
      windowViolation: frames > 0 ? violations / frames : 0,
    };
  }

  async begin(rgb: Uint8Array, seconds: number): Promise<Drawing> {
    const slot = this.#slots[this.#turn++ & 1] as Slot;
    const { frame } = slot;
    frame.set(rgb);
    this.#halved = this.#halver.picture(frame).data;
    await this.#depth.next((size) => this.#scaled(frame, size), seconds);
    if (this.#options.format === 'rgbd') {
      this.#drawDepthBeside(slot);
      return { painted: Promise.resolve(slot.packed) };
    }
    const convergence = this.#options.convergence ?? this.#depth.convergence;
    this.#background.next(this.#scaled(frame, this.#depth.grid).data, this.#depth, seconds);
    if (this.#depth.estimated) this.#noteComfort(convergence);
    slot.depth.set(this.#depth.depth);
    slot.background.colour.set(this.#background.grid.colour);
    slot.background.depth.set(this.#background.grid.depth);
    const painted = this.#draw(slot, convergence, seconds);
    // Whoever waits for it hears of a failure; nobody may.
    painted.catch(() => {});
    return { painted };
  }

  async #draw(slot: Slot, convergence: number, seconds: number): Promise<Uint8Array> {
    await this.#drawViews(slot, convergence, seconds);
    if (!slot.merged) return slot.packed;
    const { view } = this.#layout;
    const pair = { kind: 'anaglyph', method: 'dubois', pair: slot.packed, width: view.width } as const;
    await this.#pool.run({ ...pair, merged: slot.merged }, view.height, ONE_SHARE);
    return slot.merged;
  }

  save(): Uint8Array {
    return serialize({
      grid: this.#depth.grid,
      depth: this.#depth.save(),
      background: this.#background.save(),
      comfort: this.#comfort,
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#estimator.close(), this.#pool.close()]);
  }

  #restore(state: Uint8Array): void {
    const { grid, depth, background, comfort } = deserialize(state);
    if (grid.width !== this.#depth.grid.width || grid.height !== this.#depth.grid.height) {
      throw new EngineError('conversionFailed', 'the state is that of a film of another size');
    }
    this.#depth.restore(depth);
    this.#background.restore(background);
    this.#comfort = comfort;
  }

  #scaled(frame: Uint8Array, { width, height }: Size): Picture {
    const fromHalf = width <= this.#half.width && height <= this.#half.height;
    const key = `${width}x${height}`;
    let scaler = this.#scalers.get(key);
    if (!scaler) {
      scaler = new Scaler(fromHalf ? this.#half : this.#options.input, { width, height });
      this.#scalers.set(key, scaler);
    }
    return scaler.picture(fromHalf ? this.#halved : frame);
  }

  async #drawViews(slot: Slot, convergence: number, seconds: number): Promise<void> {
    const { view, cells, set, width } = this.#layout;
    const sway = set === 'wiggle' ? Math.sin((2 * Math.PI * seconds) / SWAY_SECONDS) : -1;
    const reach = (this.#sweep / 2) * view.width;
    const reaches =
      set === 'wiggle'
        ? Float32Array.of(sway < 0 ? reach : -reach)
        : Float32Array.from(cells, ({ position }) => -position * reach);
    await this.#pool.run(
      {
        kind: 'film',
        frame: slot.frame,
        frameSize: this.#options.input,
        view,
        depth: { ...this.#depth.grid, depth: slot.depth },
        background: slot.background,
        convergence,
        strength: Math.abs(sway),
        reaches,
        corners: this.#corners,
        inset: overscan({ sweep: this.#sweep, convergence: this.#options.convergence ?? 0.5 }) * view.width,
        packed: slot.packed,
        packedWidth: width,
      },
      view.height,
      ONE_SHARE,
    );
  }

  #drawDepthBeside({ frame, packed }: Slot): void {
    const { view, width } = this.#layout;
    const { grid, depth } = this.#depth;
    const scaler = new Scaler(this.#options.input, view);
    for (let y = 0; y < view.height; y++) {
      const at = 3 * width * y;
      packed.set(scaler.row(frame, y), at);
      const row = Math.min(grid.height - 1, Math.floor(((y + 0.5) * grid.height) / view.height)) * grid.width;
      for (let x = 0; x < view.width; x++) {
        const value = depth[row + Math.floor(((x + 0.5) * grid.width) / view.width)] as number;
        packed.fill(Math.round(255 * value), at + 3 * (view.width + x), at + 3 * (view.width + x + 1));
      }
    }
  }

  #noteComfort(convergence: number): void {
    const samples = { ...this.#depth.grid, data: this.#depth.depth, scale: 1 };
    const now = comfortOf(samples, convergence, this.#wishedPercent, this.#options.device.disparityBudget);
    this.#comfort.largest = Math.max(this.#comfort.largest, now.largestDisparityPercent);
    this.#comfort.wished = Math.max(this.#comfort.wished, now.wishedDisparityPercent);
    this.#comfort.violations += now.windowViolation;
    this.#comfort.frames++;
  }
}

function copyOf({ width, height, colour, depth }: BackgroundGrid): BackgroundGrid {
  return { width, height, colour: sharedBytes(colour.length), depth: sharedFloats(depth.length) };
}

import { randomUUID } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { Anaglyph, VideoFormat } from '@framelift/contract/formats';
import type { NeuralDepth } from '../depth/neural/neural-depth.ts';
import { EngineError } from '../errors.ts';
import { budgetOf } from '../formats/index.ts';
import {
  allowedSweepPercent,
  comfortOf,
  fadeWidth,
  overscan,
  type Parallax,
  WIDEST_CONVERGENCE,
  wishedSweepPercent,
} from '../geometry/index.ts';
import { createPool, type Pool } from '../render/pool.ts';
import { createMemory, takeMemory } from '../render/wasm.ts';
import type { Comfort, DepthSource, DeviceProfile, Size, VideoTier } from '../types.ts';
import { VideoBackground } from './depth/background.ts';
import { createKeyEstimator, type KeyEstimator } from './depth/key.ts';
import { neuralKeyEstimator } from './depth/neural-key.ts';
import { VideoDepth } from './depth/video-depth.ts';
import { VideoOverlays } from './depth/video-overlays.ts';
import { blacken, frameBytes, lumaOf, type PlanePlace, planesOf } from './planes.ts';
import { type VideoLayout, videoLayout } from './renderer-layout.ts';
import { SmallPictures } from './scale.ts';
import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Renders the frames of one video for a display, in presentation order. */
export interface VideoRenderer {
  /** Required size (of the views) and pixel layout of input frames; `both`: the right eye's picture is below the left. */
  readonly input: { readonly size: Size; readonly pixels: 'yuv420' | 'gbr'; readonly both?: boolean };
  /** Size of output frames, both sides even. Their pixel layout is that of the input. */
  readonly size: Size;
  /** Over the frames rendered so far: maximum of the disparity, mean of the window violation. */
  readonly comfort: Comfort | null;
  readonly depthSource: DepthSource | null;
  /**
   * Starts the next frame and estimates its depth. Drawing overlaps with later frames, which may start as soon as this
   * resolves; at most `FRAMES_AT_ONCE` are in progress.
   * @param planes of the upright, cropped frame; read before this resolves
   * @param seconds presentation time
   */
  begin(planes: readonly Uint8Array[], seconds: number): Promise<Drawing>;
  /**
   * Returns the state from which another renderer continues with identical results after a crash; call between frames.
   */
  save(): Uint8Array;
  close(): Promise<void>;
}

export interface Drawing {
  /** Contiguous planes of a frame of the renderer's size; valid until `FRAMES_AT_ONCE` more frames have started. */
  readonly rendered: Promise<Uint8Array>;
}

export interface VideoRendererOptions {
  /** Size of the upright, cropped video. */
  readonly input: Size;
  readonly format: VideoFormat;
  readonly device: DeviceProfile;
  /** Percent, 0 … 100. */
  readonly effect: number;
  readonly tier: VideoTier;
  /** Depth shown in the plane of the frame; follows the subject if absent. */
  readonly convergence?: number;
  readonly swapEyes?: boolean;
  /** Default: `dubois`. */
  readonly anaglyph?: Anaglyph;
  readonly threads: number;
  readonly modelsDir?: string;
  /** The neural model in use, for the tier `best`; the caller closes it. */
  readonly neural?: NeuralDepth;
  /** Result of `save` of a renderer with the same options. */
  readonly state?: Uint8Array;
}

/** Frames in progress: one in depth estimation, one being drawn, one waiting for the encoder. */
export const FRAMES_AT_ONCE = 3;
/** Period of a wiggle's camera sway, in seconds. */
const SWAY_SECONDS = 3;
const ONE_SHARE = { sharesPerThread: 1 };

/**
 * @param leader renderer of another format of the same video, whose depth is used: it begins each frame first, and is saved
 * and restored with this one
 */
export async function createVideoRenderer(
  options: VideoRendererOptions,
  leader?: VideoRenderer,
): Promise<VideoRenderer> {
  if (options.format === 'flat') {
    return new FlatRenderer(videoLayout('flat', options.device, options.input));
  }
  if (leader instanceof DepthRenderer) return leader.follower(options);
  const { tier, threads, modelsDir, neural } = options;
  if (neural) return createDepthRenderer(options, neuralKeyEstimator(neural));
  // The small network gains nothing from a second thread, which the encoder can use instead.
  return createDepthRenderer(options, await createKeyEstimator(tier, tier === 'fast' ? 1 : threads, modelsDir));
}

/** Creates a renderer whose depth comes from `estimator`, which it closes. Not for `flat`. */
export function createDepthRenderer(options: VideoRendererOptions, estimator: KeyEstimator): VideoRenderer {
  return new DepthRenderer(
    options,
    videoLayout(options.format, options.device, options.input, options.swapEyes),
    estimator,
  );
}

/** Outputs the video unchanged, at the size of the display. */
class FlatRenderer implements VideoRenderer {
  readonly input: VideoRenderer['input'];
  readonly size: Size;
  readonly comfort = null;
  readonly depthSource = null;
  readonly #slots: readonly Uint8Array[];
  #turn = 0;

  constructor({ width, height }: VideoLayout) {
    this.size = { width, height };
    this.input = { size: this.size, pixels: 'yuv420' };
    this.#slots = Array.from({ length: FRAMES_AT_ONCE }, () => new Uint8Array(frameBytes('yuv420', this.size)));
  }

  async begin(planes: readonly Uint8Array[]): Promise<Drawing> {
    const slot = this.#slots[this.#turn++ % FRAMES_AT_ONCE] as Uint8Array;
    join(planes, slot);
    return { rendered: Promise.resolve(slot) };
  }

  save(): Uint8Array {
    return new Uint8Array();
  }

  async close(): Promise<void> {}
}

/** Part of the saved state besides depth and background. */
interface ComfortSoFar {
  largest: number;
  wished: number;
  violations: number;
  frames: number;
}

/** Memory of one frame in progress, shared with the threads. */
interface Slot {
  readonly frame: Place;
  readonly depth: Place<Float32Array>;
  readonly backColour: Place;
  readonly backDepth: Place<Float32Array>;
  readonly packed: Place;
  readonly merged: Uint8Array | null;
}

interface Place<Values = Uint8Array> {
  readonly at: number;
  readonly values: Values;
}

class DepthRenderer implements VideoRenderer {
  readonly input: VideoRenderer['input'];
  readonly size: Size;
  readonly depthSource: DepthSource;
  readonly #name = randomUUID();
  readonly #options: VideoRendererOptions;
  readonly #layout: VideoLayout;
  readonly #estimator: KeyEstimator;
  readonly #depth: VideoDepth;
  readonly #overlays: VideoOverlays;
  /** Whether depth and overlays are those of another renderer. */
  readonly #follows: boolean;
  readonly #background: VideoBackground;
  readonly #wishedPercent: number;
  readonly #sweep: number;
  /** The widest margins of the video: its convergence changes from shot to shot, its margins do not. */
  readonly #widest: Parallax;
  readonly #corners: Int32Array;
  readonly #memory = createMemory();
  readonly #slots: readonly Slot[];
  #turn = 0;
  readonly #small: SmallPictures;
  readonly #pool: Pool;
  #comfort: ComfortSoFar = { largest: 0, wished: 0, violations: 0, frames: 0 };

  constructor(options: VideoRendererOptions, layout: VideoLayout, estimator: KeyEstimator, leader?: DepthRenderer) {
    const { input, format, device, effect, tier, threads, state } = options;
    this.#options = options;
    this.#layout = layout;
    this.#estimator = estimator;
    this.depthSource = estimator.source;
    // An anaglyph mixes the colours of both eyes.
    const pixels = format === 'anaglyph' ? 'gbr' : 'yuv420';
    this.input = { size: layout.view, pixels };
    this.size = format === 'anaglyph' ? layout.view : { width: layout.width, height: layout.height };
    this.#wishedPercent = layout.set ? wishedSweepPercent(layout.set, effect, input) : 0;
    this.#sweep = allowedSweepPercent(this.#wishedPercent, budgetOf(format, device)) / 100;
    this.#widest = { sweep: this.#sweep, convergence: options.convergence ?? WIDEST_CONVERGENCE };
    this.#corners = Int32Array.from(layout.cells.flatMap(({ x, y }) => [x, y]));
    this.#follows = leader !== undefined;
    this.#depth = leader ? leader.#depth : new VideoDepth(input, estimator, tier === 'best' ? 2 : 1);
    this.#overlays = leader ? leader.#overlays : new VideoOverlays(layout.view);
    this.#background = new VideoBackground(this.#depth.grid, this.#sweep / 2);
    this.#small = new SmallPictures(this.#memory, pixels, layout.view);
    this.#pool = createPool(threads);
    this.#slots = Array.from({ length: FRAMES_AT_ONCE }, () => this.#newSlot());
    if (state) this.#restore(state);
  }

  /** Returns a renderer of another format with the depth of this one. */
  follower(options: VideoRendererOptions): DepthRenderer {
    const layout = videoLayout(options.format, options.device, options.input, options.swapEyes);
    return new DepthRenderer(options, layout, this.#estimator, this);
  }

  #newSlot(): Slot {
    const { pixels, size } = this.input;
    const { width, height } = this.#depth.grid;
    const place = (bytes: number): Place => {
      const at = takeMemory(this.#memory, bytes);
      return { at, values: new Uint8Array(this.#memory.buffer, at, bytes) };
    };
    const floats = (length: number): Place<Float32Array> => {
      const { at } = place(4 * length);
      return { at, values: new Float32Array(this.#memory.buffer, at, length) };
    };
    const slot: Slot = {
      frame: place(frameBytes(pixels, size)),
      depth: floats(width * height),
      backColour: place(3 * width * height),
      backDepth: floats(width * height),
      packed: place(frameBytes(pixels, this.#layout)),
      merged: pixels === 'gbr' ? place(frameBytes(pixels, this.size)).values : null,
    };
    blacken(slot.packed.values, pixels, this.#layout);
    return slot;
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

  async begin(planes: readonly Uint8Array[], seconds: number): Promise<Drawing> {
    const slot = this.#slots[this.#turn++ % FRAMES_AT_ONCE] as Slot;
    join(planes, slot.frame.values);
    this.#small.begin(slot.frame.at);
    const scaled = (size: Size) => this.#small.picture(size);
    if (!this.#follows) await this.#depth.next(scaled, seconds);
    const convergence = this.#options.convergence ?? this.#depth.convergence;
    if (!this.#follows) this.#overlays.next(scaled, this.#depth, seconds, convergence);
    if (this.#options.format === 'rgbd') {
      this.#drawDepthBeside(slot);
      return { rendered: Promise.resolve(slot.packed.values) };
    }
    await yieldToEventLoop();
    this.#background.next(this.#small.samples(this.#depth.grid), this.#depth, seconds);
    if (this.#depth.estimated) this.#noteComfort(convergence);
    slot.depth.values.set(this.#depth.depth);
    slot.backColour.values.set(this.#background.grid.colour);
    slot.backDepth.values.set(this.#background.grid.depth);
    const rendered = this.#draw(slot, convergence, seconds);
    // The caller awaits this but may have failed before; avoids an unhandled rejection.
    rendered.catch(() => {});
    return { rendered };
  }

  async #draw(slot: Slot, convergence: number, seconds: number): Promise<Uint8Array> {
    await this.#drawViews(slot, convergence, seconds);
    const { merged, packed } = slot;
    if (!merged) return packed.values;
    const { width, height } = this.#layout.view;
    const method = this.#options.anaglyph ?? 'dubois';
    const pair = { kind: 'anaglyph', method, pair: packed.values, width, planeRows: height } as const;
    await this.#pool.run({ ...pair, merged }, height, ONE_SHARE);
    return merged;
  }

  save(): Uint8Array {
    return serialize({
      grid: this.#depth.grid,
      ...(this.#follows ? {} : { depth: this.#depth.save(), overlays: this.#overlays.save() }),
      background: this.#background.save(),
      comfort: this.#comfort,
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#follows ? null : this.#estimator.close(), this.#pool.close()]);
  }

  #restore(state: Uint8Array): void {
    const { grid, depth, overlays, background, comfort } = deserialize(state);
    if (grid.width !== this.#depth.grid.width || grid.height !== this.#depth.grid.height) {
      throw new EngineError('conversionFailed', 'the state is that of a video of another size');
    }
    if (!this.#follows) {
      this.#depth.restore(depth);
      this.#overlays.restore(overlays);
    }
    this.#background.restore(background);
    this.#comfort = comfort;
  }

  async #drawViews(slot: Slot, convergence: number, seconds: number): Promise<void> {
    const { view, cells, set, width, height } = this.#layout;
    const sway = set === 'wiggle' ? Math.sin((2 * Math.PI * seconds) / SWAY_SECONDS) : -1;
    const reach = (this.#sweep / 2) * view.width;
    const reaches =
      set === 'wiggle'
        ? Float32Array.of(sway < 0 ? reach : -reach)
        : Float32Array.from(cells, ({ position }) => -position * reach);
    await this.#pool.run(
      {
        kind: 'video',
        video: this.#name,
        memory: this.#memory,
        pixels: this.input.pixels,
        view,
        frame: slot.frame.at,
        grid: this.#depth.grid,
        depth: slot.depth.at,
        backColour: slot.backColour.at,
        backDepth: slot.backDepth.at,
        convergence,
        strength: Math.abs(sway),
        reaches,
        corners: this.#corners,
        inset: overscan(this.#widest) * view.width,
        fade: fadeWidth(this.#widest),
        packed: slot.packed.at,
        packedSize: { width, height },
      },
      view.height / 2,
      ONE_SHARE,
    );
  }

  /** Draws colour on the left and depth as grey on the right. */
  #drawDepthBeside({ frame, packed }: Slot): void {
    const { pixels, size } = this.input;
    const { grid, depth } = this.#depth;
    const beside = planesOf(pixels, this.#layout);
    for (const [i, { at, width, height }] of planesOf(pixels, size).entries()) {
      const place = beside[i] as PlanePlace;
      for (let y = 0; y < height; y++) {
        const from = at + y * width;
        packed.values.set(frame.values.subarray(from, from + width), place.at + y * place.width);
      }
    }
    const { width, height } = size;
    for (let y = 0; y < height; y++) {
      const at = this.#layout.width * y + width;
      const row = Math.min(grid.height - 1, Math.floor(((y + 0.5) * grid.height) / height)) * grid.width;
      for (let x = 0; x < width; x++) {
        const value = depth[row + Math.floor(((x + 0.5) * grid.width) / width)] as number;
        packed.values[at + x] = lumaOf(value);
      }
    }
  }

  #noteComfort(convergence: number): void {
    const samples = { ...this.#depth.grid, data: this.#depth.depth, scale: 1 };
    const { format, device } = this.#options;
    const now = comfortOf(samples, convergence, this.#wishedPercent, budgetOf(format, device));
    this.#comfort.largest = Math.max(this.#comfort.largest, now.largestDisparityPercent);
    this.#comfort.wished = Math.max(this.#comfort.wished, now.wishedDisparityPercent);
    this.#comfort.violations += now.windowViolation;
    this.#comfort.frames++;
  }
}

/** Concatenates planes. */
function join(planes: readonly Uint8Array[], into: Uint8Array): void {
  let at = 0;
  for (const plane of planes) {
    into.set(plane, at);
    at += plane.length;
  }
}

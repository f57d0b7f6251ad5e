import { snapToMatte } from '../../depth/snap.ts';
import { quantile } from '../../depth/statistics.ts';
import { autoConvergence } from '../../geometry/index.ts';
import type { Picture, Size } from '../../types.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';
import { coloursOf, isCut } from './cuts.ts';
import type { KeyEstimate, KeyEstimator } from './key.ts';
import { type Brightness, brightnessOf, contrastOf, Motion, residualBetween } from './motion.ts';

/**
 * Cells of the motion grid, by fineness: the depth grid has the same resolution, or twice that if mattes give outlines.
 */
const MOTION_CELLS = { 1: 128 * 72, 2: 160 * 90 };
const SMALLEST_SIDE = 16;
/** Contrast below which a frame is blank (a flash, a fade through black); the previous state is kept. */
const BLANK = 4;
/** Brightness change above which a frame is not estimated, unless the estimate is overdue by this many intervals. */
const FLASH = 20;
const LONGEST_WAIT = 3;
/** Time constants in seconds of a new estimate, the matte, the shown depth, its range and its convergence. */
const ESTIMATE_SECONDS = 0.5;
const MATTE_SECONDS = 0.15;
const SHOWN_SECONDS = 0.12;
const RANGE_SECONDS = 1;
const CONVERGENCE_SECONDS = 1.5;
/**
 * Time in which what an estimate changed is shown, and the largest mean change a second and at once, as shares of the range
 * of depth: more of it takes longer.
 */
const LEAVE_SECONDS = 0.3;
const MOST_CHANGE = 0.12;
const POP = 0.005;
const LEAST_LEFT = 1e-3;
/** Brightness difference at which a cell's motion is no longer trusted. */
const UNBELIEVABLE = 14;
/** Jump of the shown depth (share of its range) that is a moving edge, not estimation noise. */
const EDGE = 0.12;
/** Depth outside these quantiles is noise and must not compress the rest of the range. */
const LOW = 0.005;
const HIGH = 0.995;
/** Smallest time between frames, used if timestamps repeat or decrease. */
const LEAST_STEP = 0.001;

/** Complete state for the depth of the next frame. Plain data, so that it can be serialised. */
interface Shot {
  seconds: number;
  keySeconds: number;
  brightness: Brightness;
  colours: Float32Array;
  blocks: { x: Float32Array; y: Float32Array };
  /** The last estimate: brightness of its frame, depth before and after cutting out the matte, and the matte. */
  keyBrightness: Brightness;
  keyDepth: Float32Array;
  keyRelief: Float32Array;
  keyMatte: Float32Array | null;
  /** What the depth before the last estimate had more than it, in its frame, and the share of it that is still shown. */
  left: Float32Array;
  leftShare: number;
  /** Offset of each cell to its position in the frame of the last estimate. */
  fromKeyX: Float32Array;
  fromKeyY: Float32Array;
  /** Depth as shown, before its range is stretched to 0 … 1. */
  shown: Float32Array;
  low: number;
  high: number;
  lowAim: number;
  highAim: number;
  convergence: number;
  convergenceAim: number;
}

/**
 * Depth of a video, frame by frame. A network (and, in the better tier, a matte) estimates frames at intervals; between
 * them, depth follows the motion of the picture. New estimates are aligned to the scale of the shot and blended in
 * where the motion is reliable; elsewhere they replace the old depth, which avoids smearing.
 */
export class VideoDepth {
  /** Size of `depth`. */
  readonly grid: Size;
  /** Depth of the last frame, 0 far … 1 near. */
  readonly depth: Float32Array;
  /** Whether the last frame started a shot. */
  cut = false;
  /** Whether the last frame was estimated rather than propagated. */
  estimated = false;
  readonly #estimator: KeyEstimator;
  readonly #motion: Motion;
  /** Depth cells per motion cell, along a side. */
  readonly #fineness: number;
  /** Buffers for the current frame. */
  readonly #scratch: { x: Float32Array; y: Float32Array } & Record<'now' | 'before' | 'left', Float32Array>;
  readonly #spare: Float32Array[] = [];
  #shot: Shot | null = null;

  constructor(input: Size, estimator: KeyEstimator, fineness: 1 | 2) {
    const scale = Math.sqrt(MOTION_CELLS[fineness] / (input.width * input.height));
    const side = (pixels: number) => Math.max(SMALLEST_SIDE, Math.min(pixels, Math.round(pixels * scale)));
    const size = { width: side(input.width), height: side(input.height) };
    this.#estimator = estimator;
    this.#fineness = fineness;
    this.#motion = new Motion(size);
    this.grid = { width: size.width * fineness, height: size.height * fineness };
    const cells = this.grid.width * this.grid.height;
    this.depth = new Float32Array(cells).fill(0.5);
    this.#scratch = {
      x: new Float32Array(size.width * size.height),
      y: new Float32Array(size.width * size.height),
      now: new Float32Array(cells),
      before: new Float32Array(cells),
      left: new Float32Array(cells),
    };
  }

  /** Depth shown in the plane of the display, for the last frame. */
  get convergence(): number {
    return this.#shot?.convergence ?? 0.5;
  }

  /** Returns the offset, in grid cells, of a cell to its position in the previous frame. */
  motionAt(x: number, y: number): readonly [number, number] {
    const f = this.#fineness;
    const i = Math.floor(y / f) * this.#motion.size.width + Math.floor(x / f);
    return [(this.#motion.x[i] as number) * f, (this.#motion.y[i] as number) * f];
  }

  save(): unknown {
    return this.#shot && { ...this.#shot, blocks: this.#motion.save() };
  }

  restore(state: unknown): void {
    const shot = state as Shot | null;
    this.#shot = shot;
    if (shot) this.#motion.restore(shot.blocks);
  }

  /**
   * Advances to the next frame.
   * @param scaled returns the frame at a given size
   */
  async next(scaled: (size: Size) => Picture, seconds: number): Promise<void> {
    const small = scaled(this.#motion.size);
    const brightness = brightnessOf(small.data, small, this.#spare.pop());
    const shot = this.#shot;
    this.cut = false;
    this.estimated = false;
    if (!shot) {
      await this.#begin(scaled, seconds, brightness, coloursOf(small));
      return;
    }
    const step = Math.max(LEAST_STEP, seconds - shot.seconds);
    shot.seconds = seconds;
    if (contrastOf(brightness) < BLANK) {
      this.#motion.reset();
      this.#spare.push(brightness.data);
      return;
    }
    const colours = coloursOf(small);
    await yieldToEventLoop();
    this.#motion.find(brightness, shot.brightness);
    await yieldToEventLoop();
    if (isCut(shot.colours, colours, this.#motion)) {
      await this.#begin(scaled, seconds, brightness, colours);
      return;
    }
    this.#follow(shot);
    const overdue = (seconds - shot.keySeconds + step / 2) / this.#estimator.interval;
    const flash = Math.abs(brightness.mean - shot.brightness.mean) > FLASH;
    if (shot.brightness !== shot.keyBrightness) this.#spare.push(shot.brightness.data);
    shot.brightness = brightness;
    shot.colours = colours;
    if (overdue > (flash ? LONGEST_WAIT : 1)) {
      await this.#estimateAgain(shot, scaled, seconds - shot.keySeconds);
    }
    this.#show(shot, step);
  }

  /** Starts a new shot: discards all state of the previous one. */
  async #begin(
    scaled: (size: Size) => Picture,
    seconds: number,
    brightness: Brightness,
    colours: Float32Array,
  ): Promise<void> {
    this.cut = true;
    this.estimated = true;
    this.#motion.reset();
    const estimate = await this.#estimator.estimate(scaled, this.grid);
    const { depth, matte } = estimate ?? {
      depth: { ...this.grid, data: new Float32Array(this.depth.length) },
      matte: null,
    };
    const cells = brightness.width * brightness.height;
    const shot: Shot = {
      seconds,
      keySeconds: seconds,
      brightness,
      colours,
      blocks: this.#motion.save(),
      keyBrightness: brightness,
      keyDepth: depth.data,
      keyRelief: relief({ depth, matte }),
      keyMatte: matte?.data ?? null,
      left: new Float32Array(depth.data.length),
      leftShare: 0,
      fromKeyX: new Float32Array(cells),
      fromKeyY: new Float32Array(cells),
      shown: new Float32Array(depth.data.length),
      low: 0,
      high: 1,
      lowAim: 0,
      highAim: 1,
      convergence: 0.5,
      convergenceAim: 0.5,
    };
    shot.shown.set(shot.keyRelief);
    this.#aim(shot);
    shot.low = shot.lowAim;
    shot.high = shot.highAim;
    this.#stretch(shot);
    shot.convergenceAim = autoConvergence({ ...this.grid, data: this.depth, scale: 1 });
    shot.convergence = shot.convergenceAim;
    this.#shot = shot;
  }

  /**
   * Updates the offsets to the frame of the last estimate: chains the motion to the previous frame with its offsets.
   */
  #follow(shot: Shot): void {
    const { x, y } = this.#scratch;
    carry(shot.fromKeyX, this.#motion.size, this.#motion.x, this.#motion.y, 1, x);
    carry(shot.fromKeyY, this.#motion.size, this.#motion.x, this.#motion.y, 1, y);
    for (let i = 0; i < x.length; i++) {
      shot.fromKeyX[i] = (x[i] as number) + (this.#motion.x[i] as number);
      shot.fromKeyY[i] = (y[i] as number) + (this.#motion.y[i] as number);
    }
  }

  async #estimateAgain(shot: Shot, scaled: (size: Size) => Picture, passed: number): Promise<void> {
    const fresh = await this.#estimator.estimate(scaled, this.grid);
    if (!fresh) {
      shot.keySeconds = shot.seconds;
      return;
    }
    this.estimated = true;
    await yieldToEventLoop();
    const doubt = this.#doubt(shot);
    const depth = this.#carried(shot, shot.keyDepth);
    align(fresh.depth.data, depth, doubt);
    mixIn(depth, fresh.depth.data, doubt, 1 - Math.exp(-passed / ESTIMATE_SECONDS));
    let matte: Float32Array | null = null;
    if (fresh.matte) {
      matte = shot.keyMatte ? this.#carried(shot, shot.keyMatte) : fresh.matte.data;
      if (shot.keyMatte) mixIn(matte, fresh.matte.data, doubt, 1 - Math.exp(-passed / MATTE_SECONDS));
    }
    const before = this.#target(shot, new Float32Array(depth.length));
    shot.keySeconds = shot.seconds;
    if (shot.keyBrightness !== shot.brightness) this.#spare.push(shot.keyBrightness.data);
    shot.keyBrightness = shot.brightness;
    shot.keyDepth = depth;
    shot.keyMatte = matte;
    shot.keyRelief = relief({ depth: { ...this.grid, data: depth }, matte: matte && { ...this.grid, data: matte } });
    shot.fromKeyX.fill(0);
    shot.fromKeyY.fill(0);
    this.#leave(shot, before, doubt);
    this.#aim(shot);
    await yieldToEventLoop();
  }

  /**
   * Returns the unreliability of the motion since the last estimate: 0 reliable … 1 unreliable, per cell of the grid.
   */
  #doubt(shot: Shot): Float32Array {
    const { size } = this.#motion;
    const residual = new Float32Array(size.width * size.height);
    residualBetween(shot.brightness, shot.keyBrightness, shot.fromKeyX, shot.fromKeyY, residual);
    const doubt = new Float32Array(this.grid.width * this.grid.height);
    const f = this.#fineness;
    for (let y = 0, i = 0; y < this.grid.height; y++) {
      const row = Math.floor(y / f) * size.width;
      for (let x = 0; x < this.grid.width; x++, i++) {
        const r = (residual[row + Math.floor(x / f)] as number) / UNBELIEVABLE;
        doubt[i] = Math.min(1, r * r);
      }
    }
    return doubt;
  }

  /** Returns a plane of the last estimate, warped to this frame. */
  #carried(shot: Shot, plane: Float32Array, out: Float32Array = new Float32Array(plane.length)): Float32Array {
    carry(plane, this.grid, shot.fromKeyX, shot.fromKeyY, this.#fineness, out);
    return out;
  }

  /** Returns the depth by the last estimate, and what is left of the one before, warped to this frame. */
  #target(shot: Shot, out: Float32Array): Float32Array {
    this.#carried(shot, shot.keyRelief, out);
    if (shot.leftShare <= LEAST_LEFT) return out;
    const left = this.#carried(shot, shot.left, this.#scratch.left);
    for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + (left[i] as number) * shot.leftShare;
    return out;
  }

  /**
   * Keeps what the depth before a new estimate had more than it, so that nothing pops. Where the motion is unreliable, the
   * new one is shown at once, but only as far as the frame as a whole does not pop.
   */
  #leave(shot: Shot, before: Float32Array, doubt: Float32Array): void {
    let doubtful = 0;
    for (let i = 0; i < before.length; i++) {
      const left = (before[i] as number) - (shot.keyRelief[i] as number);
      shot.left[i] = left;
      doubtful += Math.abs(left) * (doubt[i] as number);
    }
    const mean = doubtful / before.length / Math.max(1e-6, shot.high - shot.low);
    const atOnce = Math.min(1, POP / Math.max(1e-6, mean));
    for (let i = 0; i < before.length; i++)
      shot.left[i] = (shot.left[i] as number) * (1 - atOnce * (doubt[i] as number));
    shot.leftShare = 1;
  }

  /** Lets go of a part of what is left: over a while, and longer if there is much of it. */
  #letGo(shot: Shot, step: number): void {
    if (shot.leftShare <= LEAST_LEFT) return;
    let sum = 0;
    for (const value of shot.left) sum += Math.abs(value);
    const mean = sum / shot.left.length / Math.max(1e-6, shot.high - shot.low);
    shot.leftShare = Math.max(
      0,
      shot.leftShare - Math.min(step / LEAVE_SECONDS, (MOST_CHANGE * step) / Math.max(1e-6, mean)),
    );
  }

  /** Computes the depth of this frame: follows the last estimate smoothly, except at moving edges. */
  #show(shot: Shot, step: number): void {
    const { now, before } = this.#scratch;
    if (!this.estimated) this.#letGo(shot, step);
    this.#target(shot, now);
    carry(shot.shown, this.grid, this.#motion.x, this.#motion.y, this.#fineness, before);
    const share = 1 - Math.exp(-step / SHOWN_SECONDS);
    const perRange = 1 / Math.max(1e-6, shot.high - shot.low);
    for (let i = 0; i < now.length; i++) {
      const old = before[i] as number;
      const change = (now[i] as number) - old;
      const jump = Math.min(1, (Math.abs(change) * perRange) / EDGE);
      shot.shown[i] = old + change * (share + (1 - share) * jump * jump);
    }
    const towards = 1 - Math.exp(-step / RANGE_SECONDS);
    shot.low += (shot.lowAim - shot.low) * towards;
    shot.high += (shot.highAim - shot.high) * towards;
    this.#stretch(shot);
    if (this.estimated) shot.convergenceAim = autoConvergence({ ...this.grid, data: this.depth, scale: 1 });
    shot.convergence += (shot.convergenceAim - shot.convergence) * (1 - Math.exp(-step / CONVERGENCE_SECONDS));
  }

  #aim(shot: Shot): void {
    shot.lowAim = quantile(shot.keyRelief, LOW);
    shot.highAim = quantile(shot.keyRelief, HIGH);
  }

  #stretch(shot: Shot): void {
    const { depth } = this;
    const range = shot.high - shot.low;
    if (!(range > 1e-3)) {
      depth.fill(0.5);
      return;
    }
    const scale = 1 / range;
    for (let i = 0; i < depth.length; i++) {
      depth[i] = Math.min(1, Math.max(0, ((shot.shown[i] as number) - shot.low) * scale));
    }
  }
}

/** Cuts the matte out of the depth and dilates near objects by a cell, so that their outlines are not torn in two. */
function relief({ depth, matte }: KeyEstimate): Float32Array {
  const { width, height } = depth;
  const cut = matte ? snapToMatte(depth, matte).data : depth.data;
  const rows = new Float32Array(cut.length);
  const grown = new Float32Array(cut.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const left = cut[x > 0 ? i - 1 : i] as number;
      const right = cut[x + 1 < width ? i + 1 : i] as number;
      rows[i] = Math.max(left, cut[i] as number, right);
    }
  }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const above = rows[y > 0 ? i - width : i] as number;
      const below = rows[y + 1 < height ? i + width : i] as number;
      grown[i] = Math.max(above, rows[i] as number, below);
    }
  }
  return grown;
}

/** Warps `plane` by the motion; `fineness` is the number of its cells per motion cell, along a side. */
function carry(
  plane: Float32Array,
  { width, height }: Size,
  motionX: Float32Array,
  motionY: Float32Array,
  fineness: number,
  out: Float32Array,
): void {
  const motionWidth = width / fineness;
  const shift = fineness - 1;
  for (let y = 0, i = 0; y < height; y++) {
    const row = (y >> shift) * motionWidth;
    for (let x = 0; x < width; x++, i++) {
      const m = row + (x >> shift);
      const u = Math.min(width - 1, Math.max(0, x + (motionX[m] as number) * fineness));
      const v = Math.min(height - 1, Math.max(0, y + (motionY[m] as number) * fineness));
      // Both are non-negative, so truncation equals floor and is much cheaper.
      const left = u | 0;
      const top = v | 0;
      const at = top * width + left;
      const right = left + 1 < width ? 1 : 0;
      const below = at + (top + 1 < height ? width : 0);
      const across = u - left;
      const a = plane[at] as number;
      const upper = a + ((plane[at + right] as number) - a) * across;
      const c = plane[below] as number;
      const lower = c + ((plane[below + right] as number) - c) * across;
      out[i] = upper + (lower - upper) * (v - top);
    }
  }
}

/**
 * Aligns an estimate, whose scale is arbitrary, to the previous one: same mean and same deviation where the motion is
 * reliable. (A regression would shrink the scale slightly each time.)
 */
function align(fresh: Float32Array, before: Float32Array, doubt: Float32Array): void {
  let weight = 0;
  let freshSum = 0;
  let beforeSum = 0;
  for (let i = 0; i < fresh.length; i++) {
    const w = 1 - (doubt[i] as number);
    weight += w;
    freshSum += w * (fresh[i] as number);
    beforeSum += w * (before[i] as number);
  }
  // Too little overlap to compare scales.
  if (weight < 0.1 * fresh.length) return;
  const freshMean = freshSum / weight;
  const beforeMean = beforeSum / weight;
  let freshSpread = 0;
  let beforeSpread = 0;
  for (let i = 0; i < fresh.length; i++) {
    const w = 1 - (doubt[i] as number);
    freshSpread += w * ((fresh[i] as number) - freshMean) ** 2;
    beforeSpread += w * ((before[i] as number) - beforeMean) ** 2;
  }
  const scale = Math.min(2, Math.max(0.5, Math.sqrt((beforeSpread + 1e-6) / (freshSpread + 1e-6))));
  for (let i = 0; i < fresh.length; i++) fresh[i] = beforeMean + ((fresh[i] as number) - freshMean) * scale;
}

/** Moves `values` towards `fresh` by `share`, and completely where the motion is unreliable. */
function mixIn(values: Float32Array, fresh: Float32Array, doubt: Float32Array, share: number): void {
  for (let i = 0; i < values.length; i++) {
    const old = values[i] as number;
    values[i] = old + ((fresh[i] as number) - old) * (share + (1 - share) * (doubt[i] as number));
  }
}

/** Agreement of a depth map with measured depth: the metrics of the reference scoring, depth-eval.py. */
import type { Plane } from '../../engine/src/depth/plane.ts';
import { resampleLinear } from '../../engine/src/depth/resample.ts';
import { MersenneTwister } from './mersenne-twister.ts';

export interface DepthScore {
  /** Share of pixel pairs in the right order, 0 … 1; 0.5 is chance. */
  readonly ordinal: number;
  /**
   * Mean relative error of depth after the best scale and shift, and share within 25 %; null if the truth is relative.
   */
  readonly absRel: number | null;
  readonly delta1: number | null;
}

const PAIRS = 60_000;
const SEED = 1;
/** Pairs whose relative depth difference is smaller are skipped. */
const DIFFERENT = 0.03;
/** Differences of the estimate below this share of its range are ties, which count half. */
const TIE = 1e-4;
const ROUNDS = 3;

/**
 * Scores an estimate.
 * @param estimate of any size; larger is nearer
 * @param truth inverse depth, 0 if unknown
 * @param isAffine whether the truth itself is known only up to scale and shift
 */
export function scoreDepth(estimate: Plane, truth: Plane, isAffine: boolean): DepthScore {
  const map = resampleLinear(estimate, truth.width, truth.height).data;
  const known: number[] = [];
  for (let i = 0; i < truth.data.length; i++) if ((truth.data[i] as number) > 0) known.push(i);
  const guess = Float64Array.from(known, (i) => map[i] as number);
  const real = Float64Array.from(known, (i) => truth.data[i] as number);
  const ordinal = shareInOrder(guess, real, rangeOf(map));
  if (isAffine) return { ordinal, absRel: null, delta1: null };
  return { ordinal, ...errorsAfterFit(guess, real) };
}

function shareInOrder(guess: Float64Array, real: Float64Array, range: number): number {
  const random = new MersenneTwister(SEED);
  const draw = () => Int32Array.from({ length: PAIRS }, () => random.below(real.length));
  const first = draw();
  const second = draw();
  let right = 0;
  let asked = 0;
  for (let i = 0; i < PAIRS; i++) {
    const a = first[i] as number;
    const b = second[i] as number;
    const difference = (real[a] as number) - (real[b] as number);
    if (!(Math.abs(difference) / Math.max(real[a] as number, real[b] as number) > DIFFERENT)) continue;
    const guessed = ((guess[a] as number) - (guess[b] as number)) / range;
    asked++;
    if (Math.abs(guessed) < TIE) right += 0.5;
    else if (guessed > 0 === difference > 0) right++;
  }
  return asked === 0 ? Number.NaN : right / asked;
}

/** Fits scale and shift to inverse depth in three rounds, each with lower weights for large errors. */
function errorsAfterFit(guess: Float64Array, real: Float64Array): { absRel: number; delta1: number } {
  const middle = medianOf(real);
  const truth = real.map((value) => value / middle);
  const weights = new Float64Array(truth.length).fill(1);
  let fit = { scale: 0, shift: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    fit = fitLine(guess, truth, weights);
    if (!(fit.scale >= 0)) fit = { scale: 0, shift: medianOf(truth) };
    const { scale, shift } = fit;
    const errors = truth.map((value, i) => Math.abs(scale * (guess[i] as number) + shift - value));
    const least = medianOf(errors) + 1e-6;
    for (let i = 0; i < weights.length; i++) weights[i] = 1 / Math.sqrt(Math.max(errors[i] as number, least));
  }
  const least = 0.8 * truth.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  let sum = 0;
  let close = 0;
  for (let i = 0; i < truth.length; i++) {
    const depth = 1 / Math.max(fit.scale * (guess[i] as number) + fit.shift, least);
    const realDepth = 1 / (truth[i] as number);
    sum += Math.abs(depth - realDepth) / realDepth;
    if (Math.max(depth / realDepth, realDepth / depth) < 1.25) close++;
  }
  return { absRel: sum / truth.length, delta1: close / truth.length };
}

/** Least squares of `weight · (scale · x + shift − y)`; scale is 0 for constant x. */
function fitLine(x: Float64Array, y: Float64Array, weights: Float64Array): { scale: number; shift: number } {
  let total = 0;
  let meanX = 0;
  let meanY = 0;
  for (let i = 0; i < x.length; i++) {
    const weight = (weights[i] as number) ** 2;
    total += weight;
    meanX += weight * (x[i] as number);
    meanY += weight * (y[i] as number);
  }
  meanX /= total;
  meanY /= total;
  let xx = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i++) {
    const weight = (weights[i] as number) ** 2;
    const dx = (x[i] as number) - meanX;
    xx += weight * dx * dx;
    xy += weight * dx * ((y[i] as number) - meanY);
  }
  const scale = xx > 0 ? xy / xx : 0;
  return { scale, shift: meanY - scale * meanX };
}

function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
}

function rangeOf(values: Float32Array): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return Math.max(high - low, 1e-9);
}

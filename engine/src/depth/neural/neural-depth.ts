/** Depth estimation with an installed neural network. */
import { EngineError } from '../../errors.ts';
import type { DepthMap, Picture, Size } from '../../types.ts';
import type { EstimateOptions } from '../index.ts';
import { GRID_HEIGHT, GRID_WIDTH, type Plane } from '../plane.ts';
import { resampleLinear } from '../resample.ts';
import { findSky } from '../sky.ts';
import { median, normaliseRange, quantile } from '../statistics.ts';
import { stretchPicture } from '../stretch.ts';
import type { NeuralModel } from './catalogue.ts';
import type { Device } from './devices.ts';
import { loadNetwork, type Network } from './network.ts';
import { countBroken, fillBroken, isFlat } from './repair.ts';
import type { InstalledModel } from './store.ts';

/** Largest accepted fraction of non-finite values; above it the result is rejected. */
const MOST_BROKEN = 0.03;
/**
 * Smallest excess of blue over red at which a sky overrides a network that places it near; ceilings and walls have
 * less.
 */
const BLUE = 8;

export interface NeuralDepth {
  readonly model: NeuralModel;
  /**
   * @param shortSide of the network's input; the trained one by default
   * @throws {UnusableDepthError} when the output is flat or has too many non-finite values
   */
  estimate(picture: Picture, options?: EstimateOptions & { readonly shortSide?: number }): Promise<DepthMap>;
  close(): Promise<void>;
}

/** The network ran, but its output cannot be used for this picture. */
export class UnusableDepthError extends Error {}

/** @throws Error when a file of the model cannot be loaded on this device */
export async function loadNeuralDepth(
  { model, files }: InstalledModel,
  threads: number,
  device: Device = 'cpu',
): Promise<NeuralDepth> {
  const load = async (file: string | undefined) =>
    file === undefined ? null : loadNetwork(file, model, threads, device);
  // Half precision is preferred when installed, because it is smaller; full precision is the fallback for pictures on
  // which it fails.
  const half = await load(files.fp16);
  let full = half === null ? await load(files.fp32) : null;
  const fullPrecision = async () => {
    full ??= await load(files.fp32);
    return full;
  };
  return {
    model,
    async estimate(picture, { signal, onProgress, shortSide = model.shortSide } = {}) {
      const step = (fraction: number) => {
        if (signal?.aborted) throw new EngineError('conversionCancelled', 'cancelled while estimating depth');
        onProgress?.(fraction);
      };
      step(0);
      const [sky, first] = await Promise.all([
        stretchPicture(picture, 2 * GRID_WIDTH, 2 * GRID_HEIGHT).then(lookForSky),
        (half ?? (full as Network)).infer(picture, shortSide),
      ]);
      step(0.8);
      let raw = first;
      if (half && isDoubtful(raw)) raw = (await (await fullPrecision())?.infer(picture, shortSide)) ?? raw;
      step(0.95);
      const broken = countBroken(raw);
      if (isFlat(raw) || broken > MOST_BROKEN * raw.data.length)
        throw new UnusableDepthError(
          `${Math.round((100 * broken) / raw.data.length)} % of its values are no numbers${isFlat(raw) ? ', the others all the same' : ''}`,
        );
      const whole = withFarSky(broken > 0 ? fillBroken(raw) : raw, sky);
      const { width, height } = mapSize(picture, raw);
      const data = normaliseRange(resampleLinear(whole, width, height).data);
      step(1);
      return { data, width, height, source: `model:${model.id}` };
    },
    async close() {
      await half?.close();
      await full?.close();
    },
  };
}

const isDoubtful = (plane: Plane) => countBroken(plane) > 0 || isFlat(plane);

/** Returns the picture's aspect at about the network's resolution, never larger than the picture. */
function mapSize(picture: Size, { width, height }: Size): Size {
  const scale = Math.min(1, Math.max(width, height) / Math.max(picture.width, picture.height));
  return {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  };
}

interface Sky {
  /** 1 for sky, on the grid. */
  readonly mask: Plane;
  readonly isBlue: boolean;
}

/** @param rgb the picture at twice the grid size */
function lookForSky(rgb: Picture): Sky | null {
  const cells = findSky(rgb.data);
  let count = 0;
  let blueness = 0;
  for (let i = 0; i < cells.length; i++) {
    if (!cells[i]) continue;
    const x = i % GRID_WIDTH;
    const y = (i - x) / GRID_WIDTH;
    const at = 3 * (4 * y * GRID_WIDTH + 2 * x);
    blueness += (rgb.data[at + 2] as number) - (rgb.data[at] as number);
    count++;
  }
  if (count === 0) return null;
  const mask = { data: Float32Array.from(cells), width: GRID_WIDTH, height: GRID_HEIGHT };
  return { mask, isBlue: blueness / count >= BLUE };
}

/**
 * Moves the sky behind everything else. A region that only resembles sky, such as a white ceiling, keeps the network's
 * depth: the network places ceilings near, and they are not blue.
 */
function withFarSky(depth: Plane, sky: Sky | null): Plane {
  if (!sky) return depth;
  const { data: weight } = resampleLinear(sky.mask, depth.width, depth.height);
  const inside = depth.data.filter((_, i) => (weight[i] as number) > 0.5);
  const outside = depth.data.filter((_, i) => (weight[i] as number) <= 0.5);
  if (inside.length === 0 || outside.length === 0) return depth;
  if (!sky.isBlue && median(inside) > median(outside)) return depth;
  const far = quantile(outside, 0.005);
  const data = depth.data.map((value, i) => value + (Math.min(value, far) - value) * (weight[i] as number));
  return { ...depth, data };
}

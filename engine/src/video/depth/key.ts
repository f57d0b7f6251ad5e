import path from 'node:path';
import type { InferenceSession } from 'onnxruntime-node';
import { fuse } from '../../depth/fuse.ts';
import { estimateByHand, MATTE_SIDE } from '../../depth/hand.ts';
import { findSubject } from '../../depth/matte.ts';
import { MODEL_FILES } from '../../depth/model-files.ts';
import { createPlane, GRID_HEIGHT, GRID_WIDTH, type Plane } from '../../depth/plane.ts';
import { resampleLinear } from '../../depth/resample.ts';
import { inputSize } from '../../depth/scene-network.ts';
import { loadOptional, runModel } from '../../depth/session.ts';
import { findSky } from '../../depth/sky.ts';
import { normaliseSpread, quantile } from '../../depth/statistics.ts';
import { distFile } from '../../render/dist.ts';
import type { DepthSource, Picture, Size, VideoTier } from '../../types.ts';
import { yieldToEventLoop } from '../yield-to-event-loop.ts';

/** Depth estimate of a single frame. */
export interface KeyEstimate {
  /** Relative inverse depth, larger is nearer: centred at about 0, with a mean deviation of about 1. */
  readonly depth: Plane;
  /** Subject matte of the same size, 0 … 1; null without matting. */
  readonly matte: Plane | null;
}

export interface KeyEstimator {
  readonly source: DepthSource;
  /** Seconds of video between two estimates of a shot. */
  readonly interval: number;
  /** Warnings for the operator's log about models that could not be loaded. */
  readonly warnings: readonly string[];
  /**
   * @param scaled returns the frame at a given size
   * @returns null for a frame that cannot be estimated: the depth before it is carried on
   */
  estimate(scaled: (size: Size) => Picture, grid: Size): Promise<KeyEstimate | null>;
  close(): Promise<void>;
}

const INTERVAL = 0.32;
/** Depth quantile assigned to sky cells: the far end, but not beyond it. */
const SKY_DEPTH = 0.02;

export async function createKeyEstimator(
  tier: VideoTier,
  threads: number,
  modelsDir = distFile('models'),
): Promise<KeyEstimator> {
  const warnings: string[] = [];
  const load = (name: string, loss: string) =>
    loadOptional(path.join(modelsDir, name), threads, loss, warnings, 'kept');
  const [scene, matting] = await Promise.all([
    load(MODEL_FILES.scene, 'rooms and streets will be read less well'),
    tier === 'best' ? load(MODEL_FILES.matte[512], 'subjects will not stand out from their background') : null,
  ]);
  return {
    source: 'basic',
    interval: INTERVAL,
    warnings,
    async estimate(scaled, grid) {
      const cells = scaled({ width: 2 * GRID_WIDTH, height: 2 * GRID_HEIGHT });
      const network = scene && (await readFrame(scene, scaled, grid));
      await yieldToEventLoop();
      if (!matting) {
        const plain = network ? resampleLinear(network, grid.width, grid.height) : layout(cells.data, grid);
        const depth = { ...plain, data: normaliseSpread(plain.data) };
        pushBack(depth, findSky(cells.data));
        return { depth, matte: null };
      }
      const matte = await findSubject(matting, scaled({ width: MATTE_SIDE, height: MATTE_SIDE }));
      const fused = fuse(network, estimateByHand(cells.data, matte), true);
      const depth = resampleLinear(fused, grid.width, grid.height);
      pushBack(depth, findSky(cells.data));
      return { depth, matte: resampleLinear(matte, grid.width, grid.height) };
    },
    async close() {
      await Promise.all([scene?.release(), matting?.release()]);
    },
  };
}

/** Runs the scene network without its mirrored pass, which is too slow for videos. */
async function readFrame(session: InferenceSession, scaled: (size: Size) => Picture, aspect: Size): Promise<Plane> {
  const { width, height } = inputSize(aspect);
  const { data } = scaled({ width, height });
  const pixels = width * height;
  const input = new Float32Array(3 * pixels);
  for (let i = 0, at = 0; i < pixels; i++, at += 3) {
    input[i] = (data[at] as number) / 255;
    input[pixels + i] = (data[at + 1] as number) / 255;
    input[2 * pixels + i] = (data[at + 2] as number) / 255;
  }
  return runModel(session, input, width, height);
}

function layout(cells: Uint8Array, { width, height }: Size): Plane {
  return resampleLinear(estimateByHand(cells, null), width, height);
}

/** Moves the sky to the far end, regardless of the network's output. */
function pushBack(depth: Plane, sky: Uint8Array): void {
  const mask = createPlane(GRID_WIDTH, GRID_HEIGHT);
  let cells = 0;
  for (let i = 0; i < sky.length; i++) {
    mask.data[i] = sky[i] as number;
    cells += sky[i] as number;
  }
  if (cells === 0) return;
  const share = resampleLinear(mask, depth.width, depth.height).data;
  const far = quantile(depth.data, SKY_DEPTH);
  for (let i = 0; i < share.length; i++) {
    const here = depth.data[i] as number;
    const sky = share[i] as number;
    if (sky > 0 && here > far) depth.data[i] = here + (far - here) * sky;
  }
}

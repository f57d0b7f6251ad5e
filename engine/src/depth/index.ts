/**
 * The built-in depth estimator ("basic depth"), which runs on every machine without downloads. A subject matte defines
 * the edges; a layout of ground and sky and a small network define the order of everything else; what stands is made
 * upright, and edges follow the picture.
 */
import path from 'node:path';
import { EngineError } from '../errors.ts';
import { distFile } from '../render/dist.ts';
import type { DepthMap, Picture, Size } from '../types.ts';
import { fuse } from './fuse.ts';
import { estimateByHand, MATTE_SIDE } from './hand.ts';
import { findSubject } from './matte.ts';
import { type MatteSize, MODEL_FILES } from './model-files.ts';
import { GRID_HEIGHT, GRID_WIDTH } from './plane.ts';
import { finishDepth } from './post-process.ts';
import { resampleLinear } from './resample.ts';
import { readScene } from './scene-network.ts';
import { loadOptional } from './session.ts';
import { confirmSky, findSky } from './sky.ts';
import { stretchPicture } from './stretch.ts';
import { standUpright } from './upright.ts';

/** Maximum long side of the depth map; smaller pictures keep their size. */
const LONG_SIDE = 640;

export interface BasicDepthOptions {
  /** Folder with the files written by scripts/prepare-models.ts; `engine/dist/models` by default. */
  readonly modelsDir?: string;
  /** 640 (default) for pictures, 512 where speed matters more: videos and quick previews. */
  readonly matteSize?: MatteSize;
  /** Threads per network run, 2 by default. */
  readonly threads?: number;
}

export interface EstimateOptions {
  readonly signal?: AbortSignal;
  /** Called with 0 … 1, never decreasing. */
  readonly onProgress?: (fraction: number) => void;
}

export interface BasicDepth {
  /** Log messages for the operator about models that could not be loaded; results are poorer without them. */
  readonly warnings: readonly string[];
  /**
   * Estimates the depth of a picture.
   * @returns Relative inverse depth of the whole picture, long side at most 640.
   * @throws EngineError conversionCancelled after the signal is aborted, at the latest after the current network run.
   */
  estimate(picture: Picture, options?: EstimateOptions): Promise<DepthMap>;
  /** Frees the models. `estimate` must not be called afterwards. */
  close(): Promise<void>;
}

/**
 * Loads the models, which takes about half a second and 300 MB. A model that cannot be loaded is skipped and reported
 * in `warnings`.
 */
export async function createBasicDepth(options: BasicDepthOptions = {}): Promise<BasicDepth> {
  const { modelsDir = distFile('models'), matteSize = 640, threads = 2 } = options;
  const warnings: string[] = [];
  const load = (name: string, loss: string) => loadOptional(path.join(modelsDir, name), threads, loss, warnings);
  const [matteModel, sceneModel] = await Promise.all([
    load(MODEL_FILES.matte[matteSize], 'subjects will not stand out from their background'),
    load(MODEL_FILES.scene, 'rooms and streets will be read less well'),
  ]);

  return {
    warnings,
    async estimate(picture, { signal, onProgress } = {}) {
      const step = (fraction: number) => {
        if (signal?.aborted) throw new EngineError('conversionCancelled', 'cancelled while estimating depth');
        onProgress?.(fraction);
      };
      step(0);
      const size = workSize(picture);
      const [small, square, cells] = await Promise.all([
        stretchPicture(picture, size.width, size.height),
        stretchPicture(picture, matteSize, matteSize),
        stretchPicture(picture, 2 * GRID_WIDTH, 2 * GRID_HEIGHT),
      ]);
      step(0.1);
      const network = sceneModel && (await readScene(sceneModel, small));
      step(0.15);
      const matte = matteModel && (await findSubject(matteModel, square));
      step(0.9);
      const hand = estimateByHand(cells.data, matte && resampleLinear(matte, MATTE_SIDE, MATTE_SIDE));
      const fused = fuse(network, hand, matte !== null);
      // Only the network knows what stands and which bright area is really far.
      const coarse = network ? standUpright(fused) : fused;
      const sky = network && confirmSky(findSky(cells.data), resampleLinear(network, GRID_WIDTH, GRID_HEIGHT));
      const depth = finishDepth(coarse, small, matte, sky);
      step(1);
      return { ...depth, source: 'basic' };
    },
    async close() {
      await Promise.all([matteModel?.release(), sceneModel?.release()]);
    },
  };
}

function workSize({ width, height }: Size): Size {
  const scale = Math.min(1, LONG_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

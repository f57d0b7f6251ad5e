import { probePicture } from '../decode/probe.ts';
import { createDepthEngine, type DepthEngine } from '../depth/neural/depth-engine.ts';
import type { DepthDevice } from '../depth/neural/devices.ts';
import { installedModels, installedState } from '../depth/neural/store.ts';
import { createRenderer, type Renderer } from '../encode/index.ts';
import { rasterize } from '../encode/rasterize.ts';
import { shrink } from '../encode/shrink.ts';
import type { ConvertRequest, ConvertResults } from '../types.ts';
import type { VideoLimits } from '../video/limits.ts';
import type { CallHooks, EngineCalls } from './calls.ts';
import { convert } from './convert.ts';
import { importDepthMap } from './import-depth.ts';

export interface EngineOptions {
  /** Threads for the neural networks and for drawing views. */
  readonly threads?: number;
  /** Folder of the prepared models; `engine/dist/models` by default. */
  readonly modelsDir?: string;
  /** Folder of neural models installed by the operator; none by default. */
  readonly neuralDir?: string | undefined;
  /** Id of the only neural model that may be used; any installed one by default. */
  readonly neuralModel?: string | undefined;
  /** Where the neural model runs; `auto` by default. */
  readonly device?: DepthDevice | undefined;
  /** Limits for videos that differ from `VIDEO_LIMITS`. */
  readonly video?: Partial<VideoLimits> | undefined;
  /** Receives warnings for the operator, e.g. about a missing model. */
  readonly warn?: (sentence: string) => void;
}

/**
 * The engine's calls in this process: models are loaded and threads started on first use, then kept. Native decoders
 * run in this process, so a server uses `createConverter` instead.
 */
export interface Engine extends EngineCalls {
  close(): Promise<void>;
}

export function createEngine(options: EngineOptions = {}): Engine {
  const { threads, modelsDir, neuralDir, neuralModel, video } = options;
  let depth: Promise<DepthEngine> | null = null;
  let installed = '';
  let renderer: Renderer | null = null;
  const limits = threads === undefined ? {} : { threads };
  const tools = {
    /** A model that was installed or removed meanwhile takes effect with the next picture. */
    async depth() {
      const now = installedState(neuralDir, neuralModel);
      if (depth && now !== installed) {
        const old = depth;
        depth = null;
        await (await old).close();
      }
      installed = now;
      depth ??= createDepthEngine(options).catch((error) => {
        depth = null;
        throw error;
      });
      return depth;
    },
    /** Null without an installed model that works; loads nothing else. */
    async neural() {
      const isInstalled = neuralDir !== undefined && installedModels(neuralDir, neuralModel).length > 0;
      return isInstalled ? (await tools.depth()).neural : null;
    },
    renderer() {
      renderer ??= createRenderer(limits);
      return renderer;
    },
  };
  // FFmpeg is large: photos alone do not load it.
  const videos = async () =>
    (await import('../video/index.ts')).createVideos({ threads, modelsDir, limits: video, neural: tools.neural });
  return {
    async convert<R extends ConvertRequest>(request: R, hooks?: CallHooks) {
      const result =
        request.kind === 'video' ? (await videos()).convert(request, hooks) : convert(request, tools, hooks);
      return (await result) as ConvertResults[R['kind']];
    },
    probe: probePicture,
    depthMap: importDepthMap,
    shrink,
    rasterize,
    probeVideo: async (source) => (await videos()).probe(source),
    videoStill: async (still) => (await videos()).still(still),
    videoPreview: async (files, hooks) => (await videos()).preview(files, hooks),
    drawLoop: async (loop, hooks) => (await import('../video/demo/draw-loop.ts')).drawLoop(loop, hooks),
    status: async () => (await tools.depth()).status(),
    async close() {
      await renderer?.close();
      await (await depth)?.close();
    },
  };
}

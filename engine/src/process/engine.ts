import { type PictureInfo, probePicture } from '../decode/probe.ts';
import { createDepthEngine, type DepthEngine } from '../depth/neural/depth-engine.ts';
import type { EngineStatus } from '../depth/neural/status.ts';
import { createRenderer, type Renderer } from '../encode/index.ts';
import type { ConversionRequest, ConversionResult, Size, VideoRequest, VideoResult } from '../types.ts';
import type { VideoLimits } from '../video/limits.ts';
import type { VideoInfo } from '../video/video-info.ts';
import { type ConversionHooks, convert } from './convert.ts';
import { takeDepthMap } from './own-depth.ts';

export interface EngineOptions {
  /** Threads for the neural networks and for drawing views. */
  readonly threads?: number;
  /** Folder of the prepared models; `engine/dist/models` by default. */
  readonly modelsDir?: string;
  /** Folder of neural models that the operator installed; none by default. */
  readonly neuralDir?: string | undefined;
  /** What is read of videos, where it differs from `VIDEO_LIMITS`. */
  readonly video?: Partial<VideoLimits> | undefined;
  /** Told what an operator should know, e.g. that a model is missing. */
  readonly warn?: (sentence: string) => void;
}

/**
 * The conversion in this process: models are loaded and threads started at the first need, and kept. Native decoders run
 * here, so a server uses `createConverter` instead.
 */
export interface Engine {
  /** See `convert` of convert.ts: `request.outDir` is left as it is on failure. */
  convert(request: ConversionRequest, hooks?: ConversionHooks): Promise<ConversionResult>;
  probe(path: string): Promise<PictureInfo>;
  /** See `takeDepthMap` of own-depth.ts. */
  depthMap(path: string, outPath: string): Promise<Size>;
  /** Loads the depth engine and tries it with a small picture. */
  status(): Promise<EngineStatus>;
  /** See `convertVideo` of video/convert-video.ts. */
  convertVideo(request: VideoRequest, hooks?: ConversionHooks): Promise<VideoResult>;
  probeVideo(path: string): Promise<VideoInfo>;
  /** Writes a JPEG of the upright frame at that time. */
  videoStill(path: string, seconds: number, outPath: string): Promise<void>;
  /** Writes a small MP4 that every browser plays. */
  videoPreview(path: string, outPath: string, hooks?: Pick<ConversionHooks, 'signal'>): Promise<void>;
  close(): Promise<void>;
}

export function createEngine({ threads, modelsDir, neuralDir, video, warn }: EngineOptions = {}): Engine {
  let depth: Promise<DepthEngine> | null = null;
  let renderer: Renderer | null = null;
  const limits = threads === undefined ? {} : { threads };
  const tools = {
    depth() {
      depth ??= createDepthEngine({ threads, modelsDir, neuralDir, warn }).catch((error) => {
        depth = null;
        throw error;
      });
      return depth;
    },
    renderer() {
      renderer ??= createRenderer(limits);
      return renderer;
    },
  };
  // FFmpeg is large: photos alone do not load it.
  const videos = async () => (await import('../video/index.ts')).createVideos({ threads, modelsDir, limits: video });
  return {
    convertVideo: async (request, hooks) => (await videos()).convert(request, hooks),
    probeVideo: async (path) => (await videos()).probe(path),
    videoStill: async (path, seconds, outPath) => (await videos()).still(path, seconds, outPath),
    videoPreview: async (path, outPath, hooks) => (await videos()).preview(path, outPath, hooks),
    convert: (request, hooks) => convert(request, tools, hooks),
    probe: probePicture,
    depthMap: takeDepthMap,
    status: async () => (await tools.depth()).status(),
    async close() {
      await renderer?.close();
      await (await depth)?.close();
    },
  };
}

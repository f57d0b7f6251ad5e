import { type BasicDepth, createBasicDepth } from '../depth/index.ts';
import { createRenderer, type Renderer } from '../pack/index.ts';
import { type PictureInfo, probePicture } from '../picture/probe.ts';
import type { ConversionRequest, ConversionResult } from '../types.ts';
import { type ConversionHooks, convert } from './convert.ts';

export interface EngineOptions {
  /** Threads for the neural networks and for drawing views. */
  readonly threads?: number;
  /** Folder of the prepared models; `engine/dist/models` by default. */
  readonly modelsDir?: string;
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
  close(): Promise<void>;
}

export function createEngine({ threads, modelsDir, warn }: EngineOptions = {}): Engine {
  let depth: Promise<BasicDepth> | null = null;
  let renderer: Renderer | null = null;
  const limits = threads === undefined ? {} : { threads };
  const loadDepth = async () => {
    const loaded = await createBasicDepth({ ...limits, ...(modelsDir === undefined ? {} : { modelsDir }) });
    for (const warning of loaded.warnings) warn?.(warning);
    return loaded;
  };
  const tools = {
    depth() {
      depth ??= loadDepth().catch((error) => {
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
  return {
    convert: (request, hooks) => convert(request, tools, hooks),
    probe: probePicture,
    async close() {
      await renderer?.close();
      await (await depth)?.close();
    },
  };
}

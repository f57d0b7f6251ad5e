import { createDepthEngine, type DepthEngine } from '../neural/depth-engine.ts';
import type { EngineStatus } from '../neural/status.ts';
import { createRenderer, type Renderer } from '../pack/index.ts';
import { type PictureInfo, probePicture } from '../picture/probe.ts';
import type { ConversionRequest, ConversionResult } from '../types.ts';
import { type ConversionHooks, convert } from './convert.ts';

export interface EngineOptions {
  /** Threads for the neural networks and for drawing views. */
  readonly threads?: number;
  /** Folder of the prepared models; `engine/dist/models` by default. */
  readonly modelsDir?: string;
  /** Folder of neural models that the operator installed; none by default. */
  readonly neuralDir?: string | undefined;
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
  /** Loads the depth engine and tries it with a small picture. */
  status(): Promise<EngineStatus>;
  close(): Promise<void>;
}

export function createEngine({ threads, modelsDir, neuralDir, warn }: EngineOptions = {}): Engine {
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
  return {
    convert: (request, hooks) => convert(request, tools, hooks),
    probe: probePicture,
    status: async () => (await tools.depth()).status(),
    async close() {
      await renderer?.close();
      await (await depth)?.close();
    },
  };
}

import type { FilmInfo } from '../film/film-info.ts';
import type { FilmLimits } from '../film/limits.ts';
import { createDepthEngine, type DepthEngine } from '../neural/depth-engine.ts';
import type { EngineStatus } from '../neural/status.ts';
import { createRenderer, type Renderer } from '../pack/index.ts';
import { type PictureInfo, probePicture } from '../picture/probe.ts';
import type { ConversionRequest, ConversionResult, FilmRequest, FilmResult, Size } from '../types.ts';
import { type ConversionHooks, convert } from './convert.ts';
import { takeDepthMap } from './own-depth.ts';

export interface EngineOptions {
  /** Threads for the neural networks and for drawing views. */
  readonly threads?: number;
  /** Folder of the prepared models; `engine/dist/models` by default. */
  readonly modelsDir?: string;
  /** Folder of neural models that the operator installed; none by default. */
  readonly neuralDir?: string | undefined;
  /** What is read of films, where it differs from `FILM_LIMITS`. */
  readonly film?: Partial<FilmLimits> | undefined;
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
  /** See `convertFilm` of film/convert-film.ts. */
  convertFilm(request: FilmRequest, hooks?: ConversionHooks): Promise<FilmResult>;
  probeFilm(path: string): Promise<FilmInfo>;
  /** Writes a JPEG of the upright frame at that time. */
  filmStill(path: string, seconds: number, outPath: string): Promise<void>;
  /** Writes a small MP4 that every browser plays. */
  filmPreview(path: string, outPath: string, hooks?: Pick<ConversionHooks, 'signal'>): Promise<void>;
  close(): Promise<void>;
}

export function createEngine({ threads, modelsDir, neuralDir, film, warn }: EngineOptions = {}): Engine {
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
  const films = async () => (await import('../film/index.ts')).createFilms({ threads, modelsDir, limits: film });
  return {
    convertFilm: async (request, hooks) => (await films()).convert(request, hooks),
    probeFilm: async (path) => (await films()).probe(path),
    filmStill: async (path, seconds, outPath) => (await films()).still(path, seconds, outPath),
    filmPreview: async (path, outPath, hooks) => (await films()).preview(path, outPath, hooks),
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

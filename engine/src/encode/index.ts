import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Format, mimeType } from '@framelift/contract/formats';
import type { RightEye } from '../decode/stereo/right-eye.ts';
import { createStack, type Stack } from '../depth/layers/stack.ts';
import { EngineError } from '../errors.ts';
import { fileName } from '../formats/index.ts';
import { createPool } from '../render/pool.ts';
import type { Comfort, DepthMap, DeviceProfile, OutputFile, Picture, PreviewFiles, StillOptions } from '../types.ts';
import { checkFile } from './check/index.ts';
import { within } from './flat-picture.ts';
import { drawOutput, flatOutput } from './outputs.ts';
import { writePreview } from './preview.ts';
import { type ExportHooks, Steps } from './steps.ts';
import { writeAtomically } from './write-atomically.ts';

export interface RenderSource {
  /** The crop. */
  readonly picture: Picture;
  /** Null only for `flat`. */
  readonly depth: DepthMap | null;
  /** The photographed right eye, if the picture is the left one of a pair. */
  readonly rightEye?: RightEye | undefined;
  /** Depth shown in the plane of the display; chosen from the subject if absent. */
  readonly convergence?: number | undefined;
}

export interface Target {
  /** Existing folder. */
  readonly dir: string;
  /** Stem of the file names. */
  readonly name: string;
  readonly options?: StillOptions;
}

/** Renders and writes output files. Caches the layers of the last source, so that its formats share them. */
export interface Renderer {
  /**
   * Writes one file, complete and verified, or none.
   * @param effect percent, 0 … 100
   * @throws {EngineError} `conversionCancelled`, `conversionFailed` (also if the written file fails its check)
   */
  export(
    source: RenderSource,
    format: Format,
    device: DeviceProfile,
    effect: number,
    target: Target,
    hooks?: ExportHooks,
  ): Promise<{ file: OutputFile; comfort: Comfort | null }>;
  /** Writes the files of the browser preview; a source without depth is flat. */
  preview(source: RenderSource, target: Target): Promise<PreviewFiles>;
  /** Terminates the worker threads. */
  close(): Promise<void>;
}

/** @param options.threads worker threads for the heavy loops, one per core by default; 0 uses the calling thread */
export function createRenderer({ threads = availableParallelism() }: { threads?: number } = {}): Renderer {
  const pool = createPool(threads);
  let kept: { source: RenderSource; stack: Stack } | undefined;
  const stackOf = (source: RenderSource): Stack => {
    const { picture, depth, convergence, rightEye } = source;
    const last = kept?.source;
    const isSame =
      last?.picture === picture &&
      last.depth === depth &&
      last.convergence === convergence &&
      last.rightEye === rightEye;
    if (!kept || !isSame) {
      kept = { source, stack: createStack(picture, depth ?? FLAT, pool, convergence, rightEye) };
    }
    return kept.stack;
  };
  return {
    async export(source, format, device, effect, target, hooks = {}) {
      const { options = {} } = target;
      const name = fileName(target.name, format, device, options);
      const path = join(target.dir, name);
      const steps = new Steps(hooks);
      const context = { device, effect, pool, steps };
      try {
        steps.at('layers', 0);
        if (format !== 'flat' && !source.depth)
          throw new EngineError('conversionFailed', `${format} needs a depth map`);
        const output =
          format === 'flat'
            ? await flatOutput(
                source.picture,
                options.longestPx ? within(source.picture, options.longestPx) : device.resolution,
              )
            : await drawOutput({
                ...context,
                format,
                stack: stackOf(source),
                options,
                picture: source.picture,
                rightEye: source.rightEye,
              });
        let bytes = 0;
        await writeAtomically(path, async (part) => {
          steps.at('pack', 0.2);
          await output.write(part);
          steps.at('check', 0);
          await checkFile(part, output.expected);
          bytes = (await stat(part)).size;
          steps.at('check', 1);
        });
        const file = { format, name, path, type: mimeType(format), bytes, ...output.size };
        return { file, comfort: output.comfort };
      } catch (error) {
        if (error instanceof EngineError) throw error;
        throw new EngineError('conversionFailed', `${format}: ${(error as Error).message}`, { cause: error });
      }
    },
    preview: (source, target) => writePreview(stackOf(source), target.dir, target.name),
    close: () => pool.close(),
  };
}

/** Substitute for a missing depth map: no parallax. */
const FLAT: DepthMap = { data: new Float32Array([0.5]), width: 1, height: 1, source: 'basic' };

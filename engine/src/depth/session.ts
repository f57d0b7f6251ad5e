import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { duringModel } from '../pulse.ts';
import type { Plane } from './plane.ts';

/**
 * Runtime builds since 1.29 send telemetry about executed models to the vendor, unless disabled before the first
 * session. It is disabled for privacy.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';

/** Errors only: the runtime's warnings concern graph details that an operator cannot act on. */
const LOG_ERRORS = 3;

/**
 * Handling of run memory. `returned`: released to the system; otherwise a photo conversion would hold about 200 MB for
 * the next run while views are rendered. `kept`: reused by the next run. A video has thousands of runs; with
 * `returned`, its process grew and shrank by hundreds of megabytes, occasionally to gigabytes because of heap
 * fragmentation.
 */
export type RunMemory = 'returned' | 'kept';

/**
 * Loads a model. Spinning is disabled, so that waiting threads leave the cores to other conversions and the server; on
 * an otherwise idle machine a run takes 3 % longer.
 * @param provider name of an execution provider of the runtime
 * @throws Error when the file is missing or is not a model, or the provider is not there
 */
export async function loadModel(
  file: string,
  threads: number,
  memory: RunMemory = 'returned',
  provider = 'cpu',
): Promise<InferenceSession> {
  const options = {
    executionProviders: [provider],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: memory === 'kept',
    logSeverityLevel: LOG_ERRORS,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  } as const;
  return duringModel(() => InferenceSession.create(file, options));
}

/**
 * Loads an optional model.
 * @param loss consequence of a missing model; added to `warnings` when it cannot be loaded
 */
export async function loadOptional(
  file: string,
  threads: number,
  loss: string,
  warnings: string[],
  memory: RunMemory = 'returned',
): Promise<InferenceSession | null> {
  try {
    return await loadModel(file, threads, memory);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warnings.push(`The depth model ${path.basename(file)} cannot be loaded: ${loss}. ${reason}`);
    return null;
  }
}

/** Runs a model that takes one picture (planar RGB, `3 * height * width`) and returns one plane. */
export async function runModel(
  session: InferenceSession,
  input: Float32Array,
  width: number,
  height: number,
): Promise<Plane> {
  const inputName = session.inputNames[0];
  const outputName = session.outputNames[0];
  if (!inputName || !outputName) throw new Error('the model has no input or no output');
  const feeds = { [inputName]: new Tensor('float32', input, [1, 3, height, width]) };
  const results = await duringModel(() => session.run(feeds));
  const output = results[outputName];
  if (!(output?.data instanceof Float32Array)) throw new Error('the model returned no float32 tensor');
  const [outHeight, outWidth] = output.dims.slice(-2) as [number, number];
  return { data: output.data, width: outWidth, height: outHeight };
}

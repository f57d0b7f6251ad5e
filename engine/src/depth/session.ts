import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Plane } from './plane.ts';

/**
 * Builds of the runtime since 1.29 report what they run to their maker, unless told otherwise before the first session.
 * What people convert here is nobody's business.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1';

/** Errors only: the runtime's warnings are about graph details that no operator can act on. */
const LOG_ERRORS = 3;

/**
 * What happens to the memory of a run. `returned`: it goes back to the system, or a photo's conversion would keep some
 * 200 MB for the next one while views are made. `kept`: the next run takes it again; a video has thousands of runs, and
 * its process grew and shrank by hundreds of megabytes, now and then to gigabytes, as its heap was torn.
 */
export type RunMemory = 'returned' | 'kept';

/**
 * Loads a model. Without spinning, threads that wait leave the cores to other conversions and to the server; alone on
 * the machine a run takes 3 % longer for it.
 * @throws Error when the file is missing or is not a model.
 */
export async function loadModel(
  file: string,
  threads: number,
  memory: RunMemory = 'returned',
): Promise<InferenceSession> {
  return InferenceSession.create(file, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    enableCpuMemArena: memory === 'kept',
    logSeverityLevel: LOG_ERRORS,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
}

/**
 * Loads a model that can be done without.
 * @param loss what is worse without it; goes into `warnings` when it cannot be loaded
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
  const results = await session.run({ [inputName]: new Tensor('float32', input, [1, 3, height, width]) });
  const output = results[outputName];
  if (!(output?.data instanceof Float32Array)) throw new Error('the model returned no float32 tensor');
  const [outHeight, outWidth] = output.dims.slice(-2) as [number, number];
  return { data: output.data, width: outWidth, height: outHeight };
}

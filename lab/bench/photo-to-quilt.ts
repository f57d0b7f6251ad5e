import { mkdtemp } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openPicture } from '../../engine/src/decode/open.ts';
import { findSubject } from '../../engine/src/depth/matte.ts';
import { MODEL_FILES } from '../../engine/src/depth/model-files.ts';
import { loadModel } from '../../engine/src/depth/session.ts';
import { stretchPicture } from '../../engine/src/depth/stretch.ts';
import { createConverter } from '../../engine/src/process/converter.ts';
import { distFile } from '../../engine/src/render/dist.ts';
import type { PictureRequest, Step } from '../../engine/src/types.ts';
import { median } from './median.ts';

/** One conversion, or the medians of several: total milliseconds, milliseconds per step, and peak memory. */
export interface RunFigures {
  readonly ms: number;
  readonly rssMb: number;
  readonly steps: Partial<Record<Step, number>>;
}

/** Results of a warm process: models loaded, code compiled. */
export interface PhotoFigures extends RunFigures {
  /** First conversion of a new process, including its start. */
  readonly cold: RunFigures;
  /** The matting network alone, and everything else. */
  readonly mattingMs: number;
  readonly withoutMattingMs: number;
}

/**
 * Measures whole conversions in a forked process, as the server runs them. Each is followed by the matting network
 * alone, so that background load affects both about equally.
 */
export async function measurePhoto(
  request: Omit<PictureRequest, 'outDir'>,
  scratch: string,
  runs: number,
): Promise<PhotoFigures> {
  const converter = createConverter({ processes: 1, memoryLimitMb: 4096, timeLimitMs: 300_000 });
  const once = async (): Promise<RunFigures> => {
    const outDir = await mkdtemp(join(scratch, 'photo-'));
    const started = performance.now();
    const { times, peakRssMb } = await converter.convert({ ...request, outDir });
    return { ms: performance.now() - started, rssMb: peakRssMb, steps: times };
  };
  const matting = await loadMatting(request.input);
  try {
    const cold = await once();
    await matting.run();
    const warm: (RunFigures & { readonly mattingMs: number })[] = [];
    for (let i = 0; i < runs; i++) warm.push({ ...(await once()), mattingMs: await matting.run() });
    const middle = (of: (run: (typeof warm)[number]) => number) => median(warm.map(of));
    const steps = Object.keys(cold.steps) as Step[];
    return {
      ms: middle(({ ms }) => ms),
      mattingMs: middle(({ mattingMs }) => mattingMs),
      withoutMattingMs: middle(({ ms, mattingMs }) => ms - mattingMs),
      rssMb: middle(({ rssMb }) => rssMb),
      steps: Object.fromEntries(steps.map((step) => [step, middle((run) => run.steps[step] ?? 0)])),
      cold,
    };
  } finally {
    await converter.close();
    await matting.close();
  }
}

/** Matting size that the estimator uses for pictures. */
const MATTE_SIZE = 640;

async function loadMatting(input: string) {
  const session = await loadModel(join(distFile('models'), MODEL_FILES.matte[MATTE_SIZE]), availableParallelism());
  const picture = await openPicture(input);
  const square = await stretchPicture(await picture.cut({ x: 0, y: 0, ...picture.size }), MATTE_SIZE, MATTE_SIZE);
  return {
    /**
     * Runs the matting network.
     * @returns milliseconds
     */
    async run(): Promise<number> {
      const started = performance.now();
      await findSubject(session, square);
      return performance.now() - started;
    },
    close: () => session.release(),
  };
}

import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createConverter } from '../process/converter.ts';
import type { ConversionRequest, Step } from '../types.ts';
import { median } from './median.ts';

/** One conversion, or the medians of several: milliseconds, in all and by step, and peak memory. */
export interface RunFigures {
  readonly ms: number;
  readonly rssMb: number;
  readonly steps: Partial<Record<Step, number>>;
}

/** A warm process: models loaded, code compiled. */
export interface PhotoFigures extends RunFigures {
  /** The first conversion of a new process, its start included. */
  readonly cold: RunFigures;
}

/** The whole conversion in a forked process, as the server runs it. */
export async function measurePhoto(
  request: Omit<ConversionRequest, 'outDir'>,
  scratch: string,
  runs: number,
): Promise<PhotoFigures> {
  const converter = createConverter({ processes: 1, memoryLimitMb: 4096, timeLimitMs: 300_000 });
  const once = async (): Promise<RunFigures> => {
    const outDir = await mkdtemp(join(scratch, 'photo-'));
    const started = performance.now();
    const { times, peakRssMb } = await converter.run({ ...request, outDir });
    return { ms: performance.now() - started, rssMb: peakRssMb, steps: times };
  };
  try {
    const cold = await once();
    const warm: RunFigures[] = [];
    for (let i = 0; i < runs; i++) warm.push(await once());
    const middle = (of: (run: RunFigures) => number) => median(warm.map(of));
    const steps = Object.keys(cold.steps) as Step[];
    return {
      ms: middle(({ ms }) => ms),
      rssMb: middle(({ rssMb }) => rssMb),
      steps: Object.fromEntries(steps.map((step) => [step, middle((run) => run.steps[step] ?? 0)])),
      cold,
    };
  } finally {
    await converter.close();
  }
}

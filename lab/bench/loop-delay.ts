import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createConverter } from '../../engine/src/process/converter.ts';
import type { PictureRequest } from '../../engine/src/types.ts';

/** Event loop delay of the parent, in ms; about 1, the sampling interval, for an idle loop. */
export interface LoopDelayFigures {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

const NANOSECONDS = 1e6;

/** Measures the event loop delay of the parent while two processes convert, first cold, then warm. */
export async function measureLoopDelay(
  request: Omit<PictureRequest, 'outDir'>,
  scratch: string,
): Promise<LoopDelayFigures> {
  const converter = createConverter({ processes: 2, memoryLimitMb: 4096, timeLimitMs: 300_000 });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const convert = async () => converter.convert({ ...request, outDir: await mkdtemp(join(scratch, 'delay-')) });
  try {
    delay.enable();
    await Promise.all([convert(), convert(), convert(), convert()]);
    delay.disable();
  } finally {
    await converter.close();
  }
  return {
    p50: delay.percentile(50) / NANOSECONDS,
    p99: delay.percentile(99) / NANOSECONDS,
    max: delay.max / NANOSECONDS,
  };
}

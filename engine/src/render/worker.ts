import { parentPort } from 'node:worker_threads';
import { type Kernel, runKernel } from './kernels.ts';

/** A range of a kernel's rows, sent to a worker thread. The worker posts back `null` or an error message. */
export interface Share {
  readonly kernel: Kernel;
  readonly from: number;
  readonly to: number;
}

parentPort?.on('message', ({ kernel, from, to }: Share) => {
  let failure: string | null = null;
  try {
    runKernel(kernel, from, to);
  } catch (error) {
    failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  parentPort?.postMessage(failure);
});

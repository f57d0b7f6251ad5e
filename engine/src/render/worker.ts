import { parentPort } from 'node:worker_threads';
import { type Kernel, runKernel } from './kernels.ts';

/** A share of a kernel's rows, sent to a worker thread. It posts back `null`, or the error's message. */
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

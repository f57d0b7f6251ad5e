import { Worker } from 'node:worker_threads';

/*
 * Signs of life of a conversion process. They come from a thread of their own, so that a busy machine or a long native
 * call never silences a healthy process, and they stop if the main thread hangs. Running a model blocks the main thread
 * for seconds or, with large models of an operator, minutes: that time is limited by the time limit of the call.
 */

/** Milliseconds between two signs of life. */
export const BEAT_MS = 1000;

/** What the two threads share: a counter that the main thread moves, and the number of running models. */
export interface PulseData {
  readonly state: Int32Array;
  readonly fd: number;
}
const TURNS = 0;
const MODELS = 1;
const state = new Int32Array(new SharedArrayBuffer(8));

/** Starts writing a byte to `fd` every second, for the life of this process. */
export function startPulse(fd: number): void {
  const workerData: PulseData = { state, fd };
  new Worker(new URL('./pulse-worker.ts', import.meta.url), { workerData }).unref();
  setInterval(() => Atomics.add(state, TURNS, 1), BEAT_MS).unref();
}

/** Runs or loads a model, which may block the main thread for long. */
export async function duringModel<T>(work: () => Promise<T>): Promise<T> {
  Atomics.add(state, MODELS, 1);
  try {
    return await work();
  } finally {
    Atomics.sub(state, MODELS, 1);
  }
}

/** Returns a function that tells whether the main thread has moved since its last call, or runs a model. */
export function watchMainThread(shared: Int32Array): () => boolean {
  let seen = -1;
  return () => {
    const turns = Atomics.load(shared, TURNS);
    const moved = turns !== seen;
    seen = turns;
    return moved || Atomics.load(shared, MODELS) > 0;
  };
}

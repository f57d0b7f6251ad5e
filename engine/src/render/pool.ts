import { Worker } from 'node:worker_threads';
import { EngineError } from '../errors.ts';
import { type Kernel, runKernel } from './kernels.ts';
import type { Share } from './worker.ts';

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Share of the rows done, 0 … 1, increasing. */
  readonly onProgress?: ((fraction: number) => void) | undefined;
  /** Shares per thread; one has the least overhead, more make cancellation faster. */
  readonly sharesPerThread?: number;
}

/** Runs kernels on worker threads, or on the calling thread. */
export interface Pool {
  /**
   * Processes rows 0 … `rows` of a kernel. Rejects with `conversionCancelled` when the signal fires and with
   * `conversionFailed` when a worker fails; in both cases no thread accesses the kernel's memory afterwards.
   */
  run(kernel: Kernel, rows: number, options?: RunOptions): Promise<void>;
  /** Terminates the threads; runs in progress are rejected. */
  close(): Promise<void>;
}

/** More shares than threads, so that a slow thread does not block the others, and cancellation takes effect soon. */
const SHARES_PER_THREAD = 6;

/**
 * Young generation in MB. Threads allocate little outside shared memory; the default would retain tens of megabytes
 * each.
 */
const YOUNG_MB = 4;

interface Job {
  readonly share: Share;
  readonly settle: (failure: EngineError | null) => void;
}

/**
 * @param threads 0 works on the calling thread
 * @param workerFile replacement worker, for tests of failing workers
 */
export function createPool(threads: number, workerFile: URL | string = new URL('./worker.ts', import.meta.url)): Pool {
  return threads > 0 ? new ThreadPool(threads, workerFile) : new InlinePool();
}

function cancelled(): EngineError {
  return new EngineError('conversionCancelled', 'cancelled while drawing');
}

function shares(rows: number, count: number): { from: number; to: number }[] {
  const size = Math.max(1, Math.ceil(rows / count));
  const list = [];
  for (let from = 0; from < rows; from += size) list.push({ from, to: Math.min(rows, from + size) });
  return list;
}

class InlinePool implements Pool {
  #closed = false;

  async run(kernel: Kernel, rows: number, { signal, onProgress }: RunOptions = {}): Promise<void> {
    for (const { from, to } of shares(rows, 16)) {
      if (this.#closed) throw new EngineError('conversionFailed', 'the pool is closed');
      if (signal?.aborted) throw cancelled();
      runKernel(kernel, from, to);
      onProgress?.(to / rows);
      // Lets pending timers and signals run.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
  }
}

class ThreadPool implements Pool {
  readonly #threads: number;
  readonly #workerFile: URL | string;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Job>();
  readonly #waiting: Job[] = [];
  #closed = false;

  constructor(threads: number, workerFile: URL | string) {
    this.#threads = threads;
    this.#workerFile = workerFile;
  }

  async run(kernel: Kernel, rows: number, options: RunOptions = {}): Promise<void> {
    const { signal, onProgress, sharesPerThread = SHARES_PER_THREAD } = options;
    if (this.#closed) throw new EngineError('conversionFailed', 'the pool is closed');
    const parts = shares(rows, this.#threads * sharesPerThread);
    const failures: EngineError[] = [];
    let done = 0;
    const drop = (reason: EngineError) => {
      failures.push(reason);
      // Drops shares that no thread has started; waits for those in progress.
      for (const job of this.#waiting.filter(({ share }) => share.kernel === kernel)) job.settle(null);
      const others = this.#waiting.filter(({ share }) => share.kernel !== kernel);
      this.#waiting.splice(0, this.#waiting.length, ...others);
    };
    const abort = () => drop(cancelled());
    if (signal?.aborted) throw cancelled();
    signal?.addEventListener('abort', abort);
    try {
      await Promise.all(
        parts.map(
          ({ from, to }) =>
            new Promise<void>((resolve) => {
              const settle = (reason: EngineError | null) => {
                done += to - from;
                if (reason) drop(reason);
                else if (failures.length === 0) onProgress?.(done / rows);
                resolve();
              };
              this.#waiting.push({ share: { kernel, from, to }, settle });
              this.#dispatch();
            }),
        ),
      );
    } finally {
      signal?.removeEventListener('abort', abort);
    }
    const [failure] = failures;
    if (failure) throw failure;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const reason = new EngineError('conversionFailed', 'the pool was closed while drawing');
    for (const job of this.#waiting.splice(0)) job.settle(reason);
    const workers = [...this.#idle.splice(0), ...this.#busy.keys()];
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#idle.pop() ?? (this.#busy.size < this.#threads ? this.#start() : undefined);
      if (!worker) return;
      const job = this.#waiting.shift() as Job;
      this.#busy.set(worker, job);
      // An idle pool must not keep the process alive; a busy one must.
      worker.ref();
      worker.postMessage(job.share);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#workerFile, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    const free = (failure: EngineError | null, reusable: boolean) => {
      const job = this.#busy.get(worker);
      this.#busy.delete(worker);
      const place = this.#idle.indexOf(worker);
      if (place >= 0) this.#idle.splice(place, 1);
      if (reusable) {
        worker.unref();
        this.#idle.push(worker);
      }
      job?.settle(failure);
      if (!this.#closed) this.#dispatch();
    };
    worker.on('message', (failure: string | null) => {
      free(failure === null ? null : new EngineError('conversionFailed', failure), true);
    });
    worker.on('error', (error) => {
      free(new EngineError('conversionFailed', `a view worker crashed: ${error.message}`, { cause: error }), false);
    });
    worker.on('exit', (code) => {
      free(new EngineError('conversionFailed', `a view worker ended with code ${code}`), false);
    });
    return worker;
  }
}

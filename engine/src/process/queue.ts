import { EngineError } from '../errors.ts';

/** A fixed set of resources, each used by one caller at a time, in FIFO order. */
export interface Queue<T> {
  readonly all: readonly T[];
  /**
   * Waits for a free resource, runs `work` with it and releases it.
   *
   * @throws {EngineError} `conversionCancelled` if the signal fires or the queue is closed while waiting
   */
  run<R>(work: (one: T) => Promise<R>, signal?: AbortSignal): Promise<R>;
  /** Rejects waiting and later calls with `conversionCancelled`; resolves when the running work has ended. */
  close(): Promise<void>;
}

export function createQueue<T>(things: readonly T[]): Queue<T> {
  // The most recently used resource comes first: it is warm.
  const free = [...things];
  const waiting: { take(one: T): void; refuse(): void }[] = [];
  const closers: (() => void)[] = [];
  let closed = false;

  const take = (signal?: AbortSignal) =>
    new Promise<T>((resolve, reject) => {
      const cancelled = () => reject(new EngineError('conversionCancelled', 'cancelled before it began'));
      if (closed || signal?.aborted) return cancelled();
      const one = free.pop();
      if (one !== undefined) return resolve(one);
      const onAbort = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        cancelled();
      };
      const waiter = {
        take(freed: T) {
          signal?.removeEventListener('abort', onAbort);
          resolve(freed);
        },
        refuse() {
          signal?.removeEventListener('abort', onAbort);
          cancelled();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(waiter);
    });

  return {
    all: things,
    async run(work, signal) {
      const one = await take(signal);
      try {
        return await work(one);
      } finally {
        const next = waiting.shift();
        if (next) next.take(one);
        else free.push(one);
        if (free.length === things.length) for (const resolve of closers.splice(0)) resolve();
      }
    },
    async close() {
      closed = true;
      for (const waiter of waiting.splice(0)) waiter.refuse();
      if (free.length < things.length) await new Promise<void>((resolve) => closers.push(resolve));
    },
  };
}

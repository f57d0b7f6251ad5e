import { EngineError } from '../errors.ts';

/** Who waits, and until when. */
export interface Turn {
  /** Id of the user whose work it is; calls without one share a turn. */
  readonly user?: string | undefined;
  /** Guests are served apart from members and with a lower priority, because new guest accounts cost nothing. */
  readonly isGuest?: boolean | undefined;
  /** Leaves the queue when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A fixed set of resources, each used by one caller at a time. A free resource goes to the user who was served least
 * recently, so nobody who waits has to wait for more than one piece of work of another user; each user's own calls keep
 * their order.
 */
export interface Queue<T> {
  readonly all: readonly T[];
  /**
   * Waits for a free resource, runs `work` with it and releases it.
   *
   * @throws {EngineError} `conversionCancelled` if the signal fires or the queue is closed while waiting
   */
  run<R>(work: (one: T) => Promise<R>, turn?: Turn): Promise<R>;
  /** Rejects waiting and later calls with `conversionCancelled`; resolves when the running work has ended. */
  close(): Promise<void>;
}

interface Waiter<T> {
  readonly user: string;
  take(one: T): void;
  refuse(): void;
}

/** Users whose last turn is remembered. Who was served before all of them counts as never served. */
const REMEMBERED_USERS = 10_000;

export function createQueue<T>(things: readonly T[]): Queue<T> {
  // The most recently used resource comes first: it is warm.
  const free = [...things];
  /** Oldest first. */
  const waiting: Waiter<T>[] = [];
  /** The number of each user's last turn, least recently served first. */
  const served = new Map<string, number>();
  const closers: (() => void)[] = [];
  let turns = 0;
  let closed = false;

  const noteServed = (user: string) => {
    served.delete(user);
    served.set(user, ++turns);
    const [oldest] = served.keys();
    if (served.size > REMEMBERED_USERS && oldest !== undefined) served.delete(oldest);
  };

  /** Removes and returns the oldest waiter of the user who was served least recently. */
  const next = (): Waiter<T> | undefined => {
    let first = 0;
    for (const [index, { user }] of waiting.entries())
      if ((served.get(user) ?? 0) < (served.get(waiting[first]?.user ?? '') ?? 0)) first = index;
    return waiting.splice(first, 1)[0];
  };

  const take = ({ user = '', signal }: Turn) =>
    new Promise<T>((resolve, reject) => {
      const cancelled = () => reject(new EngineError('conversionCancelled', 'cancelled before it began'));
      if (closed || signal?.aborted) return cancelled();
      const accept = (one: T) => {
        signal?.removeEventListener('abort', onAbort);
        noteServed(user);
        resolve(one);
      };
      const onAbort = () => {
        waiting.splice(waiting.indexOf(waiter), 1);
        cancelled();
      };
      const waiter: Waiter<T> = {
        user,
        take: accept,
        refuse() {
          signal?.removeEventListener('abort', onAbort);
          cancelled();
        },
      };
      const one = free.pop();
      if (one !== undefined) return accept(one);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(waiter);
    });

  return {
    all: things,
    async run(work, turn = {}) {
      const one = await take(turn);
      try {
        return await work(one);
      } finally {
        const waiter = next();
        if (waiter) waiter.take(one);
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

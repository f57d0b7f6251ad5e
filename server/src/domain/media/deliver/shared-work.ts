/**
 * Runs `work` for its key, or joins the work in progress. It is aborted when every caller has hung up; a caller who
 * comes afterwards starts it anew.
 */
export type ShareWork<T> = (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

interface Shared<T> {
  readonly result: Promise<T>;
  callers: number;
  abort(): void;
}

/** Returns a function with which simultaneous requests to this process share their work. */
export function createSharedWork<T>(): ShareWork<T> {
  const running = new Map<string, Shared<T>>();
  const forget = (key: string, shared: Shared<T>) => {
    if (running.get(key) === shared) running.delete(key);
  };

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const cancel = new AbortController();
    const shared: Shared<T> = { result: work(cancel.signal), callers: 0, abort: () => cancel.abort() };
    running.set(key, shared);
    const ended = () => forget(key, shared);
    shared.result.then(ended, ended);
    return shared;
  }

  return async (key, signal, work) => {
    const shared = running.get(key) ?? start(key, work);
    shared.callers++;
    const leave = () => {
      if (--shared.callers > 0) return;
      forget(key, shared);
      shared.abort();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    try {
      return await shared.result;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}

export interface Waiter {
  /** Resolves after this many milliseconds, or earlier on `wake` if the wait is wakeable. */
  wait(ms: number, wakeable: boolean): Promise<void>;
  /**
   * Ends the current wakeable wait: the network is back or the page is visible again. If no wait is under way, e.g.
   * while a request is pending, the next wakeable wait is skipped.
   */
  wake(): void;
}

export function createWaiter(): Waiter {
  let end: (() => void) | null = null;
  let woken = false;
  return {
    wait: (ms, wakeable) =>
      new Promise((resolve) => {
        if (wakeable && woken) {
          woken = false;
          resolve();
          return;
        }
        const done = () => {
          clearTimeout(timer);
          end = null;
          resolve();
        };
        const timer = setTimeout(done, ms);
        end = wakeable ? done : null;
      }),
    wake() {
      if (end) end();
      else woken = true;
    },
  };
}

export interface Waiter {
  /** Resolves after so many milliseconds, or earlier by `wake` where that is allowed. */
  wait(ms: number, wakeable: boolean): Promise<void>;
  /**
   * Ends a wait that may be ended: the network is back, somebody looks at the page again. Where none is under way, as
   * while an answer is still hoped for, the next one is not begun.
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

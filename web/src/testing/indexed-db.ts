import { vi } from 'vitest';

interface Transaction {
  error: unknown;
  oncomplete: (() => void) | null;
  onabort: (() => void) | null;
  objectStore(): object;
}

interface CursorRequest {
  result: object | null;
  onsuccess: (() => void) | null;
}

/** Simulates the browser's IndexedDB with one store, as far as the app uses it: this environment has none. */
export function stubIndexedDb() {
  const stored = new Map<string, unknown>();
  const simulated = {
    stored,
    denied: false,
    full: false,
    /** Calls to `put` have no effect until they are released. */
    holds: false,
    held: [] as (() => void)[],
  };
  let last = Promise.resolve();
  // One after the other, as the browser does it for one store.
  const transactionOf = (end: () => void) => () => {
    const complete = () =>
      queueMicrotask(() => {
        end();
        made.oncomplete?.();
      });
    const made: Transaction = { error: null, oncomplete: null, onabort: null, objectStore: () => store };
    const store = {
      get(key: string) {
        complete();
        return { result: stored.get(key) };
      },
      put(value: unknown, key: string) {
        const write = () => {
          stored.set(key, value);
          complete();
        };
        if (simulated.full) {
          made.error = new DOMException('No room', 'QuotaExceededError');
          queueMicrotask(() => {
            end();
            made.onabort?.();
          });
        } else if (simulated.holds) {
          simulated.held.push(write);
          // Others go on, as after a reload.
          end();
        } else write();
        return { result: key };
      },
      openCursor() {
        const keys = [...stored.keys()];
        const request: CursorRequest = { result: null, onsuccess: null };
        const step = () =>
          queueMicrotask(() => {
            const key = keys.shift();
            const found = key === undefined ? null : { key, value: stored.get(key), delete: () => stored.delete(key) };
            request.result = found && { ...found, continue: step };
            request.onsuccess?.();
            if (!found) complete();
          });
        step();
        return request;
      },
    };
    return made;
  };
  vi.stubGlobal('indexedDB', {
    open() {
      if (simulated.denied) throw new DOMException('Denied', 'SecurityError');
      const turn = last;
      let end = () => {};
      last = new Promise((resolve) => {
        end = resolve;
      });
      const opening = { result: { transaction: transactionOf(end), close() {} }, onsuccess: () => {} };
      void turn.then(() => opening.onsuccess());
      return opening;
    },
  });
  return simulated;
}

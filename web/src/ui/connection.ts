import { useSyncExternalStore } from 'react';

/** How often a server that does not answer is asked again, in milliseconds. */
const ASK_MS = 5000;

let unanswered = false;
const listeners = new Set<() => void>();

function setUnanswered(value: boolean): void {
  unanswered = value;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Whether the browser is offline, or a part of the app waits for a server that does not answer. */
export const useOffline = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => unanswered || !navigator.onLine,
    () => false,
  );

/** Resolves once a request that the browser cannot answer from its cache got an answer. Returns the answered page. */
export async function waitForServer(): Promise<string> {
  for (;;) {
    try {
      const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
      if (response.ok) {
        setUnanswered(false);
        return await response.text();
      }
    } catch {
      // Offline, or the server does not answer.
    }
    setUnanswered(true);
    // The listener is removed each time: a long outage would otherwise collect one for every attempt.
    const stop = new AbortController();
    await new Promise<void>((resolve) => {
      setTimeout(resolve, ASK_MS);
      window.addEventListener('online', () => resolve(), { signal: stop.signal });
    });
    stop.abort();
  }
}

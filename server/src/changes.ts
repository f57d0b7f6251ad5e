import type { Log } from './log.ts';

/** Tells who watches a row that it has changed: at once when this process did it, soon when another did. */
export interface Changes {
  /** Says that this process changed the row. */
  changed(id: string): void;
  /** Calls `listener` after every change, perhaps once too often. Answers how to stop. */
  watch(id: string, listener: () => void): () => void;
  close(): void;
}

export interface ChangesOptions {
  /** For each row a text that is another one after every change; a row that is gone has none. One query for all. */
  readonly fingerprints: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: Log;
  readonly pollMs?: number;
}

/** Watches by asking the database, which sees the work of every process, while there is somebody to tell. */
export function createChanges({ fingerprints, log, pollMs = 500 }: ChangesOptions): Changes {
  const listeners = new Map<string, Set<() => void>>();
  let known: ReadonlyMap<string, string> = new Map();
  let timer: NodeJS.Timeout | undefined;

  const tell = (id: string): void => {
    for (const listener of listeners.get(id) ?? []) listener();
  };

  async function poll(): Promise<void> {
    timer = undefined;
    if (listeners.size === 0) return;
    try {
      const before = known;
      known = await fingerprints([...listeners.keys()]);
      for (const id of listeners.keys()) if (before.get(id) !== known.get(id)) tell(id);
    } catch (error) {
      log.warn({ err: error }, 'Could not look for changes');
    }
    timer ??= setTimeout(poll, pollMs);
  }

  return {
    changed: tell,
    watch(id, listener) {
      const own = listeners.get(id) ?? new Set();
      listeners.set(id, own.add(listener));
      timer ??= setTimeout(poll, pollMs);
      return () => {
        own.delete(listener);
        if (own.size === 0 && listeners.get(id) === own) listeners.delete(id);
      };
    },
    close() {
      listeners.clear();
      clearTimeout(timer);
    },
  };
}

import type { Log } from './log.ts';

/** Notifies watchers of a row: at once of changes by this process, soon of those by others. */
export interface ChangeFeed {
  /** To be called after this process changed the row. */
  changed(id: string): void;
  /** Calls `listener` after every change, possibly more often. Returns a function that stops it. */
  watch(id: string, listener: () => void): () => void;
  close(): void;
}

export interface ChangeFeedOptions {
  /** Returns for each existing row a text that differs after every change, in one query. */
  readonly fingerprints: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: Log;
  readonly pollMs?: number;
}

/** Watches by asking the database, which sees the work of every process, while there is somebody to tell. */
export function createChangeFeed({ fingerprints, log, pollMs = 500 }: ChangeFeedOptions): ChangeFeed {
  const listeners = new Map<string, Set<() => void>>();
  let known: ReadonlyMap<string, string | undefined> = new Map();
  let timer: NodeJS.Timeout | undefined;

  const tell = (id: string): void => {
    for (const listener of listeners.get(id) ?? []) listener();
  };

  async function poll(): Promise<void> {
    timer = undefined;
    if (listeners.size === 0) return;
    try {
      const before = known;
      const ids = [...listeners.keys()];
      const found = await fingerprints(ids);
      known = new Map(ids.map((id) => [id, found.get(id)]));
      // A row not looked at before may have changed since its watcher read it, or be gone.
      for (const id of ids) if (!before.has(id) || before.get(id) !== known.get(id)) tell(id);
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

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { listen } from './db/listen.ts';
import type { Log } from './log.ts';

/** Notifies watchers of changes to a row by this or another process. */
export interface ChangeFeed {
  /** Must be called after this process has changed the row. */
  changed(id: string): void;
  /** Calls `listener` after every change, possibly more often. Returns a function that unsubscribes. */
  watch(id: string, listener: () => void): () => void;
  close(): void;
}

export interface ChangeFeedOptions {
  /** Returns, in one query, a fingerprint of each existing row that differs after every change. */
  readonly fingerprints: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: Log;
  /**
   * Interval of polling for changes without a notification: the connection was lost, or the process ended too early.
   */
  readonly pollMs?: number;
}

const CHANNEL = 'framelift_changes';

/** Opens a feed that also receives changes by other processes, by LISTEN/NOTIFY. */
export async function openChangeFeed(
  pool: pg.Pool,
  options: ChangeFeedOptions,
): Promise<ChangeFeed & { close(): Promise<void> }> {
  const { log } = options;
  const feed = createChangeFeed(options);
  const self = randomUUID();
  const listening = await listen(pool, CHANNEL, log, (payload) => {
    const [sender, id = ''] = payload.split(' ');
    if (sender !== self) feed.changed(id);
  });
  return {
    watch: feed.watch,
    changed(id) {
      feed.changed(id);
      pool
        .query('select pg_notify($1, $2)', [CHANNEL, `${self} ${id}`])
        .catch((error: unknown) => log.warn({ err: error }, 'Could not tell other processes of a change'));
    },
    async close() {
      feed.close();
      await listening.close();
    },
  };
}

/** Creates a feed of this process's own changes, which polls the database for others while there are watchers. */
export function createChangeFeed({ fingerprints, log, pollMs = 5000 }: ChangeFeedOptions): ChangeFeed {
  const listeners = new Map<string, Set<() => void>>();
  let known = new Map<string, string | undefined>();
  /** Ids of changes since the poll that is going on began. */
  const changedMeanwhile = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const tell = (id: string): void => {
    for (const listener of listeners.get(id) ?? []) listener();
  };

  async function poll(): Promise<void> {
    timer = undefined;
    if (listeners.size === 0) return;
    try {
      const ids = [...listeners.keys()];
      changedMeanwhile.clear();
      const found = await fingerprints(ids);
      const before = known;
      known = new Map(ids.filter((id) => !changedMeanwhile.has(id)).map((id) => [id, found.get(id)]));
      // A row polled for the first time may have changed since its watcher read it, or may be deleted.
      for (const id of ids) if (!before.has(id) || before.get(id) !== found.get(id)) tell(id);
    } catch (error) {
      log.warn({ err: error }, 'Could not look for changes');
    }
    timer ??= setTimeout(poll, pollMs);
  }

  return {
    changed(id) {
      // Listeners read a state that polling has not seen. Without a fingerprint the next poll tells them again: a change
      // back to the polled state would otherwise never reach them.
      known.delete(id);
      if (listeners.has(id)) changedMeanwhile.add(id);
      tell(id);
    },
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

import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { listen } from './db/listen.ts';
import type { Queries } from './db/open.ts';
import type { Log } from './log.ts';

/** Notifies watchers of changes to a row by this or another process. */
export interface ChangeFeed {
  /** Must be called after this process has changed the row. */
  changed(id: string): void;
  /**
   * Calls `look` at once and after every change, possibly more often, one call at a time. Returns a function that
   * unsubscribes.
   * @param look reads the row and returns the fingerprint of exactly the state that it has read, so both in one snapshot of
   * the database; undefined if the row does not exist
   */
  watch(id: string, look: Look): () => void;
  close(): void;
}

type Look = () => Promise<string | undefined>;

export interface ChangeFeedOptions {
  /** Returns a fingerprint of each existing row, the same as that of a look. Equal states have equal ones. */
  readonly fingerprints: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly log: Log;
  /**
   * Interval of polling for changes without a notification: the connection was lost, or the process ended too early.
   */
  readonly pollMs?: number;
}

const CHANNEL = 'framelift_changes';
/** Sender of what no process says of itself: every process hears it, the one that wrote it as well. */
const TRANSACTION = 'transaction';

/** Tells all watchers of a row of its change, at the commit of the transaction that makes it. */
export async function announceChange(tx: Queries, id: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANNEL}, ${`${TRANSACTION} ${id}`})`);
}

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

interface Watcher {
  readonly look: Look;
  /** The fingerprint of what it has read last. */
  seen: string | undefined;
  isLooking: boolean;
  /** Whether something changed while it was looking. */
  isLate: boolean;
}

/**
 * Creates a feed of this process's own changes, which polls the database for others while there are watchers. Polling
 * compares with what each watcher has read, not with what polling found before: a watcher may have read a later state, and
 * the change back to the one that was found must reach it.
 */
export function createChangeFeed({ fingerprints, log, pollMs = 5000 }: ChangeFeedOptions): ChangeFeed {
  const watchers = new Map<string, Set<Watcher>>();
  let timer: NodeJS.Timeout | undefined;

  async function look(watcher: Watcher): Promise<void> {
    watcher.isLate = watcher.isLooking;
    if (watcher.isLooking) return;
    watcher.isLooking = true;
    try {
      do {
        watcher.isLate = false;
        watcher.seen = await watcher.look();
      } while (watcher.isLate);
    } catch (error) {
      log.warn({ err: error }, 'Could not look at a change');
    }
    watcher.isLooking = false;
  }

  async function poll(): Promise<void> {
    timer = undefined;
    if (watchers.size === 0) return;
    try {
      const ids = [...watchers.keys()];
      const found = await fingerprints(ids);
      for (const id of ids)
        for (const watcher of watchers.get(id) ?? [])
          if (!watcher.isLooking && watcher.seen !== found.get(id)) void look(watcher);
    } catch (error) {
      log.warn({ err: error }, 'Could not look for changes');
    }
    timer ??= setTimeout(poll, pollMs);
  }

  return {
    changed(id) {
      for (const watcher of watchers.get(id) ?? []) void look(watcher);
    },
    watch(id, read) {
      const watcher: Watcher = { look: read, seen: undefined, isLooking: false, isLate: false };
      const own = watchers.get(id) ?? new Set();
      watchers.set(id, own.add(watcher));
      timer ??= setTimeout(poll, pollMs);
      void look(watcher);
      return () => {
        watcher.isLate = false;
        own.delete(watcher);
        if (own.size === 0 && watchers.get(id) === own) watchers.delete(id);
      };
    },
    close() {
      watchers.clear();
      clearTimeout(timer);
    },
  };
}

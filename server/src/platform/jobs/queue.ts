import { sql } from 'drizzle-orm';
import { type ConstructorOptions, type Db, fromDrizzle, type JobInsert, PgBoss } from 'pg-boss';
import { listen } from '../db/listen.ts';
import { type Opened, withAdvisoryLock } from '../db/open.ts';
import type { Log } from '../log.ts';
import type { EnqueueOptions, Handler, Job, Jobs } from './job.ts';
import { priorityOf } from './turns.ts';

/** Seconds after the last heartbeat until a job counts as abandoned by its worker. */
const HEARTBEAT_SECONDS = 30;
/** How long the queue remembers finished jobs: their ids, and the intervals of periodic jobs. */
const KEPT_SECONDS = 48 * 3600;
/** Maximum of pg-boss. Jobs have limits of their own; a hanging one is detected by its missing heartbeat. */
const LONGEST_SECONDS = 24 * 3600;

/** Retries that each attempt of a job is worth: a lost process costs one of them, a failure all. */
export const RETRIES_PER_ATTEMPT = 10;

/** Returns how often pg-boss may claim a job after the first time. */
export const retriesOf = ({ options }: Job<object>): number => options.attempts * RETRIES_PER_ATTEMPT - 1;

/** Name of the queue that receives a job after its last attempt. */
export const deadLetterQueue = (name: string): string => `${name}.dead`;

/** The queue of one database, for workers. */
export interface Queue extends Jobs {
  /** Enqueues jobs and processes none. */
  readonly boss: PgBoss;
  /** Returns another pg-boss instance on the same queue; the caller starts it. */
  connect(options: ConstructorOptions): PgBoss;
  readonly opened: Opened;
  /** Enqueues this interval's run of a periodic job, unless it exists already. */
  enqueueRegular(job: Job<object>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates the tables of pg-boss and a queue per type of job. Every process calls it at startup, with or without a
 * worker.
 */
export async function openQueue<Context>(
  opened: Opened,
  handlers: readonly Handler<Context>[],
  log: Log,
): Promise<Queue> {
  const connect = (options: ConstructorOptions): PgBoss => {
    const boss = new PgBoss({ db: database(opened, log), schedule: false, registerInstance: false, ...options });
    boss.on('error', (error) => log.error({ err: error }, 'The job queue has trouble'));
    boss.on('warning', ({ message, data }) => log.warn({ data }, `The job queue warns: ${message}`));
    return boss;
  };
  const boss = connect({ supervise: false });
  await withAdvisoryLock(opened, async () => {
    await boss.start();
    for (const { job, dead } of handlers) {
      const options = {
        retryLimit: retriesOf(job),
        // After a lost process. The worker delays all other retries itself.
        retryDelay: 0,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: LONGEST_SECONDS,
        deleteAfterSeconds: KEPT_SECONDS,
        notify: true,
      };
      const deadLetter = dead && deadLetterQueue(job.name);
      if (deadLetter) await boss.createQueue(deadLetter, options);
      await boss.createQueue(job.name, { ...options, ...(deadLetter && { deadLetter }) });
    }
  });

  const known = new Set(handlers.map(({ job }) => job.name));
  const insert = async (name: string, job: JobInsert, db?: Db): Promise<void> => {
    if (!known.has(name)) throw new Error(`Nobody handles jobs named ${name}`);
    await boss.insert(name, [job], db && { db });
  };

  return {
    boss,
    connect,
    opened,
    async enqueue(tx, job, data, { id, startAfter, user }: EnqueueOptions = {}) {
      const share = user && { group: { id: user.id }, priority: await priorityOf(tx, job.name, user) };
      const entry = { data: job.data.parse(data), ...(id && { id }), ...(startAfter && { startAfter }), ...share };
      await insert(job.name, entry, fromDrizzle(tx, sql));
    },
    async enqueueRegular({ name, options: { every } }) {
      if (every !== undefined) await insert(name, { data: {}, singletonSeconds: every });
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** Lets pg-boss use the connection pool of the server. */
function database({ pool }: Opened, log: Log): Db {
  return {
    async executeSql(text, values) {
      const results = await pool.query(text, values);
      return { rows: [results].flat().flatMap(({ rows }) => rows) };
    },
    listen: (channel, onPayload, onReconnect) => listen(pool, channel, log, onPayload, onReconnect),
  };
}

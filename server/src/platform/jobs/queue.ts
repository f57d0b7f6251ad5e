import { sql } from 'drizzle-orm';
import { type ConstructorOptions, type Db, fromDrizzle, type JobInsert, PgBoss } from 'pg-boss';
import { listen } from '../db/listen.ts';
import { type Opened, withAdvisoryLock } from '../db/open.ts';
import type { Log } from '../log.ts';
import type { EnqueueOptions, Handler, Job, Jobs } from './job.ts';

/** Seconds after the last heartbeat until a job counts as left behind by its worker. */
const HEARTBEAT_SECONDS = 30;
/** How long the queue remembers finished jobs: their ids, and the stretches of jobs that run by themselves. */
const KEPT_SECONDS = 48 * 3600;
/** The most that pg-boss takes. Jobs have limits of their own; one that hangs is found by its missing heartbeat. */
const LONGEST_SECONDS = 24 * 3600;

/** Name of the queue where a job goes after its last try. */
export const deadLetterQueue = (name: string): string => `${name}.dead`;

/** The queue of one database, as the worker sees it. */
export interface Queue extends Jobs {
  /** Makes jobs and works on none. */
  readonly boss: PgBoss;
  /** Another connection to the same queue, started by whoever asks for it. */
  connect(options: ConstructorOptions): PgBoss;
  readonly opened: Opened;
  /** Asks for this stretch's run of a job that runs by itself; whoever asks first is the one. */
  enqueueRegular(job: Job<object>): Promise<void>;
  close(): Promise<void>;
}

/** Makes pg-boss's tables and a queue for each kind of job. Every process does so at its start, workers and others. */
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
      const { attempts, retryDelay } = job.options;
      const options = {
        retryLimit: attempts - 1,
        retryDelay,
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
    async enqueue(tx, job, data, { id, startAfter }: EnqueueOptions = {}) {
      const entry = { data: job.data.parse(data), ...(id && { id }), ...(startAfter && { startAfter }) };
      await insert(job.name, entry, fromDrizzle(tx, sql));
    },
    async enqueueRegular({ name, options: { every } }) {
      if (every !== undefined) await insert(name, { data: {}, singletonSeconds: every });
    },
    close: () => boss.stop({ graceful: false }),
  };
}

/** pg-boss's way to the database, on the connections that the rest of the server uses. */
function database({ pool }: Opened, log: Log): Db {
  return {
    async executeSql(text, values) {
      const results = await pool.query(text, values);
      return { rows: [results].flat().flatMap(({ rows }) => rows) };
    },
    listen: (channel, onPayload, onReconnect) => listen(pool, channel, log, onPayload, onReconnect),
  };
}

import { Param, type SQL, sql } from 'drizzle-orm';
import PgBoss from 'pg-boss';
import { type Opened, withAdvisoryLock } from '../db/open.ts';
import type { Log } from '../log.ts';
import { listen, type RunStatement, statements } from './boss.ts';
import type { EnqueueOptions, Executor, Handler, Job, Jobs } from './job.ts';

/** Seconds for which a silent worker keeps a job. A living one renews it three times in that time. */
export const LEASE_SECONDS = 30;

const CHANNEL = 'framelift_jobs';

/** Name of the queue where a job goes after its last try. */
export const deadName = (name: string): string => `${name}.dead`;

/** The queue of one database, as the worker sees it. */
export interface Queue extends Jobs {
  readonly boss: PgBoss;
  readonly run: RunStatement;
  /** No other process has used the database since it was started, so a job that is active now is nobody's. */
  readonly alone: boolean;
  /** Calls `wake` with the name of a queue whenever a job was committed to it, by any process. */
  listen(wake: (name: string) => void): Promise<() => Promise<void>>;
  /** Asks for this stretch's run of a job that runs by itself; whoever asks first is the one. */
  enqueueRegular(job: Job<object>): Promise<void>;
}

/** Makes pg-boss's tables and a queue for each kind of job. Every process does so at its start, workers and others. */
export async function openQueue<Context>(
  opened: Opened,
  handlers: readonly Handler<Context>[],
  log: Log,
): Promise<Queue> {
  const run = statements(opened);
  const boss = new PgBoss({
    db: { executeSql: run },
    // The worker does both itself: leases want a shorter beat, and regular jobs need no cron.
    supervise: false,
    schedule: false,
  });
  boss.on('error', (error) => log.error({ err: error }, 'The job queue has trouble'));
  const deadLetters = new Map<string, string | undefined>();
  await withAdvisoryLock(opened, async () => {
    await boss.start();
    for (const { job, dead } of handlers) {
      if (dead) await boss.createQueue(deadName(job.name));
      await boss.createQueue(job.name);
      deadLetters.set(job.name, dead ? deadName(job.name) : undefined);
    }
  });

  const insertion = (job: Job<object>, data: object, { id, startAfter }: EnqueueOptions): PgBoss.JobInsert => {
    if (!deadLetters.has(job.name)) throw new Error(`Nobody handles jobs named ${job.name}`);
    const { attempts, retryDelay } = job.options;
    const deadLetter = deadLetters.get(job.name);
    return {
      name: job.name,
      data,
      retryLimit: attempts - 1,
      retryDelay,
      expireInSeconds: LEASE_SECONDS,
      ...(id ? { id } : {}),
      ...(startAfter ? { startAfter } : {}),
      ...(deadLetter ? { deadLetter } : {}),
    };
  };

  return {
    boss,
    run,
    alone: opened.alone,
    async enqueue(tx, job, data, options = {}) {
      const db = { executeSql: inside(tx) };
      await boss.insert([insertion(job as Job<object>, job.data.parse(data), options)], { db });
      // Delivered when the transaction commits, so the worker never looks too early.
      await tx.execute(sql`select pg_notify(${CHANNEL}, ${job.name})`);
    },
    listen: (wake) =>
      listen(opened, CHANNEL, wake, (error) => log.warn({ err: error }, 'Lost the line that tells of new jobs')),
    async enqueueRegular(job) {
      const { every } = job.options;
      if (every === undefined) return;
      await boss.insert([{ ...insertion(job, {}, {}), singletonSeconds: every } as PgBoss.JobInsert]);
    },
  };
}

/** Runs pg-boss's statements in a transaction of Drizzle. */
function inside(tx: Executor): RunStatement {
  return async (text, values = []) => {
    const parts = text
      .split(/\$(\d+)/)
      .map((part, index): SQL | Param => (index % 2 === 0 ? sql.raw(part) : new Param(values[Number(part) - 1])));
    await tx.execute(sql.join(parts));
    return { rows: [] };
  };
}

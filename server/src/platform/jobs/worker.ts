import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { fromDrizzle, type JobWithMetadata } from 'pg-boss';
import { isConnectionLost } from '../db/connection-lost.ts';
import type { Log } from '../log.ts';
import { isInterruption, isPassingTrouble } from '../passing-trouble.ts';
import type { Handler, Job, JobOptions } from './job.ts';
import { deadLetterQueue, type Queue, RETRIES_PER_ATTEMPT, retriesOf } from './queue.ts';
import { takeTurn } from './turns.ts';

export interface WorkerOptions {
  /**
   * Seconds between polls for jobs without a notification: retries, scheduled jobs, a lost connection. At least 0.5.
   */
  readonly pollSeconds?: number;
  /** Seconds between heartbeats of a running job. */
  readonly heartbeatSeconds?: number;
  /** Milliseconds that running jobs get to finish when the worker stops. */
  readonly graceMs?: number;
  /** Factor of all delays between attempts; tests shorten them. */
  readonly patience?: number;
}

export interface Worker {
  /** Claims no more jobs, aborts the signals of the running ones and releases those that do not finish in time. */
  stop(): Promise<void>;
}

type Perform<Context> = (
  context: Context,
  data: object,
  run: { id: string; attempt: number; signal: AbortSignal },
) => Promise<void>;
type Claimed = JobWithMetadata<object>;

/** Seconds between checks for jobs with missing heartbeats. */
const SUPERVISE_SECONDS = 10;
/** Interval at which periodic jobs are enqueued; at most one job is created per interval of each. */
const REGULAR_MS = 60_000;
/** Longest delay in seconds while trouble does not pass. */
const LONGEST_PASSING_DELAY = 300;
/** Pause between attempts to reach an unavailable database. */
const RECONNECT_MS = 500;

/** Returns the seconds between this failed attempt and the next. */
function delayAfter(attempt: number, { retryDelay, longestDelay }: JobOptions): number {
  return longestDelay === undefined ? retryDelay : Math.min(longestDelay, retryDelay * 2 ** (attempt - 1));
}

/**
 * Processes the queue of each handler. A job starts as soon as it is committed and a slot is free. A handler that
 * throws costs its job an attempt, unless the trouble is not the job's (see `isPassingTrouble`). A process that dies
 * sends no more heartbeats, which costs each of its jobs a tenth of an attempt.
 */
export async function startWorker<Context extends { readonly log: Log }>(
  queue: Queue,
  handlers: readonly Handler<Context>[],
  context: Context,
  { pollSeconds = 5, heartbeatSeconds = 10, graceMs = 10_000, patience = 1 }: WorkerOptions = {},
): Promise<Worker> {
  const { log } = context;
  const boss = queue.connect({
    useListenNotify: true,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: 3600,
  });
  const stopping = new AbortController();
  const running = new Set<Claimed>();

  /**
   * Returns a job to the queue, by default as if it had never been claimed: the next claim counts as a retry, so one
   * more is allowed. Has no effect if another worker has claimed it since.
   */
  async function release(job: Claimed, retryLimit = job.retryLimit + 1, delaySeconds = 0): Promise<void> {
    const startAfter = delaySeconds * patience;
    // Each statement only affects a job in the state that the previous one sets.
    await queue.opened.db.transaction(async (tx) => {
      const db = fromDrizzle(tx, sql);
      await boss.cancel(job.name, job, { db });
      await boss.resume(job.name, job.id, { db });
      await boss.update(job.name, undefined, { id: job.id, retryLimit, db, ...(startAfter > 0 && { startAfter }) });
    });
  }

  /** Releases a job once the database is reachable. */
  async function releaseWhenPossible(job: Claimed, retryLimit?: number, delaySeconds?: number): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await release(job, retryLimit, delaySeconds);
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        await delay(RECONNECT_MS);
      }
    }
  }

  /** Releases a job that failed, or lets pg-boss bury it by throwing the error. */
  async function settle(job: Claimed, { options }: Job<object>, attempt: number, error: unknown): Promise<void> {
    // The first time at once: most trouble is over by then, and another process may not have it.
    const soon = job.retryCount === 0 ? 0 : Math.min(LONGEST_PASSING_DELAY, 2 ** job.retryCount);
    if (isPassingTrouble(error)) return releaseWhenPossible(job, job.retryLimit + 1, soon);
    const killed = isInterruption(error);
    const retryLimit = killed ? job.retryLimit : job.retryLimit - (RETRIES_PER_ATTEMPT - 1);
    const delay = killed ? soon : delayAfter(attempt, options);
    if (job.retryCount < retryLimit) return releaseWhenPossible(job, retryLimit, delay);
    await queue.opened.db.execute(
      sql`update pgboss.job set retry_limit = retry_count
          where name = ${job.name} and id = ${job.id} and state = 'active' and retry_count = ${job.retryCount}`,
    );
    log.error({ err: error, job: job.name, id: job.id, attempt }, 'A job failed for good');
    throw error;
  }

  async function serve(name: string, kind: Job<object>, perform: Perform<Context>): Promise<void> {
    const options = {
      includeMetadata: true,
      pollingIntervalSeconds: pollSeconds,
      notifyPollingIntervalSeconds: pollSeconds,
      heartbeatRefreshSeconds: heartbeatSeconds,
    } as const;
    const place = await boss.work<object, void, typeof options>(name, options, async ([job]) => {
      if (!job) return;
      // It was being fetched when the worker began to stop.
      if (stopping.signal.aborted) return release(job);
      const used = retriesOf(kind) - (job.retryLimit - job.retryCount);
      const attempt = Math.floor(used / RETRIES_PER_ATTEMPT) + 1;
      running.add(job);
      try {
        if (job.groupId) await takeTurn(queue.opened.db, name, job.groupId);
        const signal = AbortSignal.any([job.signal, stopping.signal]);
        await perform(context, job.data, { id: job.id, attempt, signal });
      } catch (error) {
        // pg-boss settles the jobs it still holds: a released or lost job is left alone.
        if (stopping.signal.aborted) return running.has(job) ? release(job) : undefined;
        log.warn({ err: error, job: name, id: job.id, attempt }, 'A job failed');
        await settle(job, kind, attempt, error);
      } finally {
        running.delete(job);
        // Otherwise this slot would sleep for `pollSeconds`, even with jobs in the queue.
        boss.notifyWorker(place);
      }
    });
  }

  /**
   * Fails the jobs that a dead process left behind, so that they are retried without waiting for missing heartbeats.
   */
  async function recover(name: string): Promise<void> {
    const limit = 1000;
    for (let after: string | undefined; ; ) {
      const jobs = await boss.findJobs<object>(name, { limit, ...(after && { after }) });
      for (const job of jobs)
        if (job.state === 'active') await boss.fail(name, job, { message: 'The process that worked on it ended' });
      after = jobs.at(-1)?.id;
      if (jobs.length < limit) return;
    }
  }

  await boss.start();
  for (const { job, concurrency, run, dead } of handlers) {
    const deadLetters = dead && deadLetterQueue(job.name);
    if (queue.opened.alone) {
      await recover(job.name);
      if (deadLetters) await recover(deadLetters);
    }
    for (let place = 0; place < concurrency; place++) await serve(job.name, job, run);
    if (dead && deadLetters) await serve(deadLetters, job, dead);
  }
  const askForRegular = async (): Promise<void> => {
    for (const { job } of handlers) await queue.enqueueRegular(job);
  };
  await askForRegular();
  const regular = setInterval(() => {
    askForRegular().catch((error: unknown) => log.error({ err: error }, 'Regular jobs could not be asked for'));
  }, REGULAR_MS);

  async function end(): Promise<void> {
    clearInterval(regular);
    stopping.abort();
    const names = handlers.flatMap(({ job }) => [job.name, deadLetterQueue(job.name)]);
    await Promise.race([
      Promise.all(names.map((name) => boss.offWork(name, { wait: true }))),
      delay(graceMs, undefined, { ref: false }),
    ]);
    const left = [...running];
    running.clear();
    for (const job of left) await release(job);
    await boss.stop({ graceful: false });
  }

  let ended: Promise<void> | undefined;
  return {
    stop() {
      ended ??= end();
      return ended;
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { fromDrizzle, type JobWithMetadata } from 'pg-boss';
import { isConnectionLost } from '../db/connection-lost.ts';
import type { Log } from '../log.ts';
import type { Handler } from './job.ts';
import { deadLetterQueue, type Queue } from './queue.ts';
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
/** Pause between attempts to reach an unavailable database. */
const RECONNECT_MS = 500;

/**
 * Processes the queue of each handler. A job starts as soon as it is committed and a slot is free. A handler that
 * throws costs its job an attempt, unless the connection to the database was lost. A process that dies sends no more
 * heartbeats, which costs each of its jobs an attempt.
 */
export async function startWorker<Context extends { readonly log: Log }>(
  queue: Queue,
  handlers: readonly Handler<Context>[],
  context: Context,
  { pollSeconds = 5, heartbeatSeconds = 10, graceMs = 10_000 }: WorkerOptions = {},
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
   * Returns a job to the queue as if it had never been claimed. Has no effect if another worker has claimed it since.
   */
  async function release(job: Claimed): Promise<void> {
    // Each statement only affects a job in the state that the previous one sets.
    await queue.opened.db.transaction(async (tx) => {
      const db = fromDrizzle(tx, sql);
      await boss.cancel(job.name, job, { db });
      await boss.resume(job.name, job.id, { db });
      // The next claim counts as a retry, so one more is allowed.
      await boss.update(job.name, undefined, { id: job.id, retryLimit: job.retryLimit + 1, db });
    });
  }

  /**
   * Releases a job without costing an attempt once the database is reachable again: the job did not cause the failure.
   */
  async function releaseWhenPossible(job: Claimed): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        return await release(job);
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
        await delay(RECONNECT_MS);
      }
    }
  }

  async function serve(name: string, attempts: number, perform: Perform<Context>): Promise<void> {
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
      const attempt = attempts - (job.retryLimit - job.retryCount);
      running.add(job);
      try {
        if (job.groupId) await takeTurn(queue.opened.db, name, job.groupId);
        const signal = AbortSignal.any([job.signal, stopping.signal]);
        await perform(context, job.data, { id: job.id, attempt, signal });
      } catch (error) {
        // pg-boss settles the jobs it still holds: a released or lost job is left alone.
        if (stopping.signal.aborted) return running.has(job) ? release(job) : undefined;
        log.warn({ err: error, job: name, id: job.id, attempt }, 'A job failed');
        if (!isConnectionLost(error)) throw error;
        await releaseWhenPossible(job);
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
    for (let place = 0; place < concurrency; place++) await serve(job.name, job.options.attempts, run);
    if (dead && deadLetters) await serve(deadLetters, job.options.attempts, dead);
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

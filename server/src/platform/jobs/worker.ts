import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { fromDrizzle, type JobWithMetadata } from 'pg-boss';
import { isConnectionLost } from '../db/connection-lost.ts';
import type { Log } from '../log.ts';
import type { Handler } from './job.ts';
import { deadLetterQueue, type Queue } from './queue.ts';

export interface WorkerOptions {
  /** Seconds between two looks for jobs that nobody told of: retries, planned ones, a lost line. At least 0.5. */
  readonly pollSeconds?: number;
  /** Seconds between two heartbeats of a running job. */
  readonly heartbeatSeconds?: number;
  /** Milliseconds that running jobs get to end by themselves when the worker stops. */
  readonly graceMs?: number;
}

export interface Worker {
  /** Takes no more jobs, asks the running ones to end and releases those that do not finish. */
  stop(): Promise<void>;
}

type Perform<Context> = (
  context: Context,
  data: object,
  run: { id: string; attempt: number; signal: AbortSignal },
) => Promise<void>;
type Claimed = JobWithMetadata<object>;

/** How often jobs are looked for whose worker sends no heartbeats any more. */
const SUPERVISE_SECONDS = 10;
/** How often the jobs that run by themselves are asked for; at most one in each of their stretches is made. */
const REGULAR_MS = 60_000;
/** Between two tries to reach a database that went away. */
const RECONNECT_MS = 500;

/**
 * Works off the queue of each handler. A job starts as soon as it is committed and a place is free; a handler that
 * throws costs its job a try, unless the database went away; a process that dies sends no more heartbeats and so costs each of its jobs a try.
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

  /** Puts a job back as if it had never been taken. Does nothing for one that another worker has by now. */
  async function release(job: Claimed): Promise<void> {
    // Each of these leaves alone what is not in the state that the one before makes.
    await queue.opened.db.transaction(async (tx) => {
      const db = fromDrizzle(tx, sql);
      await boss.cancel(job.name, job, { db });
      await boss.resume(job.name, job.id, { db });
      // The next claim counts as a retry: it gets one more.
      await boss.update(job.name, undefined, { id: job.id, retryLimit: job.retryLimit + 1, db });
    });
  }

  /** The job is not at fault when the database goes away: it costs no try. */
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
      // It was being fetched when the stop began.
      if (stopping.signal.aborted) return release(job);
      const attempt = attempts - (job.retryLimit - job.retryCount);
      running.add(job);
      try {
        const signal = AbortSignal.any([job.signal, stopping.signal]);
        await perform(context, job.data, { id: job.id, attempt, signal });
      } catch (error) {
        // pg-boss settles what it still holds: a job that was released or lost is left alone.
        if (stopping.signal.aborted) return running.has(job) ? release(job) : undefined;
        log.warn({ err: error, job: name, id: job.id, attempt }, 'A job failed');
        if (!isConnectionLost(error)) throw error;
        await releaseWhenPossible(job);
      } finally {
        running.delete(job);
        // Without this it would rest for `pollSeconds`, whatever waits in the queue.
        boss.notifyWorker(place);
      }
    });
  }

  /** Fails what a process that is gone left behind, so that its next try need not wait for the missing heartbeats. */
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

import type PgBoss from 'pg-boss';
import { type Log, messageOf } from '../log.ts';
import type { Handler } from './job.ts';
import { activeJobs, handBack, type Lease, readyQueues, renew } from './leases.ts';
import { deadName, LEASE_SECONDS, type Queue } from './queue.ts';

export interface WorkerOptions {
  /** Milliseconds between two looks for jobs that nobody told of: retries, planned ones, a lost line. */
  readonly pollMs?: number;
  /** Milliseconds between two renewals of the leases; three of them fit into a lease. */
  readonly heartbeatMs?: number;
  /** Milliseconds that running jobs get to end by themselves when the worker stops. */
  readonly graceMs?: number;
}

export interface Worker {
  /** Takes no more jobs, asks the running ones to end and hands back those that do not finish. */
  stop(): Promise<void>;
}

interface Running extends Lease {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  /** Another worker may have it by now: its end is no longer ours to record. */
  lost: boolean;
}

type Perform<Context> = (context: Context, job: PgBoss.JobWithMetadata<object>, signal: AbortSignal) => Promise<void>;

const HEARTBEAT_MS = (LEASE_SECONDS * 1000) / 3;

/**
 * Works off the queue of each handler. A job starts as soon as it is committed and a place is free; a handler that
 * throws costs its job a try; a process that dies loses its leases and so costs each of its jobs a try.
 */
export async function startWorker<Context extends { readonly log: Log }>(
  queue: Queue,
  handlers: readonly Handler<Context>[],
  context: Context,
  { pollMs = 2000, heartbeatMs = HEARTBEAT_MS, graceMs = 10_000 }: WorkerOptions = {},
): Promise<Worker> {
  const { boss, run } = queue;
  const { log } = context;
  const running = new Set<Running>();
  const wakers = new Map<string, () => void>();
  let stopping = false;

  const loops: Promise<void>[] = [];
  const serve = (name: string, concurrency: number, perform: Perform<Context>): void => {
    const bell = createBell();
    wakers.set(name, bell.ring);
    loops.push(takeJobs());

    async function takeJobs(): Promise<void> {
      let busy = 0;
      while (!stopping) {
        const free = concurrency - busy;
        const jobs = free > 0 ? await boss.fetch<object>(name, { batchSize: free, includeMetadata: true }) : [];
        for (const job of jobs) {
          busy++;
          start(job).then(() => {
            busy--;
            bell.ring();
          });
        }
        if (jobs.length === 0) await bell.wait();
      }
    }

    function start(job: PgBoss.JobWithMetadata<object>): Promise<void> {
      const controller = new AbortController();
      // A stop may have begun while the job was being fetched.
      if (stopping) controller.abort();
      const entry: Running = {
        name,
        id: job.id,
        retryCount: job.retryCount,
        controller,
        lost: false,
        ended: Promise.resolve().then(() => attempt(entry, job)),
      };
      running.add(entry);
      return entry.ended;
    }

    async function attempt(entry: Running, job: PgBoss.JobWithMetadata<object>): Promise<void> {
      try {
        const outcome = await perform(context, job, entry.controller.signal).then(
          () => null,
          (error: unknown) => ({ error }),
        );
        // Recorded in one go: an interrupted job is never failed, and a lost one is somebody else's.
        if (entry.lost) return;
        if (!outcome) await boss.complete(name, job.id);
        else if (stopping) await handBack(run, [entry]);
        else {
          log.warn({ err: outcome.error, job: name, id: job.id, attempt: job.retryCount + 1 }, 'A job failed');
          await boss.fail(name, job.id, { message: messageOf(outcome.error) });
        }
      } catch (error) {
        // The lease runs out and another try follows.
        log.error({ err: error, job: name, id: job.id }, "A job's end could not be recorded");
      } finally {
        running.delete(entry);
      }
    }
  };

  if (queue.alone) {
    for (const { name, id } of await activeJobs(run))
      await boss.fail(name, id, { message: 'The process that worked on it ended' });
  }

  for (const { job, concurrency, run: perform, dead } of handlers) {
    serve(job.name, concurrency, (own, { id, data, retryCount }, signal) =>
      perform(own, data, { id, attempt: retryCount + 1, signal }),
    );
    if (dead) serve(deadName(job.name), 1, (own, { data }) => dead(own, data));
  }

  const unlisten = await queue.listen((name) => wakers.get(name)?.());
  const beat = repeat(heartbeatMs, log, async () => {
    const leases = [...running];
    const held = leases.length === 0 ? new Set() : await renew(run, leases);
    for (const entry of leases) {
      if (held.has(entry.id)) continue;
      entry.lost = true;
      entry.controller.abort();
    }
    await boss.maintain();
    for (const { job } of handlers) await queue.enqueueRegular(job);
  });
  const poll = repeat(pollMs, log, async () => {
    for (const name of await readyQueues(run)) wakers.get(name)?.();
  });

  async function end(): Promise<void> {
    stopping = true;
    await Promise.all([beat.stop(), poll.stop(), unlisten()]);
    for (const ring of wakers.values()) ring();
    await Promise.all(loops);
    for (const { controller } of running) controller.abort();
    await within(graceMs, Promise.all([...running].map(({ ended }) => ended)));
    const left = [...running];
    for (const entry of left) entry.lost = true;
    if (left.length > 0) await handBack(run, left);
  }

  let ended: Promise<void> | undefined;
  return {
    stop() {
      ended ??= end();
      return ended;
    },
  };
}

interface Bell {
  ring(): void;
  /** Until the next ring, or not at all when it was rung since the last wait. */
  wait(): Promise<void>;
}

function createBell(): Bell {
  let rung = false;
  let answer: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      answer?.();
    },
    async wait() {
      if (!rung) await new Promise<void>((resolve) => (answer = resolve));
      rung = false;
      answer = null;
    },
  };
}

/** Does a deed now and again after each pause; a failure is logged and the next turn tries anew. */
function repeat(pauseMs: number, log: Log, deed: () => Promise<void>): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let turn = Promise.resolve();
  const next = (): void => {
    turn = deed()
      .catch((error: unknown) => log.error({ err: error }, 'The upkeep of the job queue failed'))
      .then(() => {
        if (!stopped) timer = setTimeout(next, pauseMs);
      });
  };
  next();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}

async function within(limitMs: number, promise: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([promise, limit]);
  clearTimeout(timer);
}

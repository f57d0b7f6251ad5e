import type { z } from 'zod';
import type { Queries } from '../db/open.ts';

export interface JobOptions {
  /**
   * Maximum number of attempts; after the last one the job is dead. An attempt that ends because its process was killed
   * costs a tenth, and one that ends in passing trouble (see `isPassingTrouble`) costs nothing.
   */
  readonly attempts: number;
  /** Seconds between the first failed attempt and the next. */
  readonly retryDelay: number;
  /** If set, each delay is twice as long as the one before, up to this number of seconds. */
  readonly longestDelay?: number;
  /**
   * Seconds per interval of a periodic job, which runs once per interval over all workers and has no data. At most one
   * day: the queue remembers an interval for two days.
   */
  readonly every?: number;
}

/** A type of job: its name and the schema of its data. `handle` binds the implementation. */
export interface Job<Data> {
  readonly name: string;
  readonly data: z.ZodType<Data>;
  readonly options: JobOptions;
}

export function defineJob<Data extends object>(
  name: string,
  data: z.ZodType<Data>,
  options: Partial<JobOptions> = {},
): Job<Data> {
  return { name, data, options: { attempts: 3, retryDelay: 1, ...options } };
}

/** One attempt of one job. */
export interface JobRun {
  readonly id: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /**
   * Aborted when this process stops or has lost the job to another worker. If the handler then throws, the job is
   * released without costing an attempt; if it returns, the job is completed.
   */
  readonly signal: AbortSignal;
}

export interface Handler<Context> {
  readonly job: Job<object>;
  readonly concurrency: number;
  run(context: Context, data: object, run: JobRun): Promise<void>;
  readonly dead: ((context: Context, data: object) => Promise<void>) | undefined;
}

interface HandlerParts<Context, Data> {
  run(context: Context, data: Data, run: JobRun): Promise<void>;
  /** Runs after the last attempt, even if that one killed its process. May run more than once. */
  dead?(context: Context, data: Data): Promise<void>;
  /** Maximum number of jobs of this type at a time in one process. */
  concurrency?: number;
}

/** Binds a job to its implementation, which may run twice: a process can die before it records the result. */
export function handle<Context, Data extends object>(
  job: Job<Data>,
  parts: HandlerParts<Context, Data>,
): Handler<Context> {
  const { dead } = parts;
  return {
    job,
    concurrency: parts.concurrency ?? 1,
    run: (context, data, run) => parts.run(context, job.data.parse(data), run),
    dead: dead && ((context, data) => dead(context, job.data.parse(data))),
  };
}

export interface EnqueueOptions {
  /** UUID that makes enqueuing idempotent: a second job with the same id is not created. */
  readonly id?: string;
  readonly startAfter?: Date;
  /** Whose work it is, in a queue that users share: the user served least recently comes first. See `turns.ts`. */
  readonly user?: JobUser;
}

export interface JobUser {
  readonly id: string;
  readonly isGuest: boolean;
}

/** The part of the queue that the domain may use. */
export interface Jobs {
  /**
   * Enqueues a job in the caller's transaction: it exists after the commit, and an idle worker starts it immediately.
   */
  enqueue<Data extends object>(tx: Queries, job: Job<Data>, data: Data, options?: EnqueueOptions): Promise<void>;
}

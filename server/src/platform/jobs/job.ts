import type { z } from 'zod';
import type { Queries } from '../db/open.ts';

export interface JobOptions {
  /** Tries in all, the first one included; after the last the job is dead. A killed process costs one try. */
  readonly attempts: number;
  /** Seconds between a failed try and the next. */
  readonly retryDelay: number;
  /**
   * Runs by itself once in every stretch of so many seconds, over all workers together; such a job has no data. At most
   * a day: the queue remembers a stretch for two.
   */
  readonly every?: number;
}

/** A kind of job: what it is called and what it must be told. What it does is told to the worker apart (`handle`). */
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

/** One try of one job. */
export interface JobRun {
  readonly id: string;
  /** 1 for the first try. */
  readonly attempt: number;
  /**
   * Aborted when this process stops or has lost the job to another worker. A handler that throws then releases the job
   * untried; one that ends normally has done it.
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
  /** After the last try, also when that one killed its process. May run more than once. */
  dead?(context: Context, data: Data): Promise<void>;
  /** Jobs of this kind at one time in one process. */
  concurrency?: number;
}

/** Binds a job to what it does, which may run twice: a process can die before it records the result. */
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
  /** A second job with the same id is not made: the caller's guard against doing a thing twice. A UUID. */
  readonly id?: string;
  readonly startAfter?: Date;
}

/** The part of the queue that the domain may use. */
export interface Jobs {
  /** Puts a job into the caller's transaction: it exists when that commits and a free worker then starts at once. */
  enqueue<Data extends object>(tx: Queries, job: Job<Data>, data: Data, options?: EnqueueOptions): Promise<void>;
}

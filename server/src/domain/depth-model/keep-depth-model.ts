import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { DepthModelProblem } from '@framelift/contract';
import {
  EngineError,
  failureOf,
  fetchedBytes,
  fetchModel,
  installedState,
  type ModelSource,
  type NeuralModel,
  removeModel,
} from '@framelift/engine';
import type { Context } from '../../context.ts';
import { FolderInUse, type Lock, lockFolder } from '../../platform/db/lock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { changeKept, type Kept, type Report, readKept, removalOf } from './kept.ts';

export interface ModelStore {
  /** Several processes may share it; the first one fetches. */
  readonly folder: string;
  readonly model: NeuralModel;
  readonly source: ModelSource;
}

export interface KeeperOptions {
  /** Time between two looks at what administrators ask for, in milliseconds; 3000 by default. */
  readonly pollMs?: number;
  /** See `DownloadOptions`. */
  readonly pauseMs?: number;
  readonly stallMs?: number;
}

const POLL_MS = 3000;
/** While it is fetched or tried out, so that others see that somebody is at it. */
const REPORT_MS = 1000;
/** After a failure; doubled with each further one. */
const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = HOUR_MS;
/** What only a change of the file, its address or the folder mends is tried again once a day, and when asked for. */
const LASTING: readonly DepthModelProblem[] = ['notThere', 'wrongFile', 'notWritable'];

/**
 * Fetches the depth model in the background, tries it out, and removes it when an administrator says so. Conversions take
 * it up by themselves. Whatever fails is reported, and basic depth goes on.
 * @returns ends it; what has arrived of an unfinished download is kept for the next start
 */
export function keepDepthModel(context: Context, store: ModelStore, options: KeeperOptions = {}): () => Promise<void> {
  const { pollMs = POLL_MS } = options;
  const end = new AbortController();
  const keeper = new Keeper(context, store, options, end.signal);
  const kept = (async () => {
    while (!end.signal.aborted) {
      await keeper.look().catch((err: unknown) => {
        // The database is away, or the server stops.
        if (!end.signal.aborted) context.log.warn({ err }, 'The depth model could not be looked after');
      });
      await setTimeout(pollMs, undefined, { signal: end.signal }).catch(() => {});
    }
  })();
  return async () => {
    end.abort();
    await kept;
  };
}

interface Tested {
  /** State of the installed files that were tried out; '' for none. */
  readonly files: string;
  readonly isUsable: boolean;
  /** Whether the same files need not be tried again. */
  readonly isFinal: boolean;
}
const NONE: Tested = { files: '', isUsable: false, isFinal: false };

class Keeper {
  readonly #context: Context;
  readonly #store: ModelStore;
  readonly #options: KeeperOptions;
  readonly #end: AbortSignal;
  #tested: Tested = NONE;
  /** The removal that this process has carried out. Undefined until the first look. */
  #removal: string | null | undefined;
  readonly #startedAt: string;
  #lastTryAt: string;
  #nextTry = 0;
  #failures = 0;
  #logged: DepthModelProblem | null = null;

  constructor(context: Context, store: ModelStore, options: KeeperOptions, end: AbortSignal) {
    this.#context = context;
    this.#store = store;
    this.#options = options;
    this.#end = end;
    this.#startedAt = context.clock.now().toISOString();
    this.#lastTryAt = this.#startedAt;
  }

  async look(): Promise<void> {
    const { clock, log } = this.#context;
    const { folder, model } = this.#store;
    const kept = await readKept(this.#context);
    const removal = removalOf(kept);
    // A start after the removal leaves alone what an operator has installed by hand since then.
    if (this.#removal === undefined) this.#removal = kept.report?.state === 'removed' ? kept.removedAt : null;
    if (removal !== null && removal !== this.#removal) {
      await removeModel(model, folder);
      this.#removal = removal;
      this.#tested = NONE;
      await this.#report({ state: 'removed' });
      log.info(`${model.name} was removed; basic depth is used`);
      return;
    }
    const files = installedState(folder, model.id);
    const now = clock.now();
    const isWaitedFor = now.getTime() >= this.#nextTry;
    if (files !== '' && (files !== this.#tested.files || (!this.#tested.isFinal && isWaitedFor)))
      return this.#tryOut(files);
    const isAsked = kept.askedAt !== null && kept.askedAt > this.#lastTryAt;
    if (files !== '') {
      if (isAsked && !this.#tested.isUsable) await this.#fetch();
      return;
    }
    this.#tested = NONE;
    const isDue = isWaitedFor && !this.#othersWait(kept, now);
    if (removal === null && (isAsked || isDue)) await this.#fetch();
  }

  /** Returns whether another process has failed meanwhile and waits for its next try. */
  #othersWait({ report }: Kept, now: Date): boolean {
    const { state = null, at = '', nextTryAt = null } = report ?? {};
    return state === 'failed' && at > this.#startedAt && nextTryAt !== null && nextTryAt > now.toISOString();
  }

  /** Fetches the model, instead of an installed one that cannot be used, unless another process is at it. */
  async #fetch(): Promise<void> {
    const { clock, log, room } = this.#context;
    const { folder, model, source } = this.#store;
    let lock: Lock | null = null;
    try {
      lock = lockFolder(join(folder, 'fetch.lock'));
      this.#lastTryAt = clock.now().toISOString();
      // Another process may just have done it.
      if (installedState(folder, model.id) !== this.#tested.files) return;
      if (this.#tested.files !== '') await removeModel(model, folder);
      this.#tested = NONE;
      const free = await room.freeBytes();
      if (free !== null && free - fetchedBytes(model) < room.reserveBytes)
        return await this.#fail('diskFull', `${free} bytes are free`);
      log.info({ licence: model.licence }, `${model.name} is being fetched`);
      await this.#download(source);
    } catch (error) {
      if (error instanceof FolderInUse || this.#end.aborted || error instanceof RemovedMeanwhile) return;
      const { problem, detail } = failureOf(error);
      await this.#fail(problem, detail);
    } finally {
      lock?.release();
    }
    const files = installedState(folder, model.id);
    if (files !== '') await this.#tryOut(files);
  }

  async #download(source: ModelSource): Promise<void> {
    const { folder, model } = this.#store;
    const { pauseMs, stallMs } = this.#options;
    const removed = new AbortController();
    let fetched = 0;
    const progress = this.#whileWorking(
      () => ({ state: 'fetching', fetched }),
      (kept) => {
        if (removalOf(kept) !== null) removed.abort(new RemovedMeanwhile());
      },
    );
    try {
      await fetchModel(model, folder, source, {
        signal: AbortSignal.any([this.#end, removed.signal]),
        onProgress: (bytes) => {
          fetched = bytes;
        },
        ...(pauseMs === undefined ? {} : { pauseMs }),
        ...(stallMs === undefined ? {} : { stallMs }),
      });
    } finally {
      await progress();
    }
  }

  /** Tries out the installed files in a process of its own and reports what comes of it. */
  async #tryOut(files: string): Promise<void> {
    const { converter, log, clock } = this.#context;
    const { model } = this.#store;
    this.#lastTryAt = clock.now().toISOString();
    const progress = this.#whileWorking(() => ({ state: 'checking', fetched: fetchedBytes(model) }));
    const status = await this.#orEnd(converter.status())
      .catch((error: unknown) => {
        if (!(error instanceof EngineError)) throw error;
        return error.code === 'conversionCancelled' ? null : error;
      })
      .finally(progress);
    if (!status) return;
    if (status instanceof EngineError) {
      // Its process crashed, or took too much memory or time: perhaps only now.
      this.#tested = { files, isUsable: false, isFinal: false };
      return this.#fail('selfTestFailed', status.message);
    }
    const isUsable = status.depth.source === `model:${model.id}`;
    this.#tested = { files, isUsable, isFinal: true };
    if (!isUsable) {
      const unusable = status.unusable.find(({ id }) => id === model.id);
      return this.#fail(unusable?.problem ?? 'selfTestFailed', unusable?.detail ?? status.warnings.join(' '));
    }
    this.#failures = 0;
    this.#logged = null;
    await this.#report({ state: 'inUse', fetched: fetchedBytes(model) });
    log.info({ device: status.depth.device }, `${model.name} is in use`);
  }

  /** Returns null when the worker ends first: it does not wait for a self-test. */
  #orEnd<T>(work: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      const stop = () => resolve(null);
      if (this.#end.aborted) stop();
      this.#end.addEventListener('abort', stop, { once: true });
      work.then(resolve, reject).finally(() => this.#end.removeEventListener('abort', stop));
    });
  }

  /** Reports a failure; the same one is logged once. */
  async #fail(problem: DepthModelProblem, detail: string): Promise<void> {
    const { clock, log } = this.#context;
    const { name } = this.#store.model;
    const pause = LASTING.includes(problem)
      ? DAY_MS
      : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(this.#failures, 10));
    this.#failures++;
    this.#nextTry = clock.now().getTime() + pause;
    // An installed file that cannot be used is only fetched again when somebody asks.
    const nextTryAt = this.#tested.isFinal ? null : new Date(this.#nextTry).toISOString();
    await this.#report({ state: 'failed', problem, detail, nextTryAt });
    const level = this.#logged === problem ? 'debug' : 'warn';
    this.#logged = problem;
    log[level]({ problem, nextTryAt }, `${name} is not in use, basic depth is: ${detail}`);
  }

  /** Reports at once and every second until the returned function is called. */
  #whileWorking(tell: () => Part, heard: (kept: Kept) => void = () => {}): () => Promise<void> {
    const done = new AbortController();
    const reports = (async () => {
      while (!done.signal.aborted) {
        // The work does not depend on the database.
        await this.#report(tell()).then(heard, () => {});
        await setTimeout(REPORT_MS, undefined, { signal: done.signal }).catch(() => {});
      }
    })();
    return async () => {
      done.abort();
      await reports;
    };
  }

  #report(part: Part): Promise<Kept> {
    const { db, clock } = this.#context;
    const { id } = this.#store.model;
    const at = clock.now().toISOString();
    const report: Report = { id, fetched: 0, problem: null, detail: null, nextTryAt: null, at, ...part };
    return db.transaction((tx) =>
      changeKept(this.#context, tx, (kept) => ({
        report,
        // Installed by hand after it was removed: that removal is over.
        ...(part.state === 'inUse' && kept.removedAt === this.#removal && { removedAt: null }),
      })),
    );
  }
}

type Part = Pick<Report, 'state'> & Partial<Report>;

/** An administrator removed the model while it was being fetched. */
class RemovedMeanwhile extends Error {}

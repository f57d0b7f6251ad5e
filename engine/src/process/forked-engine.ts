import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { EngineError } from '../errors.ts';
import type { CallHooks, CallName, EngineCalls, Order, Report } from './calls.ts';
import type { EngineOptions } from './engine.ts';
import { watchMemory } from './resident-memory.ts';

export interface ForkLimits {
  readonly engine: EngineOptions;
  readonly memoryLimitMb: number;
  /** A process without work for this long is ended, to give its memory back. */
  readonly idleMs: number;
  /** How long a cancelled call may take to stop by itself. */
  readonly graceMs: number;
  /** Receives each line of the process's standard error. */
  readonly log: (line: string) => void;
}

export interface CallOptions extends CallHooks {
  readonly timeLimitMs: number;
}

/** Nicer than the server, so that pages stay quick while pictures are converted. */
const PRIORITY = 5;
const STDERR_KEPT = 2000;
/** Megabytes. What lives for a moment is held outside the heap: more room for it would only grow as time goes by. */
const YOUNG_MB = 4;
/** The only variables the process gets: it handles bytes of strangers and has no business with the server's secrets. */
const ENVIRONMENT = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'LANG',
  'LC_ALL',
  'SYSTEMROOT',
  'LD_LIBRARY_PATH',
  'NODE_COMPILE_CACHE',
];
const PROGRAM = new URL('./convert-process.ts', import.meta.url);

/**
 * One forked process, started at the first call and used again for the next. Calls come one at a time: the caller waits
 * for `call` to settle. When it has, the process is idle or gone, and touches no file any more.
 */
export class ForkedEngine {
  readonly #limits: ForkLimits;
  #child: ChildProcess | null = null;
  /** The present process, and those that were let go and are not gone yet. */
  readonly #alive = new Set<ChildProcess>();
  #stderr = '';
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closed = false;
  /** Ends the running call and its process, for the reason given. */
  #end: ((reason: EngineError) => void) | null = null;

  constructor(limits: ForkLimits) {
    this.#limits = limits;
  }

  /**
   * Does a call of the engine in the process.
   *
   * @throws {EngineError} what the call fails with, or what is said about a process that had to be ended
   */
  async call<K extends CallName>(
    call: K,
    input: Parameters<EngineCalls[K]>[0],
    { timeLimitMs, signal, onProgress }: CallOptions,
  ): Promise<Awaited<ReturnType<EngineCalls[K]>>> {
    if (this.#closed) throw new EngineError('conversionCancelled', 'the converter was closed');
    clearTimeout(this.#idle);
    const child = this.#child?.connected ? this.#child : this.#start();
    const id = ++this.#lastId;
    return new Promise<Awaited<ReturnType<EngineCalls[K]>>>((resolve, reject) => {
      let ending: EngineError | null = null;
      let settled = false;
      let grace: NodeJS.Timeout | undefined;
      const send = (order: Order) => child.send(order, () => {}); // the loss of the process is reported by 'close'
      const end = (reason: EngineError) => {
        // A late reading of the memory must not end the next call.
        if (settled) return;
        ending ??= reason;
        child.kill('SIGKILL');
      };
      const timeLimit = setTimeout(
        () => end(new EngineError('conversionTimedOut', `not done after ${timeLimitMs} ms`)),
        timeLimitMs,
      );
      const { memoryLimitMb, graceMs } = this.#limits;
      const stopWatching =
        child.pid === undefined
          ? undefined
          : watchMemory(child.pid, memoryLimitMb, () =>
              end(new EngineError('conversionFailed', `more than ${memoryLimitMb} MB of memory`)),
            );
      const cancelled = () => new EngineError('conversionCancelled', 'cancelled');
      const onAbort = () => {
        send({ id, cancel: true });
        grace = setTimeout(() => end(cancelled()), graceMs);
      };
      const settle = (outcome: () => void) => {
        settled = true;
        clearTimeout(grace);
        clearTimeout(timeLimit);
        stopWatching?.();
        signal?.removeEventListener('abort', onAbort);
        child.off('message', onReport).off('close', onClose).off('error', onError);
        this.#end = null;
        if (this.#child === child) this.#rest();
        outcome();
      };
      const onReport = (report: Report) => {
        // A process that is being killed may have one more message on its way; 'close' settles then.
        if (report.id !== id || ending) return;
        if ('progress' in report) onProgress?.(report.progress);
        else if (signal?.aborted) settle(() => reject(cancelled()));
        else if ('error' in report) settle(() => reject(new EngineError(report.error.code, report.error.message)));
        else settle(() => resolve(report.result as Awaited<ReturnType<EngineCalls[K]>>));
      };
      const onClose = (code: number | null, killedBy: NodeJS.Signals | null) => {
        const how = killedBy ? `was killed by ${killedBy}` : `ended with code ${code}`;
        const text = `the conversion process ${how}${this.#stderr && `: ${this.#stderr.trim()}`}`;
        settle(() => reject(ending ?? new EngineError('conversionFailed', text)));
      };
      const onError = (error: Error) => {
        settle(() => reject(new EngineError('conversionFailed', error.message, { cause: error })));
      };
      this.#end = end;
      // 'close' comes after 'exit', when all of its standard error was read.
      child.on('message', onReport).on('close', onClose).on('error', onError);
      signal?.addEventListener('abort', onAbort);
      send({ id, call, input });
      if (signal?.aborted) onAbort();
    });
  }

  /** Ends the process at once, and waits until it is gone. A running call is rejected with `conversionCancelled`. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#end?.(new EngineError('conversionCancelled', 'the converter was closed'));
    const gone = [...this.#alive].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.#alive) child.kill('SIGKILL');
    await Promise.all(gone);
  }

  #start(): ChildProcess {
    const { engine, memoryLimitMb, log } = this.#limits;
    const env = Object.fromEntries(
      ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    const child = fork(PROGRAM, [JSON.stringify(engine)], {
      // glibc keeps freed memory in one pool per thread unless told to use few.
      env: { ...env, MALLOC_ARENA_MAX: '2' },
      execArgv: ['--expose-gc', `--max-old-space-size=${memoryLimitMb}`, `--max-semi-space-size=${YOUNG_MB}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#alive.add(child);
    this.#stderr = '';
    if (child.stderr)
      createInterface({ input: child.stderr }).on('line', (line) => {
        this.#stderr = `${this.#stderr}${line}\n`.slice(-STDERR_KEPT);
        log(line);
      });
    const forget = () => {
      this.#alive.delete(child);
      if (this.#child !== child) return;
      this.#child = null;
      clearTimeout(this.#idle);
    };
    // Not 'close', which never comes for a process that we disconnected from (seen with Node 20).
    child.on('exit', forget).on('error', forget);
    if (child.pid !== undefined) lowerPriority(child.pid);
    return child;
  }

  /** Ends the process when no call comes for `idleMs`. */
  #rest(): void {
    this.#idle = setTimeout(() => {
      const child = this.#child;
      this.#child = null;
      if (child?.connected) child.disconnect();
    }, this.#limits.idleMs);
    this.#idle.unref();
  }
}

/** Before the process has threads of its own: on Linux, they inherit the value one by one. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // It died already, which its 'close' tells, or the system refuses: then it competes on equal terms.
  }
}

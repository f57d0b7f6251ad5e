import { type ChildProcess, fork } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { EngineError } from '../errors.ts';
import { BEAT_MS } from '../pulse.ts';
import { type CallHooks, type CallName, type EngineCalls, type Order, PULSE_FD, type Report } from './calls.ts';
import type { EngineOptions } from './engine.ts';
import { watchMemory } from './resident-memory.ts';

export interface ForkLimits {
  readonly engine: EngineOptions;
  readonly memoryLimitMb: number;
  /** Added to this process's, so that pages stay responsive during conversions. */
  readonly priority: number;
  /** Idle time after which the process is ended, to free its memory. */
  readonly idleMs: number;
  /** Time for a cancelled call to stop before the process is killed. */
  readonly graceMs: number;
  /** Time without a sign of life after which the process is killed. 10 seconds by default. */
  readonly silenceMs?: number;
  /** Receives each line of the process's standard error. */
  readonly log: (line: string) => void;
}

export interface CallOptions extends CallHooks {
  readonly timeLimitMs: number;
}

const LOWEST_PRIORITY = 19;
const STDERR_KEPT = 2000;
const SILENCE_MS = 10_000;
/** Until the first sign of life, which includes loading the program. */
const START_MS = 30_000;
/** Signals by which a process ends because of its own fault: damaged memory, a failed assertion, an illegal instruction. */
const OWN_FAULTS: readonly (NodeJS.Signals | null)[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'];
/** Semi-space size in MB. Short-lived data is held outside the heap: a larger space would only fill up over time. */
const YOUNG_MB = 4;
/** Environment variables passed to the process: it handles untrusted bytes and must not see the server's secrets. */
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
 * One forked process, started on the first call and reused. Calls must not overlap: the caller waits for `call` to
 * settle. Then the process is idle or gone and accesses no files.
 */
export class ForkedEngine {
  readonly #limits: ForkLimits;
  #child: ChildProcess | null = null;
  /** The current process, and disconnected ones that have not exited yet. */
  readonly #alive = new Set<ChildProcess>();
  #stderr = '';
  /** Since the last sign of life of the current process, during a call. */
  #silentMs = 0;
  #hasBeat = false;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closed = false;
  /** Ends the running call and its process with the given reason. */
  #end: ((reason: EngineError) => void) | null = null;

  constructor(limits: ForkLimits) {
    this.#limits = limits;
  }

  /**
   * Runs an engine call in the process.
   *
   * @throws {EngineError} the error of the call, or the reason why the process was ended
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
        // A late memory reading must not end the next call.
        if (settled) return;
        ending ??= reason;
        child.kill('SIGKILL');
      };
      const timeLimit = setTimeout(
        () => end(new EngineError('conversionTimedOut', `not done after ${timeLimitMs} ms`)),
        timeLimitMs,
      );
      const { memoryLimitMb, graceMs, silenceMs = SILENCE_MS } = this.#limits;
      // Counted in ticks, so that the time in which this process itself was suspended does not count.
      this.#silentMs = 0;
      const silence = setInterval(() => {
        this.#silentMs += BEAT_MS;
        const allowed = this.#hasBeat ? silenceMs : Math.max(START_MS, silenceMs);
        if (this.#silentMs > allowed)
          end(new EngineError('conversionInterrupted', `no sign of life from the process for ${allowed} ms`));
      }, BEAT_MS);
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
        clearInterval(silence);
        stopWatching?.();
        signal?.removeEventListener('abort', onAbort);
        child.off('message', onReport).off('close', onClose).off('error', onError);
        this.#end = null;
        if (this.#child === child) this.#rest();
        outcome();
      };
      const onReport = (report: Report) => {
        // A process being killed may still send a message; 'close' settles the call then.
        if (report.id !== id || ending) return;
        this.#silentMs = 0;
        this.#hasBeat = true;
        if ('progress' in report) onProgress?.(report.progress);
        else if (signal?.aborted) settle(() => reject(cancelled()));
        else if ('error' in report) settle(() => reject(new EngineError(report.error.code, report.error.message)));
        else settle(() => resolve(report.result as Awaited<ReturnType<EngineCalls[K]>>));
      };
      const onClose = (code: number | null, killedBy: NodeJS.Signals | null) => {
        const how = killedBy ? `was killed by ${killedBy}` : `ended with code ${code}`;
        const text = `the conversion process ${how}${this.#stderr && `: ${this.#stderr.trim()}`}`;
        // Killed from outside, for example by the system when its memory ran out: the file may be innocent.
        const fault = killedBy && !OWN_FAULTS.includes(killedBy) ? 'conversionInterrupted' : 'conversionFailed';
        settle(() => reject(ending ?? new EngineError(fault, text)));
      };
      const onError = (error: Error) => {
        settle(() => reject(new EngineError('conversionInterrupted', error.message, { cause: error })));
      };
      this.#end = end;
      // 'close' follows 'exit', once all of its standard error was read.
      child.on('message', onReport).on('close', onClose).on('error', onError);
      signal?.addEventListener('abort', onAbort);
      send({ id, call, input });
      if (signal?.aborted) onAbort();
    });
  }

  /** Kills the process and waits for its exit. A running call is rejected with `conversionCancelled`. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#end?.(new EngineError('conversionCancelled', 'the converter was closed'));
    const gone = [...this.#alive].map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.#alive) child.kill('SIGKILL');
    await Promise.all(gone);
  }

  #start(): ChildProcess {
    const { engine, memoryLimitMb, log, priority } = this.#limits;
    const env = Object.fromEntries(
      ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    const child = fork(PROGRAM, [JSON.stringify(engine)], {
      // By default glibc keeps freed memory in one arena per thread.
      env: { ...env, MALLOC_ARENA_MAX: '2' },
      execArgv: ['--expose-gc', `--max-old-space-size=${memoryLimitMb}`, `--max-semi-space-size=${YOUNG_MB}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    });
    this.#child = child;
    this.#alive.add(child);
    this.#stderr = '';
    this.#hasBeat = false;
    child.stdio[PULSE_FD]?.on('data', () => {
      if (this.#child !== child) return;
      this.#silentMs = 0;
      this.#hasBeat = true;
    });
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
    // Not 'close', which is never emitted for a process after disconnect (seen with Node 20).
    child.on('exit', forget).on('error', forget);
    if (child.pid !== undefined) lowerPriority(child.pid, priority);
    return child;
  }

  /** Ends the process if no call comes for `idleMs`. */
  #rest(): void {
    this.#idle = setTimeout(() => {
      const child = this.#child;
      this.#child = null;
      if (child?.connected) child.disconnect();
    }, this.#limits.idleMs);
    this.#idle.unref();
  }
}

/** Lowers the priority before the process starts threads: on Linux each thread inherits the value at its creation. */
function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, Math.min(LOWEST_PRIORITY, getPriority() + priority));
  } catch {
    // The process died already, which its 'close' reports, or the system refuses: then it runs at normal priority.
  }
}

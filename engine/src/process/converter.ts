import { availableParallelism } from 'node:os';
import type { EngineStatus } from '../neural/status.ts';
import type { PictureInfo } from '../picture/probe.ts';
import { throughStaging } from '../pipeline/staging.ts';
import type { ConversionRequest, ConversionResult, Progress } from '../types.ts';
import { ForkedEngine } from './forked-engine.ts';
import { createQueue } from './queue.ts';

export interface ConverterOptions {
  /** Conversions at the same time, each in a process of its own. */
  readonly processes: number;
  /** Resident memory above which a process is killed; its conversion fails with `conversionFailed`. */
  readonly memoryLimitMb: number;
  /** Time from the start of a conversion after which it fails with `conversionTimedOut`. Waiting does not count. */
  readonly timeLimitMs: number;
  /** Threads a process may use; by default the cores are shared out. */
  readonly threads?: number;
  /** Folder of neural depth models that the operator installed (`npm run model`); none by default. */
  readonly neuralDir?: string;
  /** A process without work for this long is ended. 5 minutes by default. */
  readonly idleMs?: number;
  /** How long a cancelled conversion may take to stop before its process is killed. 2 seconds by default. */
  readonly graceMs?: number;
  /** Told what the processes write to their standard error; written to ours by default. */
  readonly log?: (line: string) => void;
}

export interface RunOptions {
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
}

/** Conversions in forked processes: pictures are decoded there and nowhere else. */
export interface Converter {
  /**
   * Waits for a free process, first come first served, and converts. `outDir` holds the results afterwards, or nothing
   * of ours when this rejects.
   *
   * @throws {EngineError} any of its codes; a process that crashes is `conversionFailed` for its own conversion alone
   */
  run(request: ConversionRequest, options?: RunOptions): Promise<ConversionResult>;
  /**
   * Type and upright size of a picture file, from its headers. Has a process of its own, so that it never waits for
   * conversions.
   *
   * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged`, `pictureTooLarge`
   */
  probe(path: string): Promise<PictureInfo>;
  /**
   * Which depth engine converts, and whether it passes its self-test: looked at in a process of its own, at most once a
   * minute.
   *
   * @throws {EngineError} `conversionTimedOut`, `conversionFailed` when not even the built-in estimator can be asked
   */
  status(): Promise<EngineStatus>;
  /** Ends all processes and removes what they left. What runs or waits is rejected with `conversionCancelled`. */
  close(): Promise<void>;
}

const IDLE_MS = 5 * 60_000;
const GRACE_MS = 2000;
const PROBE_LIMIT_MS = 20_000;
const STATUS_LIMIT_MS = 120_000;
const STATUS_KEPT_MS = 60_000;

export function createConverter(options: ConverterOptions): Converter {
  const { processes, memoryLimitMb, timeLimitMs, idleMs = IDLE_MS, graceMs = GRACE_MS } = options;
  const threads = options.threads ?? Math.max(1, Math.floor(availableParallelism() / processes));
  const log = options.log ?? ((line) => process.stderr.write(`${line}\n`));
  const limits = { threads, neuralDir: options.neuralDir, memoryLimitMb, idleMs, graceMs, log };
  const engines = Array.from({ length: processes }, () => new ForkedEngine(limits));
  const prober = new ForkedEngine({ ...limits, threads: 1 });
  // Models take much memory: its process goes as soon as the answer is there.
  const inspector = new ForkedEngine({ ...limits, idleMs: 0 });
  const inspections = createQueue([inspector]);
  let status: { readonly answer: Promise<EngineStatus>; readonly until: number } | null = null;
  const conversions = createQueue(engines);
  const probes = createQueue([prober]);
  return {
    run(request, { onProgress, signal } = {}) {
      return conversions.run(
        (engine) =>
          throughStaging(request, async (staged) => {
            const task = { kind: 'convert', request: staged } as const;
            return (await engine.run(task, { timeLimitMs, onProgress, signal })) as ConversionResult;
          }),
        signal,
      );
    },
    probe(path) {
      return probes.run(async (engine) => {
        return (await engine.run({ kind: 'probe', path }, { timeLimitMs: PROBE_LIMIT_MS })) as PictureInfo;
      });
    },
    status() {
      if (status && performance.now() < status.until) return status.answer;
      const answer = inspections.run(
        async (engine) => (await engine.run({ kind: 'status' }, { timeLimitMs: STATUS_LIMIT_MS })) as EngineStatus,
      );
      status = { answer, until: performance.now() + STATUS_KEPT_MS };
      answer.catch(() => {
        status = null;
      });
      return answer;
    },
    async close() {
      const drained = [conversions.close(), probes.close(), inspections.close()];
      await Promise.all([...engines, prober, inspector].map((engine) => engine.close()));
      await Promise.all(drained);
    },
  };
}

import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { DepthDevice } from '../depth/neural/devices.ts';
import type { EngineStatus } from '../depth/neural/status.ts';
import { installedState } from '../depth/neural/store.ts';
import { writeAtomically } from '../encode/write-atomically.ts';
import type { ConvertRequest, ConvertResults } from '../types.ts';
import { PREVIEW_WORK, VIDEO_LIMITS, type VideoLimits } from '../video/limits.ts';
import type { CallHooks, EngineCalls, NamedVideo } from './calls.ts';
import { ForkedEngine, type ForkLimits } from './forked-engine.ts';
import { createQueue, type Turn } from './queue.ts';
import { throughStaging } from './staging.ts';

export interface ConverterOptions {
  /** Concurrent conversions, each in its own process. */
  readonly processes: number;
  /** Resident memory in MB above which a process is killed; its conversion fails with `conversionFailed`. */
  readonly memoryLimitMb: number;
  /**
   * Time from the start of a conversion after which it fails with `conversionTimedOut`. Excludes the wait in the queue.
   */
  readonly timeLimitMs: number;
  /** Threads per process; by default the cores are divided among the processes. */
  readonly threads?: number;
  /** Folder of neural depth models; none by default. A model takes effect, or ends, without a restart. */
  readonly neuralDir?: string;
  /** Id of the only neural model that may be used; any installed one by default. */
  readonly neuralModel?: string | undefined;
  /** Where the neural model runs; `auto` by default. */
  readonly device?: DepthDevice;
  /** Limits for videos that differ from `VIDEO_LIMITS`. */
  readonly video?: Partial<VideoLimits>;
  /** Concurrent video conversions, in separate processes so that photos never wait for videos. 1 by default. */
  readonly videoProcesses?: number;
  /** Memory limit in MB of a process that converts a video; 3000 by default, for quilts of 4096 px. */
  readonly videoMemoryLimitMb?: number;
  /** Idle time after which a process is ended. 5 minutes by default. */
  readonly idleMs?: number;
  /** Time for a cancelled conversion to stop before its process is killed. 2 seconds by default. */
  readonly graceMs?: number;
  /**
   * Time without a sign of life after which a process is killed; its call fails with `conversionInterrupted`. 10 seconds
   * by default.
   */
  readonly silenceMs?: number;
  /** Receives each line of the processes' standard error; by default written to this process's standard error. */
  readonly log?: (line: string) => void;
}

export interface ConvertOptions extends CallHooks, Turn {
  /**
   * Time limit from the start of the work. Default: the converter's `timeLimitMs` for pictures, `maxWorkMs` for videos.
   */
  readonly timeLimitMs?: number;
  /**
   * Whether a caller waits for this picture. It is then converted in a process of its own: it does not wait for other
   * conversions and they do not wait for it.
   */
  readonly interactive?: boolean;
}

/**
 * The engine's calls in forked processes: untrusted files are decoded only there. A process that crashes or exceeds its
 * memory or time limit fails only its own call. Each kind of call has processes of its own, which users share fairly
 * (see `Queue`).
 */
export interface Converter extends EngineCalls {
  /**
   * Waits for a free process; pictures never wait for videos. Afterwards `outDir` holds the results, or no file of this
   * conversion if the call rejects.
   *
   * @throws {EngineError} any of its codes
   */
  convert<R extends ConvertRequest>(request: R, options?: ConvertOptions): Promise<ConvertResults[R['kind']]>;
  /** Waits for its turn. See `EngineCalls.probe`. */
  probe(path: string, turn?: Turn): ReturnType<EngineCalls['probe']>;
  /** Waits for its turn. See `EngineCalls.depthMap`. */
  depthMap(files: Parameters<EngineCalls['depthMap']>[0], turn?: Turn): ReturnType<EngineCalls['depthMap']>;
  /** Waits for its turn; writes `outPath` completely or not at all. See `EngineCalls.shrink`. */
  shrink(files: Parameters<EngineCalls['shrink']>[0], turn?: Turn): Promise<void>;
  /** Waits for its turn; writes `outPath` completely or not at all. See `EngineCalls.rasterize`. */
  rasterize(files: Parameters<EngineCalls['rasterize']>[0], turn?: Turn): Promise<void>;
  /** Waits for its turn. See `EngineCalls.probeVideo`. */
  probeVideo(source: string | NamedVideo, turn?: Turn): ReturnType<EngineCalls['probeVideo']>;
  /** Waits for its turn. See `EngineCalls.videoStill`. */
  videoStill(still: Parameters<EngineCalls['videoStill']>[0], turn?: Turn): Promise<void>;
  /** Writes `outPath` completely or not at all. See `EngineCalls.videoPreview`. */
  videoPreview(files: Parameters<EngineCalls['videoPreview']>[0], options?: ConvertOptions): Promise<void>;
  /** Runs in a process of its own with the lowest priority. See `EngineCalls.drawLoop`. */
  drawLoop(loop: Parameters<EngineCalls['drawLoop']>[0], options?: ConvertOptions): Promise<void>;
  /** Runs in its own process, at most once a minute, and when a model was installed or removed. */
  status(): Promise<EngineStatus>;
  /** Ends all processes and removes their files. Running and waiting calls are rejected with `conversionCancelled`. */
  close(): Promise<void>;
}

const VIDEO_MEMORY_MB = 3000;
const CONVERSION_PRIORITY = 5;
/** Gives way to the conversions of uploads: they get about three quarters of the time. */
const REQUEST_PRIORITY = 10;
/** Guests' conversions give way even to what members want while they wait: those get more than two thirds of the time. */
const GUEST_PRIORITY = 9;
const LOWEST_PRIORITY = 19;
const IDLE_MS = 5 * 60_000;
const GRACE_MS = 2000;
const PROBE_LIMIT_MS = 20_000;
const STILL_LIMIT_MS = 60_000;
const STATUS_LIMIT_MS = 120_000;
/** Far more than it takes beside other work on a slow machine. */
const DRAWING_LIMIT_MS = 30 * 60_000;
const DRAWING_IDLE_MS = 10_000;
const STATUS_KEPT_MS = 60_000;

export function createConverter(options: ConverterOptions): Converter {
  const { processes, memoryLimitMb, timeLimitMs, idleMs = IDLE_MS, graceMs = GRACE_MS } = options;
  const {
    neuralDir,
    neuralModel,
    device,
    video,
    videoProcesses = 1,
    videoMemoryLimitMb = VIDEO_MEMORY_MB,
    silenceMs,
  } = options;
  const threads = options.threads ?? Math.max(1, Math.floor(availableParallelism() / processes));
  const log = options.log ?? ((line) => process.stderr.write(`${line}\n`));
  const engine = { threads, neuralDir, neuralModel, device, video };
  const limits: ForkLimits = {
    engine,
    memoryLimitMb,
    priority: CONVERSION_PRIORITY,
    idleMs,
    graceMs,
    log,
    ...(silenceMs && { silenceMs }),
  };
  const queueOf = (count: number, changed: Partial<ForkLimits> = {}) =>
    createQueue(Array.from({ length: count }, () => new ForkedEngine({ ...limits, ...changed })));
  const videos = queueOf(videoProcesses, { memoryLimitMb: videoMemoryLimitMb });
  const previews = queueOf(1);
  const laneOf = (lower: number) => ({
    pictures: queueOf(processes, { priority: CONVERSION_PRIORITY + lower }),
    requests: queueOf(1, { priority: REQUEST_PRIORITY + lower }),
    depthMaps: queueOf(1, { engine: { ...engine, threads: 1 }, priority: REQUEST_PRIORITY + lower }),
  });
  const members = laneOf(0);
  const guests = laneOf(GUEST_PRIORITY);
  const laneFor = (turn: Turn | undefined) => (turn?.isGuest ? guests : members);
  // Interactive calls: they never queue behind conversions, and probes, which read headers, not behind depth maps.
  const probes = queueOf(1, { engine: { ...engine, threads: 1 } });
  // Models take much memory: this process ends as soon as it has returned its result.
  const inspections = queueOf(1, { idleMs: 0 });
  // Nobody waits for a demonstration, and there is one: the process ends after its last angle.
  const drawings = queueOf(1, {
    engine: { ...engine, threads: 1 },
    priority: LOWEST_PRIORITY,
    idleMs: DRAWING_IDLE_MS,
  });
  const videoWorkMs = video?.maxWorkMs ?? VIDEO_LIMITS.maxWorkMs;
  const probing = { timeLimitMs: PROBE_LIMIT_MS };
  const convertIn = <R extends ConvertRequest>(one: ForkedEngine, request: R, options: ConvertOptions) => {
    const limited = { timeLimitMs: request.kind === 'video' ? videoWorkMs : timeLimitMs, ...options };
    return throughStaging(
      request,
      async (staged) => (await one.call('convert', staged, limited)) as ConvertResults[R['kind']],
    );
  };
  /** Runs a call that writes one file, completely or not at all. */
  const written = <Name extends 'shrink' | 'rasterize'>(
    name: Name,
    files: Parameters<EngineCalls[Name]>[0],
    turn: Turn | undefined,
  ): Promise<void> =>
    laneFor(turn).depthMaps.run(
      (one) =>
        writeAtomically(files.outPath, async (outPath) => {
          await one.call(name, { ...files, outPath }, { timeLimitMs: STILL_LIMIT_MS });
        }),
      turn,
    );
  let status: { readonly answer: Promise<EngineStatus>; readonly until: number; readonly installed: string } | null =
    null;
  return {
    convert(request, options = {}) {
      const { requests, pictures } = laneFor(options);
      const queue = request.kind === 'video' ? videos : options.interactive ? requests : pictures;
      return queue.run((one) => convertIn(one, request, options), options);
    },
    probe: (path, turn) => probes.run((one) => one.call('probe', path, probing), turn),
    depthMap: (files, turn) =>
      laneFor(turn).depthMaps.run((one) => one.call('depthMap', files, { timeLimitMs: STILL_LIMIT_MS }), turn),
    shrink: (files, turn) => written('shrink', files, turn),
    rasterize: (files, turn) => written('rasterize', files, turn),
    probeVideo: (source, turn) => probes.run((one) => one.call('probeVideo', source, probing), turn),
    videoStill: (still, turn) =>
      probes.run(
        (one) =>
          writeAtomically(still.outPath, (outPath) =>
            one.call('videoStill', { ...still, outPath }, { timeLimitMs: STILL_LIMIT_MS }),
          ),
        turn,
      ),
    videoPreview: (files, options = {}) =>
      previews.run(
        (one) =>
          writeAtomically(files.outPath, async (outPath) => {
            try {
              await one.call('videoPreview', { ...files, outPath }, { timeLimitMs: videoWorkMs, ...options });
            } finally {
              await rm(`${outPath}${PREVIEW_WORK}`, { recursive: true, force: true });
            }
          }),
        options,
      ),
    drawLoop: (loop, options = {}) =>
      drawings.run((one) => one.call('drawLoop', loop, { timeLimitMs: DRAWING_LIMIT_MS, ...options }), options),
    status() {
      const installed = installedState(neuralDir, neuralModel);
      if (status?.installed === installed && performance.now() < status.until) return status.answer;
      const answer = inspections.run((one) => one.call('status', undefined, { timeLimitMs: STATUS_LIMIT_MS }));
      const kept = { answer, until: performance.now() + STATUS_KEPT_MS, installed };
      status = kept;
      answer.catch(() => {
        if (status === kept) status = null;
      });
      return answer;
    },
    async close() {
      const lanes = [members, guests].flatMap((lane) => Object.values(lane));
      const queues = [...lanes, videos, previews, probes, inspections, drawings];
      const drained = queues.map((queue) => queue.close());
      await Promise.all(queues.flatMap(({ all }) => all).map((one) => one.close()));
      await Promise.all(drained);
    },
  };
}

import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { PictureInfo } from '../decode/probe.ts';
import type { EngineStatus } from '../depth/neural/status.ts';
import { whenComplete } from '../encode/complete.ts';
import type { ConversionRequest, ConversionResult, Progress, Size, VideoRequest, VideoResult } from '../types.ts';
import { PREVIEW_WORK, VIDEO_LIMITS, type VideoLimits } from '../video/limits.ts';
import type { VideoInfo } from '../video/video-info.ts';
import { ForkedEngine } from './forked-engine.ts';
import { createQueue } from './queue.ts';
import { throughStaging, videoThroughStaging } from './staging.ts';

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
  /** What is read of videos and how long one may take, where it differs from `VIDEO_LIMITS`. */
  readonly video?: Partial<VideoLimits>;
  /** Videos converted at the same time, in processes of their own so that photos never wait for videos. 1 by default. */
  readonly videoProcesses?: number;
  /** Memory of a process that converts a video; 3000 by default, for quilts of 4096 px. */
  readonly videoMemoryLimitMb?: number;
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

export interface VideoRunOptions extends RunOptions {
  /** `maxWorkMs` of the video limits by default. */
  readonly timeLimitMs?: number;
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
   * Takes in a member's own depth map and writes it as a 16-bit map like our own. Never waits for conversions.
   *
   * @returns the size of the file that was given
   * @throws {EngineError} `fileEmpty`, `notAPicture`, `pictureDamaged`, `pictureTooLarge`
   */
  depthMap(path: string, outPath: string): Promise<Size>;
  /**
   * Which depth engine converts, and whether it passes its self-test: looked at in a process of its own, at most once a
   * minute.
   *
   * @throws {EngineError} `conversionTimedOut`, `conversionFailed` when not even the built-in estimator can be asked
   */
  status(): Promise<EngineStatus>;
  /**
   * Waits for a free process for videos and converts. `outDir` holds the result afterwards, or nothing of ours when this
   * rejects; `workDir` keeps the finished segments, from which the same request goes on.
   *
   * @throws {EngineError} any of its codes
   */
  runVideo(request: VideoRequest, options?: VideoRunOptions): Promise<VideoResult>;
  /**
   * What a video file is, from its headers and its first frames. Never waits for conversions.
   *
   * @throws {EngineError} `fileEmpty`, `notAFilm`, `filmDamaged`, `filmWithoutPictures`, `filmTooLarge`, `filmTooLong`
   */
  probeVideo(path: string): Promise<VideoInfo>;
  /**
   * Writes the upright frame shown at `seconds` (the last one when the video is shorter) as a JPEG of at most 1920 px.
   *
   * @throws {EngineError} as `probeVideo`
   */
  videoStill(path: string, seconds: number, outPath: string): Promise<void>;
  /**
   * Writes the whole video as a small MP4 (H.264 and AAC, at most 720 px on the short side) for browsers that cannot play
   * the file itself.
   *
   * @throws {EngineError} as `runVideo`
   */
  videoPreview(path: string, outPath: string, options?: Omit<VideoRunOptions, 'onProgress'>): Promise<void>;
  /** Ends all processes and removes what they left. What runs or waits is rejected with `conversionCancelled`. */
  close(): Promise<void>;
}

const VIDEO_MEMORY_MB = 3000;
const IDLE_MS = 5 * 60_000;
const GRACE_MS = 2000;
const PROBE_LIMIT_MS = 20_000;
const STILL_LIMIT_MS = 60_000;
const STATUS_LIMIT_MS = 120_000;
const STATUS_KEPT_MS = 60_000;

export function createConverter(options: ConverterOptions): Converter {
  const { processes, memoryLimitMb, timeLimitMs, idleMs = IDLE_MS, graceMs = GRACE_MS } = options;
  const threads = options.threads ?? Math.max(1, Math.floor(availableParallelism() / processes));
  const log = options.log ?? ((line) => process.stderr.write(`${line}\n`));
  const { video, videoProcesses = 1, videoMemoryLimitMb = VIDEO_MEMORY_MB } = options;
  const limits = { threads, neuralDir: options.neuralDir, video, memoryLimitMb, idleMs, graceMs, log };
  const engines = Array.from({ length: processes }, () => new ForkedEngine(limits));
  const prober = new ForkedEngine({ ...limits, threads: 1 });
  const videoLimits = { ...limits, memoryLimitMb: videoMemoryLimitMb };
  const videoEngines = Array.from({ length: videoProcesses }, () => new ForkedEngine(videoLimits));
  const videoHelper = new ForkedEngine(limits);
  const videoWorkMs = video?.maxWorkMs ?? VIDEO_LIMITS.maxWorkMs;
  // Models take much memory: its process goes as soon as the answer is there.
  const inspector = new ForkedEngine({ ...limits, idleMs: 0 });
  const inspections = createQueue([inspector]);
  let status: { readonly answer: Promise<EngineStatus>; readonly until: number } | null = null;
  const conversions = createQueue(engines);
  const probes = createQueue([prober]);
  const videos = createQueue(videoEngines);
  const videoHelp = createQueue([videoHelper]);
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
    depthMap(path, outPath) {
      return probes.run(async (engine) => {
        return (await engine.run({ kind: 'depthMap', path, outPath }, { timeLimitMs: PROBE_LIMIT_MS })) as Size;
      });
    },
    runVideo(request, { onProgress, signal, timeLimitMs = videoWorkMs } = {}) {
      return videos.run(
        (engine) =>
          videoThroughStaging(request, async (staged) => {
            const task = { kind: 'video', request: staged } as const;
            return (await engine.run(task, { timeLimitMs, onProgress, signal })) as VideoResult;
          }),
        signal,
      );
    },
    probeVideo(path) {
      return probes.run(async (engine) => {
        return (await engine.run({ kind: 'probeVideo', path }, { timeLimitMs: PROBE_LIMIT_MS })) as VideoInfo;
      });
    },
    videoStill(path, seconds, outPath) {
      return probes.run(async (engine) => {
        await whenComplete(outPath, async (part) => {
          await engine.run({ kind: 'videoStill', path, seconds, outPath: part }, { timeLimitMs: STILL_LIMIT_MS });
        });
      });
    },
    videoPreview(path, outPath, { signal, timeLimitMs = videoWorkMs } = {}) {
      return videoHelp.run(async (engine) => {
        await whenComplete(outPath, async (part) => {
          try {
            await engine.run({ kind: 'videoPreview', path, outPath: part }, { timeLimitMs, signal });
          } finally {
            await rm(`${part}${PREVIEW_WORK}`, { recursive: true, force: true });
          }
        });
      }, signal);
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
      const queues = [conversions, probes, inspections, videos, videoHelp];
      const drained = queues.map((queue) => queue.close());
      await Promise.all([...engines, ...videoEngines, prober, inspector, videoHelper].map((engine) => engine.close()));
      await Promise.all(drained);
    },
  };
}

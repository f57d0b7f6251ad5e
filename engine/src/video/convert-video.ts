import { stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Note } from '@framelift/contract';
import { FORMATS, type VideoFormat } from '@framelift/contract/formats';
import { LIMITS } from '@framelift/contract/limits';
import type { NeuralDepth } from '../depth/neural/neural-depth.ts';
import { EngineError } from '../errors.ts';
import { fileName, safeStem } from '../formats/names.ts';
import type { CallHooks } from '../process/calls.ts';
import { peakMemoryMb, resetPeakMemory } from '../process/memory.ts';
import type { Progress, Step, VideoRequest, VideoResult } from '../types.ts';
import { openAudioAndSubtitles } from './audio-and-subtitles.ts';
import { checkVideo } from './check-video.ts';
import { type EncoderSettings, encoderSettings, SegmentEncoder } from './encode.ts';
import { endingOf } from './ending.ts';
import { findEyes } from './find-eyes.ts';
import { type Damage, FrameReader, uprightFrames, type VideoFrame } from './frames.ts';
import { joinVideo } from './join-video.ts';
import type { VideoLimits } from './limits.ts';
import { markPictures, spatialMarks } from './marks.ts';
import { examineVideo, type Video } from './open-video.ts';
import { PairRenderer } from './pair-renderer.ts';
import { videoCrop, videoFormat, workingSize } from './plan-video.ts';
import { prefetch } from './prefetch.ts';
import {
  createVideoRenderer,
  type Drawing,
  FRAMES_AT_ONCE,
  type VideoRenderer,
  type VideoRendererOptions,
} from './renderer.ts';
import { openSegments, requestKey, type Segments } from './segments.ts';
import { writeStill } from './still.ts';
import { thumbprintOf } from './thumbprint.ts';
import { clockFor } from './timestamps.ts';

export interface VideoTools {
  readonly threads: number;
  readonly modelsDir: string | undefined;
  readonly limits: VideoLimits;
  neural(): Promise<NeuralDepth | null>;
}

/** Segment length in seconds of video: the most work a crash can lose. */
const SEGMENT_SECONDS = 10;
/** Shorter segments if rendering is slow and frames are large. */
const SHORT_SEGMENT_SECONDS = 4;
/** Number of frames decoded ahead. */
const DECODED_AHEAD = 3;
const REPORT_MS = 250;
/** Progress fractions before the first frame, after the last frame is encoded, and after joining. */
const STARTED = 0.01;
const RENDERED = 0.94;
const JOINED = 0.98;

/**
 * Converts one video: decode → upright → crop → depth and views (the renderer) → encode in segments → join with audio →
 * check. Finished segments are in `request.workDir`; the video and its cover are written into `request.outDir`, whose
 * content the caller removes after a failure.
 *
 * @throws {EngineError} any of its codes
 */
export async function convertVideo(
  request: VideoRequest,
  tools: VideoTools,
  hooks: CallHooks = {},
): Promise<VideoResult> {
  resetPeakMemory();
  const steps = trackVideo(hooks);
  steps.enter('open', 0);
  const format = videoFormat(request);
  const video = await examineForCrop(request, tools.limits);
  const crop = videoCrop(request, video.pictures.shown);
  const both = video.pictures.eye !== null && FORMATS[format].views === 'pair';
  const neural = both || format === 'flat' || request.tier !== 'best' ? null : await tools.neural();
  const key = await requestKey(request, { eye: video.pictures.eye, model: neural?.model.id });
  const segments = await openSegments(request.workDir, key);
  const resumedSegments = segments.finished.length;

  const rendererState = await segments.rendererState();
  const options: VideoRendererOptions = {
    input: workingSize(crop),
    format,
    device: request.device,
    effect: request.effect,
    tier: request.tier,
    threads: tools.threads,
    ...(request.swapEyes === undefined ? {} : { swapEyes: request.swapEyes }),
    ...(request.anaglyph === undefined ? {} : { anaglyph: request.anaglyph }),
    ...(request.convergence === undefined ? {} : { convergence: request.convergence }),
    ...(tools.modelsDir === undefined ? {} : { modelsDir: tools.modelsDir }),
    ...(neural && { neural }),
    ...(rendererState === null ? {} : { state: rendererState }),
  };
  const renderer = both ? new PairRenderer(options) : await createVideoRenderer(options);
  try {
    const timing = { fps: video.info.fps, ticks: clockFor(video.pictures.timeBase), threads: tools.threads };
    const settings = encoderSettings(renderer.size, format, timing);
    steps.enter('views', STARTED);
    const job = { request, video, crop, format, segments, renderer, settings, tools };
    await renderSegments(job, steps);
    return await deliver(job, resumedSegments, steps);
  } finally {
    await renderer.close();
  }
}

/** Takes the name as a hint of 3D, unless the crop was chosen on whole frames: before the video got its name, or by an
 * earlier version. */
async function examineForCrop({ input, name, pair, crop }: VideoRequest, limits: VideoLimits): Promise<Video> {
  const video = await findEyes(input, limits, { name, pair });
  const { width, height } = video.pictures.shown;
  const outside = crop && (crop.x + crop.width > width || crop.y + crop.height > height);
  return outside && video.pictures.eye && !pair ? examineVideo(input, limits, { pair: 'flat' }) : video;
}

interface Job {
  readonly request: VideoRequest;
  readonly video: Video;
  readonly crop: VideoResult['crop'];
  readonly format: VideoFormat;
  readonly segments: Segments;
  readonly renderer: VideoRenderer;
  readonly settings: EncoderSettings;
  readonly tools: VideoTools;
}

/** Decodes ahead and estimates depth frame by frame, while earlier frames are drawn and encoded. */
async function renderSegments(job: Job, steps: VideoSteps): Promise<void> {
  const { request, video, crop, segments, renderer, settings, tools } = job;
  const { ticks } = settings;
  const { threads, limits } = tools;
  const last = segments.finished.at(-1);
  const done = segments.finished.reduce((sum, { packets }) => sum + packets.length, 0);
  const length = ticks * (request.tier === 'best' || job.format === 'quilt' ? SHORT_SEGMENT_SECONDS : SEGMENT_SECONDS);
  const damage: Damage = { packets: 0 };
  const frames = prefetch(
    uprightFrames(
      video,
      {
        crop,
        ...renderer.input,
        threads,
        skip: done,
        tempFile: join(request.workDir, 'colours.cube'),
        maxSeconds: limits.maxSeconds,
      },
      damage,
    ),
    DECODED_AHEAD,
    ({ frame }) => frame.free(),
  );
  const { size, pixels, both } = renderer.input;
  const reader = new FrameReader(both ? { ...size, height: 2 * size.height } : size, pixels);
  let encoder: SegmentEncoder | null = null;
  /** Pending work, run sequentially: frames to draw and encode while the next depth is estimated, and segment ends. */
  const underWay: Promise<void>[] = [];
  const then = (work: () => Promise<void>) => {
    const done = (underWay.at(-1) ?? Promise.resolve()).then(work);
    // The error is handled when this promise is awaited.
    done.catch(() => {});
    underWay.push(done);
  };
  let thumbprint: number[] = [];
  let lastTime = last?.lastTime ?? -1;
  let lastDuration = 0;
  // A segment ends where the time passes a multiple of its length: each attempt splits at the same frames.
  let segmentEnd = 0;
  let begun = false;
  const encode = async ({ rendered }: Drawing, { time, duration }: Pick<VideoFrame, 'time' | 'duration'>) => {
    const pixels = await rendered;
    if (!encoder) {
      encoder = await SegmentEncoder.open(segments.nextFile(), settings);
      thumbprint = thumbprintOf(pixels, renderer.size);
    }
    await encoder.add(pixels, time);
    lastTime = time;
    lastDuration = duration;
  };
  /** @param state renderer state after the last frame of the segment */
  const finish = async (state: Uint8Array, damagedPackets: number) => {
    if (!encoder) return;
    const { packets, extradata } = await encoder.finish();
    await encoder.close();
    encoder = null;
    await segments.add(
      { packets, extradata: extradata.toString('base64'), lastTime, lastDuration, thumbprint, damagedPackets },
      state,
    );
    // Frames and planes are held outside the heap, where the garbage collector sees no pressure: memory would grow with
    // the length of the video.
    globalThis.gc?.();
  };
  const endSegment = () => {
    const state = renderer.save();
    const { packets } = damage;
    then(() => finish(state, packets));
  };
  steps.frames(done, Math.max(done, video.info.frames), true);
  let count = done;
  try {
    for await (const { frame, time, duration } of frames as AsyncGenerator<VideoFrame>) {
      let drawing: Drawing;
      try {
        if (begun && time >= segmentEnd) {
          endSegment();
          begun = false;
        }
        // The renderer holds at most this many frames.
        while (underWay.length >= FRAMES_AT_ONCE) await underWay.shift();
        drawing = await renderer.begin(reader.read(frame), time / ticks);
      } finally {
        frame.free();
      }
      if (!begun) segmentEnd = (Math.floor(time / length) + 1) * length;
      begun = true;
      then(() => encode(drawing, { time, duration }));
      steps.frames(++count, Math.max(count, video.info.frames), false);
    }
    endSegment();
    await underWay.at(-1);
  } finally {
    await underWay.at(-1)?.catch(() => {});
    await (encoder as SegmentEncoder | null)?.close();
    reader.free();
  }
}

/** Joins and checks the video and builds the result. */
async function deliver(job: Job, resumedSegments: number, steps: VideoSteps): Promise<VideoResult> {
  const { request, video, crop, segments, renderer, settings, format } = job;
  const frames = segments.finished.reduce((sum, { packets }) => sum + packets.length, 0);
  steps.enter('pack', RENDERED);
  const name = videoName(request, format);
  const path = join(request.outDir, name);
  const cover = join(request.outDir, `${safeStem(request.name)}_cover.jpg`);
  const lastTime = (segments.finished.at(-1)?.lastTime ?? 0) / settings.ticks;
  const joinAndCheck = async () => {
    const { notes, sound } = await joinWithAudioAndSubtitles(job, path, frames, steps);
    steps.enter('check', JOINED);
    const { size: drawn, input } = renderer;
    const { size } = settings;
    const thumbprint = segments.finished[0]?.thumbprint ?? [];
    const seconds = await checkVideo(path, { size, drawn, pixels: input.pixels, frames, sound, thumbprint, lastTime });
    return { notes, seconds };
  };
  // Waits for both even if one fails: afterwards the caller removes their files.
  const [joined, covered] = await Promise.allSettled([
    joinAndCheck(),
    writeStill(video, cover, { crop, seconds: Math.min(1, lastTime / 3), width: LIMITS.coverWidthPx }),
  ]);
  if (joined.status === 'rejected') throw joined.reason;
  if (covered.status === 'rejected') throw covered.reason;
  const { notes, seconds } = joined.value;
  const { size: bytes } = await stat(path);
  steps.enter('check', 1);
  return {
    file: { format, name, path, type: 'video/mp4', bytes, ...settings.size },
    cover,
    frames,
    seconds,
    depthSource: renderer.depthSource,
    comfort: renderer.comfort,
    source: video.pictures.shown,
    crop,
    pair: video.info.pair?.layout ?? null,
    notes,
    resumedSegments,
    times: steps.finish(),
    peakRssMb: peakMemoryMb(),
  };
}

/** @returns notices for the user, and the number of audio tracks written */
async function joinWithAudioAndSubtitles(
  { video, segments, settings, renderer, format }: Job,
  path: string,
  frames: number,
  steps: VideoSteps,
) {
  const audioAndSubtitles = await openAudioAndSubtitles(video);
  let packets = 0;
  try {
    const { end, note } = await endingOf(video, segments, settings.ticks);
    await joinVideo(path, segments, settings, audioAndSubtitles, end, () => {
      steps.enter('pack', RENDERED + ((JOINED - RENDERED) * ++packets) / frames);
    });
    const { width, height } = renderer.size;
    if (format === 'spatial') await markPictures(path, spatialMarks({ width: width / 2, height }));
    const notes = new Set<Note>(audioAndSubtitles.notes);
    if (note) notes.add(note);
    if (video.pictures.stereo && !renderer.input.both) notes.add('leftEyeUsed');
    if (video.pictures.coloursUncertain) notes.add('coloursUncertain');
    if (audioAndSubtitles.soundGiven < video.sound.length) notes.add('soundLeftOut');
    if (segments.finished.some(({ damagedPackets }) => damagedPackets > 0)) notes.add('filmDamagedInPart');
    return { notes: [...notes], sound: audioAndSubtitles.soundGiven };
  } finally {
    await audioAndSubtitles.close();
  }
}

/** Returns the name that a device expects for a still of this format, with the extension of a video. */
function videoName({ name, device, swapEyes, anaglyph }: VideoRequest, format: VideoFormat): string {
  const options = { ...(swapEyes && { swapEyes }), ...(anaglyph && { anaglyph }) };
  return `${parse(fileName(name, format, device, options)).name}.mp4`;
}

interface VideoSteps {
  enter(step: Step, fraction: number): void;
  /** `begins` marks where this attempt starts: earlier frames do not count for the speed. */
  frames(done: number, all: number, begins: boolean): void;
  finish(): Partial<Record<Step, number>>;
}

function trackVideo({ onProgress, signal }: CallHooks): VideoSteps {
  const times: Partial<Record<Step, number>> = {};
  let step: Step | null = null;
  let since = performance.now();
  let told = 0;
  let highest = 0;
  let begun = { at: 0, frame: 0 };
  let video: Progress['video'];
  const tell = (fraction: number) => {
    if (signal?.aborted) throw new EngineError('conversionCancelled', `cancelled in ${step}`);
    highest = Math.min(1, Math.max(highest, fraction));
    const now = performance.now();
    if (now - told < REPORT_MS && highest < 1) return;
    told = now;
    if (step) onProgress?.({ step, fraction: highest, ...(video ? { video } : {}) });
  };
  return {
    enter(next, fraction) {
      if (next !== step) {
        const now = performance.now();
        if (step) times[step] = (times[step] ?? 0) + now - since;
        since = now;
        step = next;
        told = 0;
      }
      tell(fraction);
    },
    frames(done, all, begins) {
      const now = performance.now();
      if (begins) begun = { at: now, frame: done };
      const fresh = done - begun.frame;
      // The first frames wait for models and threads, so they allow no estimate.
      const secondsLeft = fresh < 10 ? null : Math.ceil((((now - begun.at) / fresh) * (all - done)) / 1000);
      video = { frame: done, frames: all, secondsLeft };
      tell(STARTED + (RENDERED - STARTED) * (done / all));
    },
    finish() {
      if (step) times[step] = (times[step] ?? 0) + performance.now() - since;
      return times;
    },
  };
}

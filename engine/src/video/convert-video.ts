import { stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Note } from '@framelift/contract';
import type { VideoFormat } from '@framelift/contract/formats';
import { LIMITS } from '@framelift/contract/limits';
import { EngineError } from '../errors.ts';
import { fileName, safeStem } from '../formats/names.ts';
import type { CallHooks } from '../process/calls.ts';
import { peakMemoryMb, resetPeakMemory } from '../process/memory.ts';
import type { OutputFile, Progress, Step, VideoRequest, VideoResult } from '../types.ts';
import { openAudioAndSubtitles } from './audio-and-subtitles.ts';
import { checkVideo } from './check-video.ts';
import type { Damage } from './decode.ts';
import { SegmentEncoder } from './encode.ts';
import { endingOf } from './ending.ts';
import { findEyes } from './find-eyes.ts';
import { commonInput, FittedReader } from './fit-frames.ts';
import { uprightFrames, type VideoFrame } from './frames.ts';
import { joinVideo } from './join-video.ts';
import type { VideoLimits } from './limits.ts';
import { halfSphereMarks, markPictures, spatialMarks } from './marks.ts';
import { examineVideo, type Video } from './open-video.ts';
import { closeOutputs, type Output, openOutputs, type VideoTools } from './outputs.ts';
import { videoCrop, workingSize } from './plan-video.ts';
import { prefetch } from './prefetch.ts';
import { type Drawing, FRAMES_AT_ONCE, type VideoRenderer } from './renderer.ts';
import { writeStill } from './still.ts';
import { thumbprintOf } from './thumbprint.ts';

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
 * Converts one video to one format or several, with one depth: decode → upright → crop → depth and views (the renderer) →
 * encode in segments → join with audio → check. Finished segments are in `request.workDir`; the video and its cover are written into `request.outDir`, whose
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
  const video = await examineForCrop(request, tools.limits);
  const crop = videoCrop(request, video.pictures.shown);
  const outputs = await openOutputs(request, video, crop, tools);
  const [{ segments }] = outputs as [Output];
  const resumedSegments = segments.finished.length;
  try {
    steps.enter('views', STARTED);
    const job = { request, video, crop, outputs, tools };
    await renderSegments(job, steps);
    return await deliver(job, resumedSegments, steps);
  } finally {
    await closeOutputs(outputs);
  }
}

/** Takes the name as a hint of 3D, unless the crop was chosen on whole frames: before the video got its name, or by an
 * earlier version. */
async function examineForCrop({ input, name, pair, ground, crop }: VideoRequest, limits: VideoLimits): Promise<Video> {
  const video = await findEyes(input, limits, { name, pair, ground });
  const { width, height } = video.pictures.shown;
  const outside = crop && (crop.x + crop.width > width || crop.y + crop.height > height);
  return outside && video.pictures.eye && !pair ? examineVideo(input, limits, { pair: 'flat', ground }) : video;
}

interface Job {
  readonly request: VideoRequest;
  readonly video: Video;
  readonly crop: VideoResult['crop'];
  readonly outputs: readonly Output[];
  readonly tools: VideoTools;
}

/** Decodes ahead and estimates depth frame by frame, while earlier frames are drawn and encoded. */
async function renderSegments(job: Job, steps: VideoSteps): Promise<void> {
  const { request, video, crop, outputs, tools } = job;
  const [{ segments, settings }] = outputs as [Output];
  const { ticks } = settings;
  const { threads, limits } = tools;
  const last = segments.finished.at(-1);
  const done = segments.finished.reduce((sum, { packets }) => sum + packets.length, 0);
  const isLarge = request.tier === 'best' || outputs.some(({ format }) => format === 'quilt' || format === 'vr180');
  const length = ticks * (isLarge ? SHORT_SEGMENT_SECONDS : SEGMENT_SECONDS);
  const damage: Damage = { packets: 0 };
  const input = commonInput(
    outputs.map(({ renderer }) => renderer.input),
    workingSize(crop),
  );
  const frames = prefetch(
    uprightFrames(
      video,
      {
        crop,
        ...input,
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
  const lines = outputs.map((output) => new OutputLine(output, input, threads));
  /** Pending work, run sequentially: frames to draw and encode while the next depth is estimated, and segment ends. */
  const underWay: Promise<void>[] = [];
  const then = (work: () => Promise<void>) => {
    const done = (underWay.at(-1) ?? Promise.resolve()).then(work);
    // The error is handled when this promise is awaited.
    done.catch(() => {});
    underWay.push(done);
  };
  const times: SegmentTimes = { lastTime: last?.lastTime ?? -1, lastDuration: 0 };
  // A segment ends where the time passes a multiple of its length: each attempt splits at the same frames.
  let segmentEnd = 0;
  let begun = false;
  const endSegment = () => {
    const states = lines.map((line) => line.save());
    const { packets } = damage;
    then(async () => {
      for (const [i, line] of lines.entries()) await line.finish(states[i] as Uint8Array, times, packets);
      // Frames and planes are held outside the heap, where the garbage collector sees no pressure: memory would grow with
      // the length of the video.
      globalThis.gc?.();
    });
  };
  steps.frames(done, Math.max(done, video.info.frames), true);
  let count = done;
  try {
    for await (const { frame, time, duration } of frames as AsyncGenerator<VideoFrame>) {
      const drawings: Drawing[] = [];
      try {
        if (begun && time >= segmentEnd) {
          endSegment();
          begun = false;
        }
        // The renderers hold at most this many frames.
        while (underWay.length >= FRAMES_AT_ONCE) await underWay.shift();
        for (const line of lines) drawings.push(await line.begin(frame, time / ticks));
      } finally {
        frame.free();
      }
      if (!begun) segmentEnd = (Math.floor(time / length) + 1) * length;
      begun = true;
      then(async () => {
        for (const [i, line] of lines.entries()) await line.encode(drawings[i] as Drawing, time);
        times.lastTime = time;
        times.lastDuration = duration;
      });
      steps.frames(++count, Math.max(count, video.info.frames), false);
    }
    endSegment();
    await underWay.at(-1);
  } finally {
    await underWay.at(-1)?.catch(() => {});
    for (const line of lines) await line.close();
  }
}

interface SegmentTimes {
  lastTime: number;
  lastDuration: number;
}

/** Renders and encodes the frames of one output. */
class OutputLine {
  readonly #output: Output;
  readonly #reader: FittedReader;
  #encoder: SegmentEncoder | null = null;
  #thumbprint: number[] = [];

  constructor(output: Output, input: VideoRenderer['input'], threads: number) {
    this.#output = output;
    this.#reader = new FittedReader(input, output.renderer.input, threads);
  }

  async begin(frame: VideoFrame['frame'], seconds: number): Promise<Drawing> {
    return this.#output.renderer.begin(await this.#reader.read(frame), seconds);
  }

  async encode({ rendered }: Drawing, time: number): Promise<void> {
    const { segments, settings, renderer } = this.#output;
    const pixels = await rendered;
    if (!this.#encoder) {
      this.#encoder = await SegmentEncoder.open(segments.nextFile(), settings);
      this.#thumbprint = thumbprintOf(pixels, renderer.size);
    }
    await this.#encoder.add(pixels, time);
  }

  save(): Uint8Array {
    return this.#output.renderer.save();
  }

  /** @param state renderer state after the last frame of the segment */
  async finish(state: Uint8Array, { lastTime, lastDuration }: SegmentTimes, damagedPackets: number): Promise<void> {
    if (!this.#encoder) return;
    const { packets, extradata } = await this.#encoder.finish();
    await this.close(false);
    const segment = { packets, extradata: extradata.toString('base64'), lastTime, lastDuration, damagedPackets };
    await this.#output.segments.add({ ...segment, thumbprint: this.#thumbprint }, state);
  }

  async close(ends = true): Promise<void> {
    const encoder = this.#encoder;
    this.#encoder = null;
    await encoder?.close();
    if (ends) this.#reader.free();
  }
}

/** Joins and checks the videos and builds the result. */
async function deliver(job: Job, resumedSegments: number, steps: VideoSteps): Promise<VideoResult> {
  const { request, video, crop, outputs } = job;
  const [{ segments, settings }] = outputs as [Output];
  const frames = segments.finished.reduce((sum, { packets }) => sum + packets.length, 0);
  steps.enter('pack', RENDERED);
  const cover = join(request.outDir, `${safeStem(request.name)}_cover.jpg`);
  const lastTime = (segments.finished.at(-1)?.lastTime ?? 0) / settings.ticks;
  const notes = new Set<Note>();
  const joinAndCheckAll = async () => {
    const files: { readonly file: OutputFile; readonly seconds: number }[] = [];
    for (const output of outputs) files.push(await joinAndCheck(job, output, { frames, lastTime, notes }, steps));
    return files;
  };
  // Waits for both even if one fails: afterwards the caller removes their files.
  const [joined, covered] = await Promise.allSettled([
    joinAndCheckAll(),
    writeStill(video, cover, { crop, seconds: Math.min(1, lastTime / 3), width: LIMITS.coverWidthPx }),
  ]);
  if (joined.status === 'rejected') throw joined.reason;
  if (covered.status === 'rejected') throw covered.reason;
  const [{ file, seconds }, ...further] = joined.value as [{ file: OutputFile; seconds: number }];
  steps.enter('check', 1);
  const find = <T>(of: (renderer: VideoRenderer) => T | null) =>
    outputs.map(({ renderer }) => of(renderer)).find((value) => value !== null) ?? null;
  return {
    file,
    further: (further as typeof joined.value).map((one) => one.file),
    cover,
    frames,
    seconds,
    depthSource: find(({ depthSource }) => depthSource),
    comfort: find(({ comfort }) => comfort),
    source: video.pictures.shown,
    crop,
    pair: video.info.pair?.layout ?? null,
    notes: [...notes],
    resumedSegments,
    times: steps.finish(),
    peakRssMb: peakMemoryMb(),
  };
}

interface Joining {
  readonly frames: number;
  readonly lastTime: number;
  /** Notices for the user, which are added. */
  readonly notes: Set<Note>;
}

async function joinAndCheck(
  { request, video }: Job,
  { format, segments, renderer, settings }: Output,
  { frames, lastTime, notes }: Joining,
  steps: VideoSteps,
) {
  const name = videoName(request, format);
  const path = join(request.outDir, name);
  const audioAndSubtitles = await openAudioAndSubtitles(video);
  let sound = 0;
  let packets = 0;
  try {
    const { end, note } = await endingOf(video, segments, settings.ticks);
    await joinVideo(path, segments, settings, audioAndSubtitles, end, () => {
      steps.enter('pack', RENDERED + ((JOINED - RENDERED) * ++packets) / frames);
    });
    sound = audioAndSubtitles.soundGiven;
    const { width, height } = renderer.size;
    if (format === 'spatial') await markPictures(path, spatialMarks({ width: width / 2, height }));
    if (format === 'vr180') await markPictures(path, halfSphereMarks());
    for (const one of audioAndSubtitles.notes) notes.add(one);
    if (note) notes.add(note);
    if (video.pictures.stereo && !renderer.input.both) notes.add('leftEyeUsed');
    if (video.pictures.coloursUncertain) notes.add('coloursUncertain');
    if (sound < video.sound.length) notes.add('soundLeftOut');
    if (segments.finished.some(({ damagedPackets }) => damagedPackets > 0)) notes.add('filmDamagedInPart');
  } finally {
    await audioAndSubtitles.close();
  }
  steps.enter('check', JOINED);
  const { size: drawn, input } = renderer;
  const { size } = settings;
  const thumbprint = segments.finished[0]?.thumbprint ?? [];
  const seconds = await checkVideo(path, { size, drawn, pixels: input.pixels, frames, sound, thumbprint, lastTime });
  const { size: bytes } = await stat(path);
  return { file: { format, name, path, type: 'video/mp4', bytes, ...size }, seconds };
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

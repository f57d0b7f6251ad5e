/** Command line of the converter: `npm run convert -- photo.jpg --device looking-glass-portrait`. */

import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join, parse, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { PictureNote } from '@framelift/contract';
import { mayBeAnimated } from '@framelift/contract/animation';
import {
  ANAGLYPHS,
  FORMAT_NAMES,
  type Format,
  PAIR_CHOICES,
  type PairChoice,
  VIDEO_FORMATS,
} from '@framelift/contract/formats';
import { modelsFolder } from './depth/neural/install.ts';
import { EngineError, type EngineErrorCode } from './errors.ts';
import { DEVICES, parseCalibration, safeStem } from './formats/index.ts';
import type { CallHooks } from './process/calls.ts';
import { type Converter, createConverter } from './process/converter.ts';
import {
  type Comfort,
  type DeviceProfile,
  type OutputFile,
  type PictureRequest,
  type PictureResult,
  type Progress,
  type Rect,
  VIDEO_TIERS,
  type VideoRequest,
  type VideoResult,
  type VideoTier,
} from './types.ts';
import { isOtherVideo, videoTypeOf } from './video/sniff.ts';

const USAGE = `Converts a picture or a video to 3D for a display frame.

usage: npm run convert -- FILE [options]

  --device NAME         the display frame (default looking-glass-portrait), see below
  --effect PERCENT      strength of the depth, 0 … 100 (default 100); 0 makes only the flat picture
  --convergence DEPTH   depth that lies in the plane of the frame, 0 far … 1 near (default: chosen from the subject)
  --depth FILE          a depth map of the crop instead of an estimate: PNG or JPEG of 8 or 16 bits, white near
  --formats A,B,…       ${FORMAT_NAMES.join(', ')}
                        (default: the device's own); of a video ${VIDEO_FORMATS.join(', ')}
  --pair LAYOUT         of a picture or video of both eyes: ${PAIR_CHOICES.join(', ')} (default: found out)
  --swap-eyes           the right eye where the left one belongs; the files' names tell
  --anaglyph KIND       ${ANAGLYPHS.join(', ')} (default dubois)
  --calibration FILE    visual.json of the one display that the format native is for
  --ground COLOUR       behind transparent parts, #rrggbb (default: white, or dark for a nearly white drawing; of a
                        video white)
  --still               of an animation (GIF, WebP, APNG): its first frame as a picture, not a video
  --zip                 also all files in one archive
  --tier NAME           of a video: ${VIDEO_TIERS.join(', ')} (default best)
  --out DIR             folder for the files, one a format (default: the present one)
  --name STEM           start of the file names (default: the picture's)
  --crop X,Y,W,H        part of the upright picture, in pixels (default: the largest of the device's ratio)
  --json                prints sizes, times and the depth's source as JSON
  --help                prints this

devices:
${DEVICES.map(({ slug, name, ratio, format }) => `  ${slug.padEnd(28)}${name}, ${ratio.join(':')}, ${format}`).join('\n')}

A video that was interrupted goes on where it stopped when the same command is given again.
The exit code is 0 when every file is written and checked, 1 when the picture cannot be converted, 2 for wrong arguments.
`;

const EXIT = { failed: 1, wrongArguments: 2, interrupted: 130 } as const;
const MEMORY_LIMIT_MB = 4096;
const TIME_LIMIT_MS = 10 * 60_000;

const REASONS: Readonly<Record<EngineErrorCode, string>> = {
  fileEmpty: 'The file is empty.',
  notAPicture: 'The file is no picture that can be read; JPEG, PNG, HEIC, AVIF, WebP, GIF and TIFF can.',
  pictureDamaged: 'The picture is damaged.',
  pictureTooLarge: 'The picture is too large.',
  pictureTooSmall: "The picture is too small: the part that fits the device's ratio must have 64 pixels a side.",
  cropOutsidePicture: 'The crop reaches outside the picture.',
  cropTooSmall: 'The crop is too small: it must have 64 pixels a side.',
  notAFilm: 'The file is no video that can be read; MP4, MOV, WebM, MKV, AVI, WMV, FLV, TS, MPEG and 3GP can.',
  filmDamaged: 'The video is damaged.',
  filmWithoutPictures: 'The video has no moving pictures that can be read.',
  filmTooLarge: 'The video is too large.',
  filmTooSmall: "The video is too small: the part that fits the device's ratio must have 64 pixels a side.",
  filmTooLong: 'The video is too long.',
  calibrationMissing: 'The format native needs --calibration visual.json of the display.',
  calibrationInvalid: 'The calibration is no visual.json of a display.',
  depthMapTooLarge: 'The depth map has too many pixels.',
  calibrationOfOther: 'The calibration is of another display than --device.',
  conversionCancelled: 'Cancelled.',
  conversionTimedOut: 'The conversion took too long.',
  conversionFailed: 'The conversion failed.',
  conversionInterrupted: 'The conversion process was killed.',
  serverFull: 'The disk has no room left: make some and start again.',
};

const NOTES: Readonly<Record<PictureNote, string>> = {
  pictureIncomplete: 'A part of the picture is missing or damaged in the file; the rest was converted.',
  depthIncomplete: "A part of the picture's own depth is missing or damaged in the file; the rest was used.",
  firstFrame: 'Only the first frame of the animation was converted.',
  pictureSmall: 'The crop has less than 256 pixels a side: it was enlarged, so the result is soft.',
};

/** Invalid command-line arguments. */
class UsageError extends Error {}

interface Arguments {
  readonly request: PictureWish;
  readonly out: string;
  readonly json: boolean;
  readonly tier: VideoTier;
  /** Takes an animation for a picture. */
  readonly still: boolean;
}

type PictureWish = Omit<PictureRequest, 'outDir'>;
type VideoWish = Omit<VideoRequest, 'outDir' | 'workDir'>;

async function main(args: string[]): Promise<void> {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return;
  }
  const { request, out, json, tier, still } = await readArguments(args);
  const started = performance.now();
  const type = await videoTypeOf(request.input);
  const isFrame = still && type !== null && type !== 'empty' && mayBeAnimated(type);
  if (!isFrame && (isVideo(type) || (await isOtherVideo(request.input)))) {
    const video = videoRequest(request, tier);
    const made = await convertVideo(video, out);
    const videoMs = performance.now() - started;
    process.stdout.write(
      json ? `${JSON.stringify(videoSummary(video, made, videoMs), null, 2)}\n` : videoReport(made, videoMs),
    );
    return;
  }
  const result = await convertPicture(request, out);
  const totalMs = performance.now() - started;
  process.stdout.write(
    json ? `${JSON.stringify(summary(request, result, totalMs), null, 2)}\n` : report(result, totalMs),
  );
}

async function readArguments(args: string[]): Promise<Arguments> {
  const { values, positionals } = parseOptions(args);
  const [picture, ...more] = positionals;
  if (picture === undefined) throw new UsageError('Name the picture to convert, or --help.');
  if (more.length > 0) throw new UsageError(`One picture at a time: ${more.join(' ')} is too much.`);
  const input = await existing(picture);
  const device = DEVICES.find(({ slug }) => slug === values.device);
  if (!device) throw new UsageError(`There is no device ${values.device}; --help lists them.`);
  const effect = Number(values.effect);
  if (!/^\d+(\.\d+)?$/.test(values.effect) || effect > 100)
    throw new UsageError(`--effect takes a number from 0 to 100, not ${values.effect}.`);
  const crop = values.crop === undefined ? {} : { crop: readCrop(values.crop) };
  const convergence =
    values.convergence === undefined ? {} : { convergence: readShare('--convergence', values.convergence) };
  const anaglyph = ANAGLYPHS.find((kind) => kind === values.anaglyph);
  const tier = VIDEO_TIERS.find((name) => name === values.tier);
  if (!tier) throw new UsageError(`--tier takes ${VIDEO_TIERS.join(', ')}, not ${values.tier}.`);
  if (!anaglyph) throw new UsageError(`--anaglyph takes ${ANAGLYPHS.join(', ')}, not ${values.anaglyph}.`);
  return {
    request: {
      kind: 'picture',
      input,
      device,
      effect,
      formats: readFormats(values.formats, device),
      name: values.name ?? parse(input).name,
      fileName: basename(input),
      ...(values.pair === undefined ? {} : { pair: readPair(values.pair) }),
      swapEyes: values['swap-eyes'],
      anaglyph,
      archive: values.zip,
      ...(values.calibration === undefined ? {} : { calibration: await readCalibration(values.calibration) }),
      ...(values.depth === undefined ? {} : { depth: { path: await existing(values.depth), source: 'member' } }),
      ...(values.ground === undefined ? {} : { ground: readGround(values.ground) }),
      ...convergence,
      ...crop,
    },
    out: resolve(callersFolder(), values.out),
    json: values.json,
    tier,
    still: values.still,
  };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        device: { type: 'string', default: 'looking-glass-portrait' },
        effect: { type: 'string', default: '100' },
        convergence: { type: 'string' },
        depth: { type: 'string' },
        formats: { type: 'string' },
        out: { type: 'string', default: '.' },
        name: { type: 'string' },
        pair: { type: 'string' },
        'swap-eyes': { type: 'boolean', default: false },
        anaglyph: { type: 'string', default: 'dubois' },
        calibration: { type: 'string' },
        ground: { type: 'string' },
        still: { type: 'boolean', default: false },
        zip: { type: 'boolean', default: false },
        crop: { type: 'string' },
        tier: { type: 'string', default: 'best' },
        json: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}; --help lists the options.`, { cause: error });
  }
}

/** Folder in which the user typed the command: npm runs scripts in the project root. */
function callersFolder(): string {
  const typedIn = process.env.npm_lifecycle_event === 'convert' ? process.env.INIT_CWD : undefined;
  return typedIn ?? process.cwd();
}

async function existing(name: string): Promise<string> {
  const path = resolve(callersFolder(), name);
  const file = await stat(path).catch(() => null);
  if (!file?.isFile()) throw new UsageError(`There is no file ${path}.`);
  return path;
}

function readPair(text: string): PairChoice {
  const pair = PAIR_CHOICES.find((choice) => choice === text);
  if (!pair) throw new UsageError(`--pair takes ${PAIR_CHOICES.join(', ')}, not ${text}.`);
  return pair;
}

function readShare(option: string, text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > 1)
    throw new UsageError(`${option} takes a number from 0 to 1, not ${text}.`);
  return value;
}

function readGround(text: string): `#${string}` {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw new UsageError(`--ground takes a colour like #1a2b3c, not ${text}.`);
  return text as `#${string}`;
}

function readFormats(list: string | undefined, device: DeviceProfile): Format[] {
  if (list === undefined) return [device.format];
  const names = list.split(',').map((name) => name.trim());
  const formats = FORMAT_NAMES.filter((format) => names.includes(format));
  const unknown = names.filter((name) => !formats.some((format) => format === name));
  if (unknown.length > 0)
    throw new UsageError(`Unknown format ${unknown.join(', ')}; known are ${FORMAT_NAMES.join(', ')}.`);
  return formats;
}

async function readCalibration(name: string) {
  return parseCalibration(await readFile(await existing(name), 'utf8'));
}

function readCrop(text: string): Rect {
  const match = /^(\d+),(\d+),(\d+),(\d+)$/.exec(text);
  if (!match) throw new UsageError(`--crop takes X,Y,W,H in whole pixels, not ${text}.`);
  const [x, y, width, height] = match.slice(1).map(Number) as [number, number, number, number];
  return { x, y, width, height };
}

function isVideo(type: Awaited<ReturnType<typeof videoTypeOf>>): boolean {
  return type !== null && type !== 'empty';
}

/**
 * Converts picture arguments to a video request.
 * @throws {UsageError} for options that only pictures support
 */
function videoRequest(request: PictureWish, tier: VideoTier): VideoWish {
  const { input, device, effect, formats, name, crop, convergence } = request;
  const { depth, pair, swapEyes, anaglyph, calibration, archive, ground } = request;
  const [first, ...more] = formats ?? [];
  const forPictures = {
    '--depth': depth,
    '--calibration': calibration,
    '--zip': archive,
  };
  const given = Object.entries(forPictures).filter(([, value]) => value);
  if (given.length > 0) throw new UsageError(`Not for videos: ${given.map(([option]) => option).join(', ')}.`);
  const format = VIDEO_FORMATS.find((one) => one === first);
  const further = more.map((name) => {
    const found = VIDEO_FORMATS.find((one) => one === name);
    if (!found) throw new UsageError(`A video can become ${VIDEO_FORMATS.join(', ')}, not ${name}.`);
    return found;
  });
  // If the device's own format is a still format, the engine chooses the video format.
  if (first !== undefined && first !== device.format && !format)
    throw new UsageError(`A video can become ${VIDEO_FORMATS.join(', ')}, not ${first}.`);
  return {
    kind: 'video',
    input,
    device,
    effect,
    tier,
    name,
    ...(format ? { format } : {}),
    ...(further.length > 0 ? { further } : {}),
    ...(pair ? { pair } : {}),
    ...(ground ? { ground } : {}),
    ...(swapEyes ? { swapEyes } : {}),
    ...(anaglyph ? { anaglyph } : {}),
    ...(crop ? { crop } : {}),
    ...(convergence === undefined ? {} : { convergence }),
  };
}

/** Keeps finished segments next to the results until the video is complete. */
async function convertVideo(request: VideoWish, out: string): Promise<VideoResult> {
  await mkdir(out, { recursive: true });
  const workDir = join(out, `.framelift-${safeStem(request.name)}`);
  const result = await withConverter((converter, hooks) =>
    converter.convert({ ...request, outDir: out, workDir }, hooks),
  );
  await rm(workDir, { recursive: true, force: true });
  await rm(result.cover, { force: true });
  return result;
}

/** Converts into a temporary folder next to the results and moves only the requested files out of it. */
async function convertPicture(request: PictureWish, out: string): Promise<PictureResult> {
  await mkdir(out, { recursive: true });
  const work = await mkdtemp(join(out, '.framelift-'));
  try {
    const result = await withConverter((converter, hooks) => converter.convert({ ...request, outDir: work }, hooks));
    const moved = async <F extends { readonly path: string }>(file: F): Promise<F> => {
      const path = join(out, basename(file.path));
      await rename(file.path, path);
      return { ...file, path };
    };
    const files: OutputFile[] = [];
    for (const file of result.files) files.push(await moved(file));
    return { ...result, files, archive: result.archive && (await moved(result.archive)) };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function withConverter<T>(work: (converter: Converter, hooks: CallHooks) => Promise<T>): Promise<T> {
  const cancel = new AbortController();
  process.once('SIGINT', () => cancel.abort()).once('SIGTERM', () => cancel.abort());
  const converter = createConverter({
    processes: 1,
    memoryLimitMb: MEMORY_LIMIT_MB,
    timeLimitMs: TIME_LIMIT_MS,
    neuralDir: modelsFolder(),
  });
  try {
    return await work(converter, { signal: cancel.signal, onProgress: showProgress });
  } finally {
    clearProgress();
    await converter.close();
  }
}

let shownStep: string | null = null;

/** Updates a single line on a terminal; prints one line per step to a log. */
function showProgress({ step, fraction, video }: Progress): void {
  const frames = video ? `, frame ${video.frame} of ${video.frames}` : '';
  const left = video?.secondsLeft ? `, ${video.secondsLeft} s left` : '';
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${step} ${Math.round(fraction * 100)} %${frames}${left}`);
  else if (step !== shownStep) process.stderr.write(`${step}\n`);
  shownStep = step;
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

function summary(request: PictureWish, result: PictureResult, totalMs: number) {
  const { files, archive, depthSource, comfort, source, crop, notes, times, peakRssMb } = result;
  const { input, effect, device } = request;
  const rounded = Object.fromEntries(Object.entries(times).map(([step, ms]) => [step, Math.round(ms)]));
  return {
    input,
    device: device.slug,
    effect,
    source,
    crop,
    depthSource,
    comfort,
    notes,
    files,
    archive,
    times: rounded,
    totalMs: Math.round(totalMs),
    peakRssMb,
  };
}

function videoSummary({ input, device, effect, tier }: VideoWish, result: VideoResult, totalMs: number) {
  const { cover: _, times, ...told } = result;
  const rounded = Object.fromEntries(Object.entries(times).map(([step, ms]) => [step, Math.round(ms)]));
  return { input, device: device.slug, effect, tier, ...told, times: rounded, totalMs: Math.round(totalMs) };
}

/** Returns a line if the requested strength exceeds what is comfortable or what the display supports. */
function reduced(comfort: Comfort | null): string[] {
  if (!comfort?.clamped) return [];
  const [shown, wished] = [comfort.largestDisparityPercent, comfort.wishedDisparityPercent].map((percent) =>
    percent.toFixed(1),
  );
  return [`reduced to what the display can show comfortably: ${shown} % of the width, not ${wished} %`];
}

function videoReport(result: VideoResult, totalMs: number): string {
  const { file, further, frames, seconds, depthSource, comfort, notes, peakRssMb } = result;
  const lines = [
    ...[file, ...further].map(
      ({ format, width, height, bytes, path }) =>
        `${format.padEnd(9)}${`${width} x ${height}`.padEnd(13)}${(bytes / 1e6).toFixed(2).padStart(6)} MB  ${path}`,
    ),
    `${frames} frames, ${seconds.toFixed(1)} s; depth: ${depthSource ?? 'none'}; ${(totalMs / 1000).toFixed(1)} s, ${peakRssMb} MB`,
    ...reduced(comfort),
    ...notes.map((note) => (typeof note === 'string' ? note : JSON.stringify(note))),
  ];
  return `${lines.join('\n')}\n`;
}

function report(result: PictureResult, totalMs: number): string {
  const { files, archive, depthSource, comfort, notes, times, peakRssMb } = result;
  const lines = files.map(({ format, width, height, bytes, path }) => {
    return `${format.padEnd(11)}${`${width} x ${height}`.padEnd(13)}${(bytes / 1e6).toFixed(2).padStart(6)} MB  ${path}`;
  });
  if (archive) lines.push(`${'zip'.padEnd(24)}${(archive.bytes / 1e6).toFixed(2).padStart(6)} MB  ${archive.path}`);
  const steps = Object.entries(times).map(([step, ms]) => `${step} ${Math.round(ms)} ms`);
  lines.push(
    `depth: ${depthSource ?? 'none'}; ${(totalMs / 1000).toFixed(1)} s (${steps.join(', ')}), ${peakRssMb} MB`,
    ...reduced(comfort),
    ...notes.map((note) => NOTES[note]),
  );
  return `${lines.join('\n')}\n`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = EXIT.wrongArguments;
  } else if (error instanceof EngineError) {
    process.stderr.write(`${REASONS[error.code]} (${error.message})\n`);
    process.exitCode = error.code === 'conversionCancelled' ? EXIT.interrupted : EXIT.failed;
  } else {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = EXIT.failed;
  }
}

import { rm, writeFile } from 'node:fs/promises';
import { mayBeAnimated } from '@framelift/contract/animation';
import {
  AV_FRAME_DATA_DISPLAYMATRIX,
  AV_FRAME_DATA_DOVI_METADATA,
  AV_FRAME_FLAG_INTERLACED,
  AVALPHA_MODE_PREMULTIPLIED,
  AVCOL_SPC_BT709,
  AVCOL_SPC_RGB,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, type CodecContext, type FormatContext, Frame, Packet, type Stream } from 'node-av/lib';
import { EngineError } from '../errors.ts';
import type { Rect, Size } from '../types.ts';
import { asDamage, inSeconds, must, NO_TIME } from './av.ts';
import { AV_FORMATS, FORMAT_NAMES } from './av-formats.ts';
import { type Colour, colourOf, iptColour, mappingCube, needsMapping } from './colour.ts';
import { type Damage, decodedFrames, onlyTrack, openDecoder } from './decode.ts';
import { areApart, eyeFilters, eyeSize, eyeStretch, otherEye } from './eye.ts';
import { freeMoment, type Moment, moments } from './eyes-apart.ts';
import { createGraph, type Graph } from './filter-graph.ts';
import { openFormat, type Pictures, type Video, validAspect } from './open-video.ts';
import { type Pixels, planesOf } from './planes.ts';
import { type Rotation, rotationOf } from './rotation.ts';
import { ShownTimes } from './shown-times.ts';
import { clockFor, RisingTimes } from './timestamps.ts';

export interface FrameOptions {
  /** In upright, square pixels; even numbers. */
  readonly crop: Rect;
  /** Size to which the crop is scaled; even numbers. */
  readonly size: Size;
  readonly pixels: Pixels;
  /** Of a video whose frames hold both eyes: yields the right one below the left one, each of `size`. */
  readonly both?: boolean;
  readonly threads: number;
  /** Number of frames to decode without output, because they are already finished. */
  readonly skip?: number;
  /** Start time in seconds; seeks with the container's index. */
  readonly from?: number;
  /** Begins at the key frame at or before `from` instead of exactly there, if the file can be sought. */
  readonly atKeyFrame?: boolean;
  /** Path for a temporary colour table. */
  readonly tempFile: string;
  readonly maxSeconds: number;
}

/** An upright frame; the consumer owns and frees it. */
export interface VideoFrame {
  readonly frame: Frame;
  /** In ticks of `clockFor(video.pictures.timeBase)`, from the start of the video; strictly increasing. */
  readonly time: number;
  /** In the same ticks; 0 if the file does not tell. */
  readonly duration: number;
}

/**
 * Decodes a video into upright, cropped, 8-bit frames in BT.709, in presentation order. Yields each decoded frame
 * exactly once.
 *
 * @throws {EngineError} `filmDamaged` if no frame can be decoded or the rest of the video cannot be read
 */
export async function* uprightFrames(video: Video, options: FrameOptions, damage: Damage): AsyncGenerator<VideoFrame> {
  const filter = new FrameFilter(video, options);
  const ticks = clockFor(video.pictures.timeBase);
  const times = new RisingTimes<Moment>(ticks / video.info.fps);
  const earliest =
    options.from === undefined || (options.atKeyFrame && canSeek(video))
      ? Number.NEGATIVE_INFINITY
      : Math.floor(options.from * ticks);
  let count = 0;
  try {
    for (let round = 0; round < video.rounds.count; round++) {
      const begin = Math.round(round * video.rounds.seconds * ticks);
      for await (const { moment, time } of storedFrames(video, options, damage, begin))
        for (const placed of times.add(moment, time)) yield* emit(placed);
    }
    for (const placed of times.end()) yield* emit(placed);
    yield* filter.end();
    if (count === 0) throw new EngineError('filmDamaged', 'no frame could be decoded');
  } catch (error) {
    throw asDamage(error);
  } finally {
    filter.free();
  }

  function durationOf({ frame, second }: Moment): number {
    const lasts = frame.duration + (second && video.pictures.eye?.packing === 'turns' ? second.duration : 0n);
    return Math.max(0, Math.round(inSeconds(lasts, video.pictures.timeBase) * ticks));
  }

  async function* emit({ one, time }: { readonly one: Moment; readonly time: number }) {
    const wanted = count++ >= (options.skip ?? 0) && time >= earliest;
    try {
      // A deinterlacer needs the previous frames.
      if (wanted || filter.needsAll(one.frame)) yield* filter.put(one, { time, duration: durationOf(one), wanted });
    } finally {
      freeMoment(one);
    }
  }
}

/** Decodes the frames of a file as they are stored, with their times in ticks after `begin`; the caller frees each. */
async function* storedFrames(
  video: Video,
  { from, threads, maxSeconds, both }: FrameOptions,
  damage: Damage,
  begin: number,
): AsyncGenerator<{ readonly moment: Moment; readonly time: number }> {
  const format = await openFormat(video.path, video.type);
  let decoder: CodecContext | null = null;
  const packet = new Packet();
  packet.alloc();
  try {
    must(await format.findStreamInfo(), 'reading the tracks');
    const stream = onlyTrack(format, video.pictures.track);
    if (from !== undefined) await seek(format, stream, video, from);
    const { eye } = video.pictures;
    // The left eye alone needs no second view if it is the base.
    const apart = eye && areApart(eye) && (eye.packing === 'turns' || both || eye.second) ? eye : null;
    decoder = await openDecoder(stream, threads, apart?.packing === 'views');
    const ticks = clockFor(video.pictures.timeBase);
    const zero = Math.round((video.start + video.pictures.late) * ticks);
    let lastTime = 0;
    const times = ShownTimes.of(video.type, video.pictures.timeBase);
    const decoded = decodedFrames(format, decoder, stream, packet, damage, times);
    for await (const moment of apart ? moments(decoded, apart) : alone(decoded)) {
      const own = moment.frame.bestEffortTimestamp;
      const time =
        own === NO_TIME
          ? lastTime + Math.round(ticks / video.info.fps)
          : Math.round(inSeconds(own, video.pictures.timeBase) * ticks) - zero;
      lastTime = time;
      if (begin + time > maxSeconds * ticks)
        throw new EngineError('filmTooLong', `longer than ${maxSeconds} s, whatever its header says`);
      yield { moment, time: begin + time };
    }
  } finally {
    packet.free();
    decoder?.freeContext();
    await format.closeInput();
  }
}

async function* alone(frames: AsyncGenerator<Frame>): AsyncGenerator<Moment> {
  for await (const frame of frames) yield { frame, second: null };
}

/**
 * Returns whether a place of a file can be sought. Containers without an index cannot: a seek can end behind the only key
 * frame. Animations may have no other key frame. Of eyes that take turns, a key frame may be that of either.
 */
export function canSeek({ type, pictures: { eye } }: Video): boolean {
  return type !== 'ts' && type !== 'mpg' && !mayBeAnimated(type) && eye?.packing !== 'turns';
}

/** Seeks to the key frame before; a file that cannot be sought is read from its start. */
async function seek(format: FormatContext, stream: Stream, video: Video, seconds: number): Promise<void> {
  if (!canSeek(video)) return;
  const { num, den } = video.pictures.timeBase;
  const target = BigInt(Math.floor(((seconds + video.start) * den) / num));
  await format.seekFile(stream.index, -(2n ** 62n), target, target);
}

interface Place {
  readonly time: number;
  readonly duration: number;
  readonly wanted: boolean;
}

/** Filter chain from decoded to upright frames. Rebuilt if a frame looks different from the one before. */
class FrameFilter {
  readonly #video: Video;
  readonly #options: FrameOptions;
  #graph: Graph | null = null;
  #key = '';
  #interlaced: boolean;
  readonly #waiting: Place[] = [];

  constructor(video: Video, options: FrameOptions) {
    this.#video = video;
    this.#options = options;
    this.#interlaced = video.pictures.interlaced;
  }

  /** Returns whether frames that are not wanted must be put in, too; has to see every frame. */
  needsAll(frame: Frame): boolean {
    this.#interlaced ||= frame.hasFlags(AV_FRAME_FLAG_INTERLACED);
    return this.#interlaced;
  }

  async *put({ frame, second }: Moment, place: Place): AsyncGenerator<VideoFrame> {
    const look = lookOf(frame, this.#video.pictures, this.needsAll(frame));
    const key = JSON.stringify([frame.width, frame.height, frame.format, look]);
    if (key !== this.#key) {
      yield* this.end();
      this.#graph?.free();
      this.#graph = await this.#make(frame, look);
      this.#key = key;
    }
    const { matrix, fullRange, primaries, transfer } = look.colour;
    for (const one of second ? [frame, second] : [frame]) {
      one.colorSpace = matrix as Frame['colorSpace'];
      one.colorRange = (fullRange ? FULL : LIMITED) as Frame['colorRange'];
      one.colorPrimaries = primaries as Frame['colorPrimaries'];
      one.colorTrc = transfer as Frame['colorTrc'];
      one.pts = BigInt(place.time);
    }
    this.#waiting.push(place);
    // If the frame of one eye was lost, both see the other one.
    const eyes = [frame, second ?? frame] as const;
    const [left, right] = this.#video.pictures.eye?.second ? ([eyes[1], eyes[0]] as const) : eyes;
    await this.#graph?.put(left, right);
    yield* this.#take();
  }

  async *end(): AsyncGenerator<VideoFrame> {
    if (!this.#graph) return;
    await this.#graph.end();
    yield* this.#take();
  }

  free(): void {
    this.#graph?.free();
  }

  async *#take(): AsyncGenerator<VideoFrame> {
    // Each input frame gives one output frame.
    while (this.#waiting.length > 0) {
      const frame = new Frame();
      frame.alloc();
      if (!(await this.#graph?.take(frame))) return frame.free();
      const { time, duration, wanted } = this.#waiting.shift() as Place;
      if (wanted) yield { frame, time, duration };
      else frame.free();
    }
  }

  async #make(frame: Frame, look: Look): Promise<Graph> {
    const { pictures } = this.#video;
    const { threads, tempFile } = this.#options;
    const { colour } = look;
    const { matrix, fullRange } = colour;
    const args = [
      `video_size=${frame.width}x${frame.height}`,
      `pix_fmt=${avGetPixFmtName(frame.format as Parameters<typeof avGetPixFmtName>[0])}`,
      'time_base=1/90000',
      `colorspace=${matrix}`,
      `range=${fullRange ? FULL : LIMITED}`,
    ].join(':');
    const { eye } = pictures;
    const options = { ...this.#options, ground: this.#video.ground };
    const left = filtersFor(pictures, frame, options, look);
    const filters =
      eye && this.#options.both
        ? {
            above: left,
            below: filtersFor({ ...pictures, eye: otherEye(eye) }, frame, options, look),
            apart: areApart(eye),
          }
        : left;
    if (!needsMapping(colour)) return createGraph({ kind: 'buffer', args }, filters, threads);
    // The filter reads the table only while it is created.
    await writeFile(tempFile, mappingCube(colour));
    try {
      return await createGraph({ kind: 'buffer', args }, filters, threads);
    } finally {
      await rm(tempFile, { force: true });
    }
  }
}

/** What a frame states about itself; it may change within a video: a phone is turned, a broadcast changes its format. */
interface Look {
  readonly turn: Rotation;
  /** Width of a stored pixel divided by its height. */
  readonly pixelAspect: number;
  readonly colour: Colour;
  readonly interlaced: boolean;
  /** The planar RGB format with transparency that holds the frame without loss; null for an opaque frame. */
  readonly alpha: 'gbrap' | 'gbrap16le' | null;
  readonly premultiplied: boolean;
}

/** @param interlaced whether a frame of two fields has been seen */
function lookOf(frame: Frame, pictures: Pictures, interlaced: boolean): Look {
  const matrix = frame.getSideData(AV_FRAME_DATA_DISPLAYMATRIX);
  const stated = validAspect(frame.sampleAspectRatio);
  return {
    turn: matrix ? rotationOf(matrix) : pictures.turn,
    pixelAspect: stated === null || stated === pictures.statedAspect ? pictures.pixelAspect : stated,
    colour: pictures.ipt
      ? iptColour(frame.getSideData(AV_FRAME_DATA_DOVI_METADATA))
      : colourOf(frame, pictures.coded.height),
    interlaced,
    alpha: alphaFormat(frame),
    premultiplied: frame.alphaMode === AVALPHA_MODE_PREMULTIPLIED,
  };
}

function alphaFormat({ format }: Frame): Look['alpha'] {
  const name = avGetPixFmtName(format as AVPixelFormat) ?? '';
  if (!/^(yuva|argb|rgba|abgr|bgra|gbrap|ya8|ya16|pal8|ayuv|vuya)/.test(name)) return null;
  return /^(argb|rgba|abgr|bgra|gbrap|ya8|pal8|yuva4\d\dp|vuya)$/.test(name) ? 'gbrap' : 'gbrap16le';
}

/** Lays a frame with transparency on a colour: adds to its own light that of the ground, as far as it shows through. */
function onGround(ground: string, format: NonNullable<Look['alpha']>, premultiplied: boolean): string[] {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16) / 255);
  return [
    `scale=flags=bicubic+accurate_rnd+full_chroma_int`,
    `format=${format}`,
    ...(premultiplied ? [] : ['premultiply=inplace=1']),
    'negate=components=a',
    `colorchannelmixer=ra=${red}:ga=${green}:ba=${blue}`,
    `format=${format === 'gbrap' ? 'gbrp' : 'gbrp16le'}`,
  ];
}

/** Reads the samples of three planes as green, blue and red, without a conversion. */
const SAMPLES_AS_RGB = [
  'format=yuv444p16le',
  'mergeplanes=format=gbrp16le:map0s=0:map0p=0:map1s=0:map1p=1:map2s=0:map2p=2',
];

/** Share by which the shape of a frame may differ from the first one's before it gets bars. */
const SAME_SHAPE = 0.02;

/**
 * Returns the FFmpeg filters from a stored frame to an upright one; uses only filters that every build has. A frame of
 * another shape than the first one is fitted into it, with black bars.
 */
export function filtersFor(
  pictures: Pictures,
  stored: Size,
  {
    crop,
    size,
    pixels,
    tempFile,
    ground,
  }: Pick<FrameOptions, 'crop' | 'size' | 'pixels' | 'tempFile'> & Pick<Video, 'ground'>,
  look: Look = { ...pictures, alpha: null, premultiplied: false },
): string[] {
  const { shown, clean, eye, coded } = pictures;
  const { turn, interlaced, alpha } = look;
  const filters: string[] = [];
  let part = { width: stored.width, height: stored.height };
  let [across, down] = [look.pixelAspect, 1];
  if (interlaced) filters.push('bwdif=mode=send_frame:deint=interlaced');
  if (clean && stored.width === coded.width && stored.height === coded.height) {
    filters.push(`crop=${clean.width}:${clean.height}:${clean.x}:${clean.y}`);
    part = clean;
  }
  if (eye) {
    filters.push(...eyeFilters(eye));
    part = eyeSize(eye, part);
    const [wider, higher] = eyeStretch(eye);
    [across, down] = [across * wider, higher];
  }
  filters.push(...turn.filters);
  const upright = turn.sideways ? { width: part.height, height: part.width } : part;
  const shape = turn.sideways
    ? (part.height * down) / (part.width * across)
    : (part.width * across) / (part.height * down);
  if (alpha) filters.push(...onGround(ground, alpha, look.premultiplied));
  const colour = alpha ? { ...look.colour, matrix: AVCOL_SPC_RGB, fullRange: true } : look.colour;
  if (Math.abs((shape * shown.height) / shown.width - 1) > SAME_SHAPE) {
    filters.push(...fitted(shape, shown));
    if (crop.width !== shown.width || crop.height !== shown.height) filters.push(cropText(crop, 1, 1));
  } else if (crop.width !== shown.width || crop.height !== shown.height) {
    // The crop refers to upright, square pixels of the first frame; this frame may have another size and pixel aspect.
    filters.push(cropText(crop, upright.width / shown.width, upright.height / shown.height));
  }
  const sized = `scale=${size.width}:${size.height}:flags=bicubic`;
  const samples = pixels === 'yuv420' ? ':out_color_matrix=bt709:out_range=tv' : '';
  if (needsMapping(colour)) {
    filters.push(
      sized,
      ...(colour.dolbyVision ? SAMPLES_AS_RGB : ['format=gbrp16le']),
      `lut3d=file=${escaped(tempFile)}:interp=tetrahedral`,
    );
    if (colour.dolbyVision) filters.push('setparams=colorspace=gbr:range=pc');
    if (samples) filters.push(`scale=flags=bicubic+accurate_rnd${samples}`);
  } else if (samples && colour.matrix !== AVCOL_SPC_RGB && (colour.matrix !== AVCOL_SPC_BT709 || colour.fullRange)) {
    // The scaler's own matrix conversion tints greys, or is twenty times slower.
    const range = colour.fullRange ? 'pc' : 'tv';
    filters.push(`${sized}:out_range=${range}`, 'format=yuv420p|yuvj420p', toBt709(colour.matrix, range));
  } else {
    filters.push(`${sized}${colour.matrix === AVCOL_SPC_RGB ? '+accurate_rnd' : ''}${samples}`);
  }
  filters.push(`format=${FORMAT_NAMES[pixels]}`);
  return filters;
}

function cropText(crop: Rect, across: number, down: number): string {
  const part = [crop.width * across, crop.height * down, crop.x * across, crop.y * down];
  return `crop=${part.map(Math.round).join(':')}`;
}

/** Scales a frame of a shape (width divided by height) into a box and fills the rest with black. */
function fitted(shape: number, box: Size): string[] {
  const even = (n: number) => Math.max(2, n - (n % 2));
  const [width, height] = [even(box.width), even(box.height)];
  const inner = [Math.min(width, height * shape), Math.min(height, width / shape)].map((n) => even(Math.round(n)));
  return [`scale=${inner.join(':')}:flags=bicubic`, `pad=${width}:${height}:-1:-1:black`];
}

/** Only matrix and range change, so transfer curve and primaries are declared equal on both sides. */
function toBt709(matrix: number, range: 'pc' | 'tv'): string {
  const same = ['primaries', 'trc', 'iprimaries', 'itrc'].map((name) => `${name}=bt709`).join(':');
  return `colorspace=space=bt709:range=tv:ispace=${matrix}:irange=${range}:${same}`;
}

const LIMITED = 1;
const FULL = 2;

/** Escapes a path for an argument of an FFmpeg filter. */
function escaped(path: string): string {
  return path.replace(/[\\':]/g, (sign) => `\\${sign}`);
}

/**
 * Reads the pixels of frames of one size. Copies them into one retained frame: each access to the memory of another
 * frame creates a new buffer for the garbage collector, whose collections soon stalled the whole video.
 */
export class FrameReader {
  readonly #kept = new Frame();
  readonly #planes: readonly Uint8Array[];

  constructor(size: Size, pixels: Pixels) {
    this.#kept.alloc();
    this.#kept.width = size.width;
    this.#kept.height = size.height;
    this.#kept.format = AV_FORMATS[pixels];
    // Alignment of 1 byte: rows without padding.
    must(this.#kept.getBuffer(1), 'a frame');
    const { data, linesize } = this.#kept;
    this.#planes = planesOf(pixels, size).map(({ width, height, bytes }, i) => {
      const plane = data?.[i];
      if (!plane || linesize[i] !== bytes * width) throw new Error('a frame with gaps between its rows');
      return plane.subarray(0, bytes * width * height);
    });
  }

  /**
   * Reads a frame.
   * @returns the bytes of each plane, valid until the next call
   */
  read(frame: Frame): readonly Uint8Array[] {
    must(this.#kept.copy(frame), 'copying a frame');
    return this.#planes;
  }

  free(): void {
    this.#kept.free();
  }
}

import { rm, writeFile } from 'node:fs/promises';
import { AVCOL_SPC_BT709, AVCOL_SPC_RGB, AVDISCARD_ALL } from 'node-av/constants';
import { avGetPixFmtName, type CodecContext, type FormatContext, Frame, Packet, type Stream } from 'node-av/lib';
import { EngineError } from '../errors.ts';
import type { Rect, Size } from '../types.ts';
import { asDamage, inSeconds, must, NO_TIME } from './av.ts';
import { AV_FORMATS, FORMAT_NAMES } from './av-formats.ts';
import { mappingCube, needsMapping } from './colour.ts';
import { createGraph, type Graph } from './filter-graph.ts';
import { openDecoder, openFormat, type Pictures, type Video } from './open-video.ts';
import { type Pixels, planesOf } from './planes.ts';
import { clockFor, RisingTimes } from './timestamps.ts';

export interface FrameOptions {
  /** In upright, square pixels; even numbers. */
  readonly crop: Rect;
  /** Size to which the crop is scaled; even numbers. */
  readonly size: Size;
  readonly pixels: Pixels;
  readonly threads: number;
  /** Number of frames to decode without output, because they are already finished. */
  readonly skip?: number;
  /** Start time in seconds; seeks with the container's index. */
  readonly from?: number;
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

/** Count of decoding errors that did not end the decoding. */
export interface Damage {
  packets: number;
}

/**
 * Decodes a video into upright, cropped, 8-bit frames in BT.709, in presentation order. Yields each decoded frame
 * exactly once.
 *
 * @throws {EngineError} `filmDamaged` if no frame can be decoded or the rest of the video cannot be read
 */
export async function* uprightFrames(video: Video, options: FrameOptions, damage: Damage): AsyncGenerator<VideoFrame> {
  const format = await openFormat(video.path, video.type);
  let decoder: CodecContext | null = null;
  const packet = new Packet();
  packet.alloc();
  const filter = new FrameFilter(video, options);
  try {
    must(await format.findStreamInfo(), 'reading the tracks');
    const stream = onlyTrack(format, video.pictures.track);
    if (options.from !== undefined) await seek(format, stream, video, options.from);
    decoder = await openDecoder(stream, options.threads);
    const ticks = clockFor(video.pictures.timeBase);
    const times = new RisingTimes<Frame>(ticks / video.info.fps);
    const zero = Math.round(video.start * ticks);
    let count = 0;
    let lastTime = 0;
    const earliest = options.from === undefined ? -1 : Math.floor(options.from * ticks);
    for await (const decoded of decodedFrames(format, decoder, stream, packet, damage)) {
      const own = decoded.bestEffortTimestamp;
      const time =
        own === NO_TIME
          ? lastTime + Math.round(ticks / video.info.fps)
          : Math.round(inSeconds(own, video.pictures.timeBase) * ticks) - zero;
      lastTime = time;
      if (time > options.maxSeconds * ticks)
        throw new EngineError('filmTooLong', `longer than ${options.maxSeconds} s, whatever its header says`);
      for (const placed of times.add(decoded, time)) yield* emit(placed);
    }
    for (const placed of times.end()) yield* emit(placed);
    yield* filter.end();
    if (count === 0) throw new EngineError('filmDamaged', 'no frame could be decoded');

    function durationOf({ duration }: Frame): number {
      return Math.max(0, Math.round(inSeconds(duration, video.pictures.timeBase) * ticks));
    }

    async function* emit({ one, time }: { readonly one: Frame; readonly time: number }) {
      const wanted = count++ >= (options.skip ?? 0) && time >= earliest;
      try {
        // A deinterlacer needs the previous frames.
        if (wanted || video.pictures.interlaced) yield* filter.put(one, { time, duration: durationOf(one), wanted });
      } finally {
        one.free();
      }
    }
  } catch (error) {
    throw asDamage(error);
  } finally {
    filter.free();
    packet.free();
    decoder?.freeContext();
    await format.closeInput();
  }
}

/** Discards all tracks but one, and returns it. */
function onlyTrack(format: FormatContext, track: number): Stream {
  for (const stream of format.streams) if (stream.index !== track) stream.discard = AVDISCARD_ALL;
  const stream = format.streams[track];
  if (!stream) throw new EngineError('filmDamaged', `no track ${track}`);
  return stream;
}

/** Seeks to the key frame before; a video that cannot be seeked is read from its start. */
async function seek(format: FormatContext, stream: Stream, video: Video, seconds: number): Promise<void> {
  const { num, den } = video.pictures.timeBase;
  const target = BigInt(Math.floor(((seconds + video.start) * den) / num));
  await format.seekFile(stream.index, -(2n ** 62n), target, target);
}

/** Yields frames in presentation order; the caller frees each. */
export async function* decodedFrames(
  format: FormatContext,
  decoder: CodecContext,
  stream: Stream,
  packet: Packet,
  damage: Damage,
): AsyncGenerator<Frame> {
  let ended = false;
  while (!ended) {
    ended = (await format.readFrame(packet)) < 0;
    if (!ended && packet.streamIndex !== stream.index) {
      packet.unref();
      continue;
    }
    // A damaged packet loses only its own frames.
    if ((await decoder.sendPacket(ended ? null : packet)) < 0 && !ended) damage.packets++;
    if (!ended) packet.unref();
    for (;;) {
      const frame = new Frame();
      frame.alloc();
      // Sending a packet does the decoding; only at the end receiving does.
      const code = ended ? await decoder.receiveFrame(frame) : decoder.receiveFrameSync(frame);
      if (code >= 0) {
        yield frame;
        continue;
      }
      frame.free();
      break;
    }
  }
}

interface Place {
  readonly time: number;
  readonly duration: number;
  readonly wanted: boolean;
}

/** Filter chain from decoded to upright frames. Rebuilt if the video changes its frame size or format. */
class FrameFilter {
  readonly #video: Video;
  readonly #options: FrameOptions;
  #graph: Graph | null = null;
  #key = '';
  readonly #waiting: Place[] = [];

  constructor(video: Video, options: FrameOptions) {
    this.#video = video;
    this.#options = options;
  }

  async *put(frame: Frame, place: Place): AsyncGenerator<VideoFrame> {
    const key = `${frame.width} ${frame.height} ${frame.format}`;
    if (key !== this.#key) {
      yield* this.end();
      this.#graph?.free();
      this.#graph = await this.#make(frame);
      this.#key = key;
    }
    const { matrix, fullRange, primaries, transfer } = this.#video.pictures.colour;
    frame.colorSpace = matrix as Frame['colorSpace'];
    frame.colorRange = (fullRange ? FULL : LIMITED) as Frame['colorRange'];
    frame.colorPrimaries = primaries as Frame['colorPrimaries'];
    frame.colorTrc = transfer as Frame['colorTrc'];
    frame.pts = BigInt(place.time);
    this.#waiting.push(place);
    await this.#graph?.put(frame);
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

  async #make(frame: Frame): Promise<Graph> {
    const { pictures } = this.#video;
    const { threads, tempFile } = this.#options;
    const { matrix, fullRange } = pictures.colour;
    const args = [
      `video_size=${frame.width}x${frame.height}`,
      `pix_fmt=${avGetPixFmtName(frame.format as Parameters<typeof avGetPixFmtName>[0])}`,
      'time_base=1/90000',
      `colorspace=${matrix}`,
      `range=${fullRange ? FULL : LIMITED}`,
    ].join(':');
    const filters = filtersFor(pictures, frame, this.#options);
    if (!needsMapping(pictures.colour)) return createGraph({ kind: 'buffer', args }, filters, threads);
    // The filter reads the table only while it is created.
    await writeFile(tempFile, mappingCube(pictures.colour));
    try {
      return await createGraph({ kind: 'buffer', args }, filters, threads);
    } finally {
      await rm(tempFile, { force: true });
    }
  }
}

/** Returns the FFmpeg filters from a stored frame to an upright one; uses only filters that every build has. */
export function filtersFor(
  pictures: Pictures,
  stored: Size,
  { crop, size, pixels, tempFile }: Pick<FrameOptions, 'crop' | 'size' | 'pixels' | 'tempFile'>,
): string[] {
  const { turn, shown, interlaced, colour } = pictures;
  const filters: string[] = [];
  if (interlaced) filters.push('bwdif=mode=send_frame');
  filters.push(...turn.filters);
  if (crop.width !== shown.width || crop.height !== shown.height) {
    // The crop refers to upright, square pixels of the first frame; this frame may have another size and pixel aspect.
    const across = (turn.sideways ? stored.height : stored.width) / shown.width;
    const down = (turn.sideways ? stored.width : stored.height) / shown.height;
    const part = [crop.width * across, crop.height * down, crop.x * across, crop.y * down];
    filters.push(`crop=${part.map(Math.round).join(':')}`);
  }
  const sized = `scale=${size.width}:${size.height}:flags=bicubic`;
  const samples = pixels === 'yuv420' ? ':out_color_matrix=bt709:out_range=tv' : '';
  if (needsMapping(colour)) {
    filters.push(sized, 'format=gbrp16le', `lut3d=file=${escaped(tempFile)}:interp=tetrahedral`);
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

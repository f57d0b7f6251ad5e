import { open } from 'node:fs/promises';
import type { VideoFormat } from '@framelift/contract/formats';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
  FF_ENCODER_LIBX264,
  FF_ENCODER_LIBX265,
} from 'node-av/constants';
import { Codec, CodecContext, type CodecParameters, Frame, Packet, Rational } from 'node-av/lib';
import type { Size } from '../types.ts';
import { must, ready, withOptions } from './av.ts';
import { AV_FORMATS, FORMAT_NAMES } from './av-formats.ts';
import { createGraph, type Graph } from './filter-graph.ts';
import type { Pixels } from './planes.ts';

/** Minimum side length for HEVC: quilts of 4096 px and more exceed the limits of H.264 decoders in devices. */
const HEVC_SIDE = 4096;
/** Minimum pixels per frame at which the encoder buffers fewer frames: each takes tens of megabytes. */
const LARGE_FRAME = 6_000_000;

export interface EncoderSettings {
  readonly size: Size;
  readonly hevc: boolean;
  /**
   * Twice as large as its frames, for formats whose colours belong to eyes: each pixel then has chroma of its own although
   * chroma is subsampled, as every player requires.
   */
  readonly doubled: boolean;
  readonly fps: number;
  /** Clock ticks per second. */
  readonly ticks: number;
  readonly threads: number;
}

/** @param drawn size of the frames that are encoded */
export function encoderSettings(
  drawn: Size,
  format: VideoFormat,
  timing: Pick<EncoderSettings, 'fps' | 'ticks' | 'threads'>,
): EncoderSettings {
  const doubled = format === 'anaglyph';
  const size = doubled ? { width: 2 * drawn.width, height: 2 * drawn.height } : drawn;
  const hevc = format === 'spatial' || Math.max(size.width, size.height) >= HEVC_SIDE;
  return { size, hevc, doubled, ...timing };
}

/**
 * Quality settings, visually equivalent for both encoders. x264 guarantees identical bytes for identical frames only
 * with `cpu-independent`: without it, output was seen to differ from run to run.
 */
const X264 = { preset: 'veryfast', crf: 20, 'x264-params': 'cpu-independent=1' };
const X265 = { preset: 'veryfast', crf: 22 };

/** Buffered bytes above which they are written to the file. */
const WRITTEN_AT_ONCE = 65_536;

/** An encoded frame: its size in the file, and its times in ticks. */
export interface PacketEntry {
  readonly bytes: number;
  readonly pts: number;
  readonly dts: number;
  readonly key: boolean;
}

/** Returns the pixel layout of input frames: RGB planes are converted, 4:2:0 is encoded as it is. */
export function pixelsFor({ doubled }: EncoderSettings): Exclude<Pixels, 'rgb'> {
  return doubled ? 'gbr' : 'yuv420';
}

function drawnSize({ size, doubled }: EncoderSettings): Size {
  return doubled ? { width: size.width / 2, height: size.height / 2 } : size;
}

/** Encodes frames into a file that holds only the encoder's bytes; the packet list is stored separately. */
export class SegmentEncoder {
  readonly #settings: EncoderSettings;
  readonly #context: CodecContext;
  /** Converts input frames to the encoder's pixel format, if they differ. */
  readonly #graph: Graph | null;
  readonly #file: Awaited<ReturnType<typeof open>>;
  readonly #frame = new Frame();
  readonly #converted = new Frame();
  readonly #packet = new Packet();
  readonly #entries: PacketEntry[] = [];
  /** Packet data not written yet. */
  #waiting: Buffer[] = [];
  #waitingBytes = 0;

  private constructor(
    settings: EncoderSettings,
    context: CodecContext,
    graph: Graph | null,
    file: Awaited<ReturnType<typeof open>>,
  ) {
    this.#settings = settings;
    this.#context = context;
    this.#graph = graph;
    this.#file = file;
    this.#converted.alloc();
    this.#packet.alloc();
    this.#frame.alloc();
    const { width, height } = drawnSize(settings);
    this.#frame.width = width;
    this.#frame.height = height;
    this.#frame.format = AV_FORMATS[pixelsFor(settings)];
    must(this.#frame.getBuffer(), 'a frame');
  }

  static async open(path: string, settings: EncoderSettings): Promise<SegmentEncoder> {
    const context = await openEncoder(settings);
    const graph = settings.doubled ? await createConversion(settings) : null;
    return new SegmentEncoder(settings, context, graph, await open(path, 'w'));
  }

  /**
   * Encodes a frame; calls must not overlap.
   * @param picture bytes in the order of `pixelsFor`, copied before the first await, or a frame in that layout
   */
  async add(picture: Uint8Array | Frame, time: number): Promise<void> {
    let frame = picture instanceof Frame ? picture : this.#filled(picture);
    if (this.#graph) {
      frame.pts = BigInt(time);
      await this.#graph.put(frame);
      frame = this.#converted;
      if (!(await this.#graph.take(frame))) throw new Error('a frame was lost on its way to the encoder');
    }
    frame.pts = BigInt(time);
    frame.colorPrimaries = AVCOL_PRI_BT709;
    frame.colorTrc = AVCOL_TRC_BT709;
    // Clears the frame type chosen by the source's encoder, so that this encoder chooses its own.
    frame.pictType = AV_PICTURE_TYPE_NONE;
    must(await this.#context.sendFrame(frame), 'encoding');
    if (frame === this.#converted) frame.unref();
    // Synchronous: finished packets are only handed over, which needs no other thread.
    while (ready(this.#context.receivePacketSync(this.#packet), 'encoding')) this.#keep();
    if (this.#waitingBytes > WRITTEN_AT_ONCE) await this.#write();
  }

  #filled(bytes: Uint8Array): Frame {
    const frame = this.#frame;
    must(frame.makeWritable(), 'a frame');
    must(frame.fromBuffer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)), 'a frame');
    return frame;
  }

  /** Ends the file. When this resolves, its content is synced to disk. */
  async finish(): Promise<{ readonly packets: readonly PacketEntry[]; readonly extradata: Buffer }> {
    must(await this.#context.sendFrame(null), 'ending the encoder');
    while (ready(await this.#context.receivePacket(this.#packet), 'encoding')) this.#keep();
    await this.#write();
    const extradata = this.#context.extraData;
    if (!extradata) throw new Error('the encoder gave no header');
    await this.#file.sync();
    return { packets: this.#entries, extradata: Buffer.from(extradata) };
  }

  async close(): Promise<void> {
    this.#graph?.free();
    this.#context.freeContext();
    this.#frame.free();
    this.#converted.free();
    this.#packet.free();
    await this.#file.close();
  }

  #keep(): void {
    const packet = this.#packet;
    packet.rescaleTs(this.#context.timeBase, { num: 1, den: this.#settings.ticks });
    const data = Buffer.from(packet.data as Buffer);
    this.#waiting.push(data);
    this.#waitingBytes += data.length;
    const { pts, dts } = packet;
    this.#entries.push({ bytes: data.length, pts: Number(pts), dts: Number(dts), key: packet.isKeyframe });
    packet.unref();
  }

  async #write(): Promise<void> {
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    await this.#file.writeFile(bytes);
  }
}

function createConversion(settings: EncoderSettings): Promise<Graph> {
  const { width, height } = drawnSize(settings);
  const format = FORMAT_NAMES[pixelsFor(settings)];
  const args = `video_size=${width}x${height}:pix_fmt=${format}:time_base=1/${settings.ticks}`;
  const twice = `scale=${2 * width}:${2 * height}:flags=neighbor`;
  const filters = [twice, 'scale=out_color_matrix=bt709:out_range=tv:flags=fast_bilinear', 'format=yuv420p'];
  return createGraph({ kind: 'buffer', args }, filters, settings.threads);
}

/** @param changed settings of the encoder that differ from ours */
export async function openEncoder(
  settings: EncoderSettings,
  changed: Readonly<Record<string, string | number>> = {},
): Promise<CodecContext> {
  const { size, hevc, fps, ticks, threads } = settings;
  const codec = encoderOf(hevc);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = size.width;
  context.height = size.height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(1, ticks);
  context.framerate = new Rational(Math.round(fps * 1000), 1000);
  // A key frame every two seconds keeps seeking fast.
  context.gopSize = Math.max(1, Math.round(fps * 2));
  context.threadCount = threads;
  context.sampleAspectRatio = new Rational(1, 1);
  context.colorRange = AVCOL_RANGE_MPEG;
  context.colorPrimaries = AVCOL_PRI_BT709;
  context.colorTrc = AVCOL_TRC_BT709;
  context.colorSpace = AVCOL_SPC_BT709;
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const large = size.width * size.height > LARGE_FRAME;
  const options = hevc
    ? {
        ...X265,
        'x265-params': `log-level=none:pools=${threads}${large ? ':rc-lookahead=3:bframes=2:frame-threads=1' : ''}`,
      }
    : { ...X264, ...(large ? { 'rc-lookahead': 5 } : {}), ...changed };
  must(await withOptions(options, (dictionary) => context.open2(codec, dictionary)), 'opening the encoder');
  return context;
}

function encoderOf(hevc: boolean): Codec {
  const codec = Codec.findEncoderByName(hevc ? FF_ENCODER_LIBX265 : FF_ENCODER_LIBX264);
  if (!codec) throw new Error(`this FFmpeg encodes no ${hevc ? 'HEVC' : 'H.264'}`);
  return codec;
}

/** Writes the codec parameters of such a video for a container. */
export function describe(parameters: CodecParameters, { size, hevc }: EncoderSettings, extradata: Buffer) {
  const codec = encoderOf(hevc);
  parameters.codecType = codec.type;
  parameters.codecId = codec.id;
  // Apple players accept HEVC only with this tag.
  if (hevc) parameters.codecTag = 'hvc1';
  parameters.width = size.width;
  parameters.height = size.height;
  parameters.format = AV_PIX_FMT_YUV420P;
  parameters.extradata = extradata;
  parameters.sampleAspectRatio = new Rational(1, 1);
  parameters.colorRange = AVCOL_RANGE_MPEG;
  parameters.colorPrimaries = AVCOL_PRI_BT709;
  parameters.colorTrc = AVCOL_TRC_BT709;
  parameters.colorSpace = AVCOL_SPC_BT709;
}

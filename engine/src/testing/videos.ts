import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_TTF,
  AV_FRAME_FLAG_INTERLACED,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_DOVI_CONF,
  AV_PKT_DATA_FRAME_CROPPING,
  AV_PKT_DATA_STEREO3D,
  AV_SAMPLE_FMT_FLT,
  AVMEDIA_TYPE_ATTACHMENT,
  AVMEDIA_TYPE_SUBTITLE,
} from 'node-av/constants';
import {
  avGetPixFmtFromName,
  avGetSampleFmtName,
  Codec,
  CodecContext,
  Dictionary,
  FormatContext,
  Frame,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import type { Size } from '../types.ts';
import { must, ready, withOptions } from '../video/av.ts';
import { createGraph } from '../video/filter-graph.ts';

/** Language, title and roles of a track. */
export interface TestLabels {
  readonly metadata?: Readonly<Record<string, string>>;
  /** Bits of `AV_DISPOSITION_…`. */
  readonly disposition?: number;
}

export interface TestSound extends TestLabels {
  readonly codec: 'aac' | 'libmp3lame' | 'ac3' | 'pcm_s16le';
  readonly channels: number;
  readonly seconds: number;
  readonly rate?: number;
  /** Name of the channel layout; that of the number of channels by default. */
  readonly layout?: string;
}

export interface TestVideo extends Partial<Size> {
  /** Frame rate; 25 by default. */
  readonly fps?: number;
  readonly frames?: number;
  readonly codec?:
    | 'libx264'
    | 'mpeg4'
    | 'mpeg2video'
    | 'wmv2'
    | 'flv'
    | 'libx265'
    | 'libvpx'
    | 'libvpx-vp9'
    | 'ffv1'
    | 'mjpeg'
    | 'qtrle'
    | 'rawvideo';
  readonly pixelFormat?: string;
  /** Returns the pixels of a frame as packed RGB24; a scene with a moving near square by default. */
  readonly draw?: (frame: number, size: Size) => Uint8Array;
  /** Returns the samples of a frame in `pixelFormat` instead, plane by plane. */
  readonly samples?: (frame: number) => Buffer;
  /** Ticks per second and the tick of each frame, for a variable frame rate. */
  readonly times?: { readonly ticks: number; readonly of: (frame: number) => number };
  /** Duration of the last frame. */
  readonly lastSeconds?: number;
  /** Code points of H.273 in the file's metadata; untagged by default. */
  readonly tags?: {
    readonly matrix?: number;
    readonly primaries?: number;
    readonly transfer?: number;
    readonly range?: number;
  };
  /** Two fields per frame, top first; needs `mpeg2video`. */
  readonly interlaced?: boolean;
  readonly pixelAspect?: readonly [number, number];
  /** (a b / c d) of the display matrix, as integers. */
  readonly matrix?: readonly [number, number, number, number];
  /** Rows and columns that the container cuts off: top, bottom, left, right. */
  readonly cropping?: readonly [number, number, number, number];
  /** `AVStereo3DType` and flags of the container. */
  readonly stereo?: readonly [type: number, flags: number];
  /** Dolby Vision of this profile, compatible with nothing else. */
  readonly dolbyVision?: number;
  /** Metadata of the track of pictures. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Frames of the same codec that follow in the same track; the codec needs its headers in each packet. */
  readonly later?: TestVideo;
  readonly sound?: readonly TestSound[];
  readonly subtitles?: readonly { readonly from: number; readonly to: number; readonly text: string }[];
  /** Labels of the subtitles; with `ass`, the texts are lines of ASS without their times. */
  readonly subtitleTrack?: TestLabels & { readonly ass?: boolean };
  /** Number of tracks with the same subtitles; 1 by default. */
  readonly subtitleTracks?: number;
  /** Number of attached fonts; for MKV. */
  readonly fonts?: number;
  /** Omits the video track. */
  readonly soundOnly?: boolean;
  /** Encoder options. */
  readonly options?: Readonly<Record<string, string | number>>;
}

/** Writes a video; the file extension selects the container. */
export async function writeVideo(path: string, video: TestVideo = {}): Promise<void> {
  const size = { width: video.width ?? 160, height: video.height ?? 90 };
  const format = new FormatContext();
  must(format.allocOutputContext2(null, null, path), 'container');
  const tracks: { stream: Stream; packets: { packet: Packet; seconds: number }[] }[] = [];
  if (!video.soundOnly) {
    const pictures = await encodePictures(video, size);
    const stream = format.newStream();
    must(stream.codecpar.fromContext(pictures.encoder), 'pictures');
    stream.timeBase = pictures.encoder.timeBase;
    stream.avgFrameRate = new Rational(Math.round((video.fps ?? 25) * 1000), 1000);
    if (video.pixelAspect) stream.sampleAspectRatio = new Rational(...video.pixelAspect);
    if (video.matrix) stream.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, displayMatrix(video.matrix));
    if (video.cropping)
      stream.codecpar.addCodedSideData(
        AV_PKT_DATA_FRAME_CROPPING,
        Buffer.from(Uint32Array.from(video.cropping).buffer),
      );
    if (video.stereo) {
      const stereo = Buffer.alloc(36);
      for (const [i, value] of video.stereo.entries()) stereo.writeInt32LE(value, 4 * i);
      stream.codecpar.addCodedSideData(AV_PKT_DATA_STEREO3D, stereo);
    }
    if (video.dolbyVision)
      stream.codecpar.addCodedSideData(AV_PKT_DATA_DOVI_CONF, Buffer.from([1, 0, video.dolbyVision, 1, 1, 0, 1, 0, 0]));
    if (video.metadata) stream.metadata = Dictionary.fromObject(video.metadata);
    const packets = [...pictures.packets];
    if (video.later) {
      const next = video.later;
      const later = await encodePictures(next, { width: next.width ?? 160, height: next.height ?? 90 });
      const from = BigInt(packets.length);
      for (const { packet, seconds } of later.packets) {
        packet.pts += from;
        packet.dts += from;
        packets.push({ packet, seconds: seconds + Number(from) / (video.fps ?? 25) });
      }
    }
    tracks.push({ stream, packets });
  }
  for (const sound of video.sound ?? []) {
    const { encoder, packets } = await encodeSound(sound);
    const track = format.newStream();
    must(track.codecpar.fromContext(encoder), 'sound');
    track.timeBase = encoder.timeBase;
    label(track, sound);
    tracks.push({ stream: track, packets });
  }
  for (let i = 0; video.subtitles && i < (video.subtitleTracks ?? 1); i++) {
    const track = format.newStream();
    track.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
    track.codecpar.codecId = video.subtitleTrack?.ass ? AV_CODEC_ID_ASS : AV_CODEC_ID_SUBRIP;
    if (video.subtitleTrack?.ass) track.codecpar.extradata = Buffer.from(ASS_HEADER);
    track.timeBase = new Rational(1, 1000);
    label(track, video.subtitleTrack ?? {});
    tracks.push({ stream: track, packets: video.subtitles.map(subtitlePacket) });
  }
  for (let i = 0; i < (video.fonts ?? 0); i++) {
    const font = format.newStream();
    font.codecpar.codecType = AVMEDIA_TYPE_ATTACHMENT;
    font.codecpar.codecId = AV_CODEC_ID_TTF;
    font.codecpar.extradata = Buffer.from('font');
    font.metadata = Dictionary.fromObject({ filename: `${i}.ttf`, mimetype: 'font/ttf' });
  }
  const bases = tracks.map(({ stream: { timeBase } }) => ({ num: timeBase.num, den: timeBase.den }));
  must(await format.openOutput(), 'opening');
  must(await withOptions({ strict: 'unofficial' }, (options) => format.writeHeader(options)), 'header');
  const queue = tracks.flatMap(({ packets }, track) => packets.map((one) => ({ ...one, track })));
  for (const { packet, track } of queue.sort((a, b) => a.seconds - b.seconds)) {
    const target = (tracks[track] as (typeof tracks)[number]).stream;
    packet.streamIndex = target.index;
    packet.rescaleTs(bases[track] as (typeof bases)[number], target.timeBase);
    must(await format.interleavedWriteFrame(packet), 'packet');
  }
  must(await format.writeTrailer(), 'trailer');
  await format.closeOutput();
  format.freeContext();
}

const ASS_HEADER = '[Script Info]\nScriptType: v4.00+\n[Events]\nFormat: Layer, Start, End, Style, Text\n';

function label(track: Stream, { metadata, disposition }: TestLabels): void {
  if (metadata) track.metadata = Dictionary.fromObject(metadata);
  if (disposition !== undefined) track.disposition = disposition as typeof track.disposition;
}

async function encodePictures(video: TestVideo, size: Size) {
  const { fps = 25, frames = 50, codec: name = 'libx264', pixelFormat = 'yuv420p' } = video;
  const codec = Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0]);
  if (!codec) throw new Error(`no encoder ${name}`);
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = size.width;
  encoder.height = size.height;
  encoder.pixelFormat = avGetPixFmtFromName(pixelFormat);
  encoder.timeBase = video.times ? new Rational(1, video.times.ticks) : rateOf(fps);
  encoder.framerate = new Rational(Math.round(fps * 1000), 1000);
  encoder.threadCount = 1;
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  const { tags = {} } = video;
  if (tags.matrix !== undefined) encoder.colorSpace = tags.matrix as typeof encoder.colorSpace;
  if (tags.primaries !== undefined) encoder.colorPrimaries = tags.primaries as typeof encoder.colorPrimaries;
  if (tags.transfer !== undefined) encoder.colorTrc = tags.transfer as typeof encoder.colorTrc;
  if (tags.range !== undefined) encoder.colorRange = tags.range as typeof encoder.colorRange;
  if (video.pixelAspect) encoder.sampleAspectRatio = new Rational(...video.pixelAspect);
  const quick = name === 'libx264' || name === 'libx265' ? { preset: 'ultrafast' } : {};
  const quiet = name === 'libx265' ? { 'x265-params': 'log-level=none:pools=1' } : {};
  const interlaced = video.interlaced ? { flags: '+ildct+ilme' } : {};
  const options = { ...quick, ...quiet, ...interlaced, ...video.options };
  must(await withOptions(options, (dictionary) => encoder.open2(codec, dictionary)), name);
  const matrix = tags.matrix === 5 || tags.matrix === 6 || (tags.matrix === undefined && size.height < 720);
  const range = tags.range === 2 ? 'pc' : 'tv';
  const graph = await createGraph(
    { kind: 'buffer', args: `video_size=${size.width}x${size.height}:pix_fmt=rgb24:time_base=1/25` },
    [
      `scale=out_color_matrix=${matrix ? 'bt601' : 'bt709'}:out_range=${range}:flags=bicubic+accurate_rnd+full_chroma_int`,
      `format=${pixelFormat}`,
    ],
    1,
  );
  const packets: { packet: Packet; seconds: number }[] = [];
  const drain = async () => {
    for (;;) {
      const packet = new Packet();
      packet.alloc();
      if (!ready(await encoder.receivePacket(packet), 'encoding')) return packet.free();
      const { num, den } = encoder.timeBase;
      packets.push({ packet, seconds: (Number(packet.dts) * num) / den });
    }
  };
  const converted = new Frame();
  converted.alloc();
  for (let i = 0; i < frames; i++) {
    const own = video.samples?.(i);
    let frame: Frame;
    if (own) frame = Frame.fromVideoBuffer(own, { ...size, format: encoder.pixelFormat });
    else {
      const rgb = Buffer.from((video.draw ?? drawMoving)(i, size));
      const drawn = Frame.fromVideoBuffer(rgb, { ...size, format: avGetPixFmtFromName('rgb24') });
      await graph.put(drawn);
      drawn.free();
      if (!(await graph.take(converted))) throw new Error('no frame');
      frame = converted;
    }
    // Encoders reject equal timestamps; where each packet is one frame in order, they are set afterwards.
    frame.pts = BigInt(video.times && name !== 'mjpeg' ? video.times.of(i) : i);
    if (video.interlaced) frame.setFlags(AV_FRAME_FLAG_INTERLACED, AV_FRAME_FLAG_TOP_FIELD_FIRST);
    must(await encoder.sendFrame(frame), 'encoding');
    if (own) frame.free();
    else frame.unref();
    await drain();
  }
  must(await encoder.sendFrame(null), 'encoding');
  await drain();
  graph.free();
  converted.free();
  const { num, den } = encoder.timeBase;
  const last = packets.reduce((a, b) => (b.packet.pts > a.packet.pts ? b : a)).packet;
  if (video.lastSeconds) last.duration = BigInt(Math.round((video.lastSeconds * den) / num));
  if (video.times && name === 'mjpeg')
    for (const [i, one] of packets.entries()) {
      const time = video.times.of(i);
      one.packet.pts = BigInt(time);
      one.packet.dts = BigInt(time);
      one.seconds = time / video.times.ticks;
    }
  return { encoder, packets };
}

/** Returns the time base of a frame rate: 1/fps for integers, otherwise an NTSC fraction (1001/n). */
function rateOf(fps: number): Rational {
  return Number.isInteger(fps) ? new Rational(1, fps) : new Rational(1001, Math.round(fps * 1001));
}

async function encodeSound({
  codec: name,
  channels,
  seconds,
  rate = 48_000,
  layout = layoutName(channels),
}: TestSound) {
  const codec = Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0]);
  if (!codec) throw new Error(`no encoder ${name}`);
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  const [sampleFormat] = codec.sampleFormats ?? [AV_SAMPLE_FMT_FLT];
  encoder.sampleFormat = sampleFormat as typeof encoder.sampleFormat;
  encoder.sampleRate = rate;
  encoder.timeBase = new Rational(1, rate);
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  must(await withOptions({ ch_layout: layout }, (options) => encoder.open2(codec, options)), name);
  const graph = await createGraph(
    { kind: 'abuffer', args: `time_base=1/${rate}:sample_rate=${rate}:sample_fmt=flt:channel_layout=${layout}` },
    [
      `aformat=sample_fmts=${avGetSampleFmtName(encoder.sampleFormat)}:channel_layouts=${layout}`,
      `asetnsamples=n=${encoder.frameSize || 1024}:p=0`,
    ],
    1,
  );
  const packets: { packet: Packet; seconds: number }[] = [];
  const drain = async () => {
    for (;;) {
      const packet = new Packet();
      packet.alloc();
      if (!ready(await encoder.receivePacket(packet), 'encoding')) return packet.free();
      packets.push({ packet, seconds: Number(packet.dts) / rate });
    }
  };
  const total = Math.round(seconds * rate);
  const samples = new Float32Array(total * channels);
  for (let i = 0; i < total; i++)
    for (let c = 0; c < channels; c++)
      samples[i * channels + c] = 0.3 * Math.sin((2 * Math.PI * 220 * (c + 1) * i) / rate);
  const frame = Frame.fromAudioBuffer(Buffer.from(samples.buffer), {
    nbSamples: total,
    format: AV_SAMPLE_FMT_FLT,
    sampleRate: rate,
    channelLayout: encoder.channelLayout,
  });
  frame.pts = 0n;
  await graph.put(frame);
  await graph.end();
  frame.free();
  const framed = new Frame();
  framed.alloc();
  while (await graph.take(framed)) {
    must(await encoder.sendFrame(framed), 'encoding');
    framed.unref();
    await drain();
  }
  must(await encoder.sendFrame(null), 'encoding');
  await drain();
  graph.free();
  framed.free();
  return { encoder, packets };
}

function layoutName(channels: number): string {
  return ['mono', 'stereo', '2.1', '4.0', '5.0', '5.1'][channels - 1] ?? `${channels}c`;
}

function subtitlePacket({ from, to, text }: { from: number; to: number; text: string }) {
  const packet = new Packet();
  packet.alloc();
  packet.data = Buffer.from(text);
  packet.pts = BigInt(Math.round(from * 1000));
  packet.dts = packet.pts;
  packet.duration = BigInt(Math.round((to - from) * 1000));
  packet.isKeyframe = true;
  return { packet, seconds: from };
}

function displayMatrix([a, b, c, d]: readonly [number, number, number, number]): Buffer {
  const matrix = Buffer.alloc(36);
  for (const [at, value] of [a, b, 0, c, d, 0, 0, 0].entries()) matrix.writeInt32LE(value * 65_536, at * 4);
  matrix.writeInt32LE(1 << 30, 32);
  return matrix;
}

/** Draws soft stripes with a bright square that moves to the right and has a red corner. */
export function drawMoving(frame: number, { width, height }: Size): Uint8Array {
  const rgb = new Uint8Array(width * height * 3);
  const side = Math.round(Math.min(width, height) / 3);
  const left = Math.round((width - side) * ((frame % 50) / 50));
  const top = Math.round((height - side) / 2);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inside = x >= left && x < left + side && y >= top && y < top + side;
      const marked = inside && x < left + side / 3 && y < top + side / 3;
      const ground = 60 + Math.round((80 * x) / width) + (((x >> 3) + (y >> 3)) % 2) * 24;
      const at = (y * width + x) * 3;
      rgb[at] = marked ? 220 : inside ? 230 : ground;
      rgb[at + 1] = marked ? 30 : inside ? 225 : ground;
      rgb[at + 2] = marked ? 30 : inside ? 200 : Math.min(255, ground + 30);
    }
  return rgb;
}

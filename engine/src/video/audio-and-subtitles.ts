import type { PLAIN_NOTES } from '@framelift/contract';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_MOV_TEXT,
  AV_DISPOSITION_CAPTIONS,
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_DESCRIPTIONS,
  AV_DISPOSITION_DUB,
  AV_DISPOSITION_FORCED,
  AV_DISPOSITION_HEARING_IMPAIRED,
  AV_DISPOSITION_ORIGINAL,
  AV_DISPOSITION_VISUAL_IMPAIRED,
  AV_SAMPLE_FMT_FLTP,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_SUBTITLE,
  FF_ENCODER_AAC,
} from 'node-av/constants';
import {
  avGetSampleFmtName,
  Codec,
  CodecContext,
  Dictionary,
  type FormatContext,
  Frame,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import { asDamage, inSeconds, must, NO_TIME, ready, type TimeBase, withOptions } from './av.ts';
import { createGraph, type Graph } from './filter-graph.ts';
import { openFormat, type Video } from './open-video.ts';
import { soundLayout } from './sound-layout.ts';
import { CueTimeline, isTextSubtitle, plainText, TEXT_STYLE, timedText } from './subtitles.ts';

/** Sample rates supported by AAC. */
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000];
const BITS_PER_CHANNEL = 80_000;
const SAMPLES_PER_FRAME = 1024;
/** Largest gap between two packets, and largest packet duration: far above real tracks, far below the limits of MP4. */
const LONGEST_SECONDS = 6 * 3600;

type TrackNote = (typeof PLAIN_NOTES)[number];

/** Time of the last packet of a track in its time base, and the end of all of them in seconds. */
interface Given {
  readonly time: bigint;
  readonly end: number;
}

/** An audio or subtitle track and its conversion for the output file. */
interface Track {
  readonly stream: Stream;
  readonly sound: boolean;
  readonly timeBase: TimeBase;
  /** Whether players show or play it without being asked. */
  readonly isDefault: boolean;
  /** Writes the codec parameters of the target stream. */
  describe(target: Stream): void;
  /** Converts a source packet (null at the end) to target packets, which the caller frees. */
  convert(packet: Packet | null): Promise<Packet[]>;
  free(): void;
}

export interface TrackPacket {
  /** Index among `AudioAndSubtitles.tracks`. */
  readonly track: number;
  readonly packet: Packet;
  readonly timeBase: TimeBase;
  /** Seconds from the start of the video. */
  readonly seconds: number;
}

/** Reads the audio and subtitle packets of a video, in file order. */
export interface AudioAndSubtitles {
  readonly tracks: readonly Pick<Track, 'describe' | 'timeBase' | 'isDefault' | 'sound'>[];
  /** Codes of what has been dropped so far. */
  readonly notes: readonly TrackNote[];
  /** Number of audio tracks with at least one packet so far; damaged ones may have none. */
  readonly soundGiven: number;
  /** End of the audio so far, in seconds from the start of the video. */
  readonly soundEnd: number;
  next(): Promise<TrackPacket | null>;
  close(): Promise<void>;
}

/**
 * Opens the audio and subtitle tracks. Copies AAC, encodes other audio as AAC with the same number of channels, and
 * converts text subtitles to MP4 timed text.
 */
export async function openAudioAndSubtitles(video: Video): Promise<AudioAndSubtitles> {
  const format = await openFormat(video.path, video.type);
  const notes = new Set<TrackNote>();
  const tracks: Track[] = [];
  const close = async () => {
    for (const track of tracks) track.free();
    await format.closeInput();
  };
  try {
    must(await format.findStreamInfo(), 'reading the tracks');
    for (const stream of format.streams) {
      const track = await trackOf(video, stream, notes);
      if (track) tracks.push(labelled(track));
      else stream.discard = AVDISCARD_ALL;
    }
  } catch (error) {
    await close();
    throw asDamage(error);
  }
  const given = new Map<Track, Given>();
  return {
    tracks,
    get notes() {
      return [...notes];
    },
    get soundGiven() {
      return [...given.keys()].filter(({ sound }) => sound).length;
    },
    get soundEnd() {
      return Math.max(0, ...[...given].map(([{ sound }, { end }]) => (sound ? end : 0)));
    },
    next: packetsOf(video, format, tracks, { notes, given }),
    close,
  };
}

async function trackOf(video: Video, stream: Stream, notes: Set<TrackNote>): Promise<Track | null> {
  if (video.subtitles.includes(stream.index)) {
    if (isTextSubtitle(stream)) return textTrack(stream);
    notes.add('subtitlesLeftOut');
    return null;
  }
  if (!video.sound.includes(stream.index)) return null;
  const { codecId, extradataSize } = stream.codecpar;
  // AAC without its header in the container uses another framing, which MP4 does not accept.
  if (codecId === AV_CODEC_ID_AAC && extradataSize > 0 && video.type !== 'avi') return copiedTrack(stream);
  const track = await encodedTrack(stream).catch(() => null);
  if (!track) notes.add('soundLeftOut');
  return track;
}

/** Roles of a track that players offer. `DEFAULT` makes it play without being chosen. */
const ROLES =
  AV_DISPOSITION_DEFAULT |
  AV_DISPOSITION_FORCED |
  AV_DISPOSITION_COMMENT |
  AV_DISPOSITION_DUB |
  AV_DISPOSITION_ORIGINAL |
  AV_DISPOSITION_HEARING_IMPAIRED |
  AV_DISPOSITION_VISUAL_IMPAIRED |
  AV_DISPOSITION_CAPTIONS |
  AV_DISPOSITION_DESCRIPTIONS;

/** Lets a track keep its language, its title and its roles. */
function labelled(track: Track): Track {
  const { metadata, disposition } = track.stream;
  const tag = (name: string) => metadata?.get(name) ?? undefined;
  const title = tag('title') ?? tag('name');
  const labels = { language: tag('language'), title, handler_name: title ?? tag('handler_name') };
  return {
    ...track,
    isDefault: (disposition & AV_DISPOSITION_DEFAULT) !== 0,
    describe(target) {
      track.describe(target);
      target.metadata = Dictionary.fromObject(labels);
      target.disposition = (disposition & ROLES) as typeof disposition;
    },
  };
}

function packetsOf(
  video: Video,
  format: FormatContext,
  tracks: readonly Track[],
  { notes, given }: { readonly notes: Set<TrackNote>; readonly given: Map<Track, Given> },
) {
  const made: TrackPacket[] = [];
  let ended = tracks.length === 0;
  const push = (track: Track, packets: readonly Packet[]) => {
    for (const packet of packets) {
      const { num, den } = track.timeBase;
      const zero = BigInt(Math.round((video.start * den) / num));
      if (packet.pts !== NO_TIME) packet.pts -= zero;
      if (packet.dts !== NO_TIME) packet.dts -= zero;
      const time = packet.dts === NO_TIME ? packet.pts : packet.dts;
      if (!isTimed(packet, time, track, given.get(track)?.time)) {
        packet.free();
        notes.add(track.sound ? 'soundDamaged' : 'filmDamagedInPart');
        continue;
      }
      const end = inSeconds(time + packet.duration, track.timeBase);
      given.set(track, { time, end: Math.max(end, given.get(track)?.end ?? 0) });
      made.push({
        track: tracks.indexOf(track),
        packet,
        timeBase: track.timeBase,
        seconds: inSeconds(time, track.timeBase),
      });
    }
  };
  const convert = async (track: Track, packet: Packet | null) => {
    try {
      push(track, await track.convert(packet));
    } catch {
      notes.add('soundDamaged');
    }
  };
  const packet = new Packet();
  packet.alloc();
  return async function next(): Promise<TrackPacket | null> {
    while (made.length === 0 && !ended) {
      if ((await format.readFrame(packet)) < 0) {
        ended = true;
        packet.free();
        for (const track of tracks) await convert(track, null);
        break;
      }
      const track = tracks.find(({ stream }) => stream.index === packet.streamIndex);
      if (track) await convert(track, packet);
      packet.unref();
    }
    return made.shift() ?? null;
  };
}

/**
 * Returns whether a packet has valid times. Damaged videos have decreasing times or durations of a year: MP4 rejects
 * both, which would fail the whole video.
 */
function isTimed(packet: Packet, time: bigint, track: Track, before: bigint | undefined): boolean {
  if (time === NO_TIME || (packet.pts !== NO_TIME && packet.pts < time)) return false;
  // Subtitles may start at the same time.
  if (before !== undefined && (time < before || (track.sound && time === before))) return false;
  const within = (span: bigint) => Math.abs(inSeconds(span, track.timeBase)) < LONGEST_SECONDS;
  return within(time - (before ?? 0n)) && within(packet.duration);
}

function copiedTrack(stream: Stream): Track {
  return {
    stream,
    sound: true,
    isDefault: false,
    timeBase: { num: stream.timeBase.num, den: stream.timeBase.den },
    describe(target) {
      must(stream.codecpar.copy(target.codecpar), 'describing the sound');
      target.codecpar.codecTag = 0;
    },
    async convert(packet) {
      const copy = packet?.clone();
      return copy ? [copy] : [];
    },
    free() {},
  };
}

function textTrack(stream: Stream): Track {
  const { codecId, extradata } = stream.codecpar;
  const cues = new CueTimeline();
  const inMilliseconds = (time: bigint) => Math.round(1000 * inSeconds(time, stream.timeBase));
  return {
    stream,
    sound: false,
    isDefault: false,
    timeBase: { num: 1, den: 1000 },
    describe(target) {
      target.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
      target.codecpar.codecId = AV_CODEC_ID_MOV_TEXT;
      target.codecpar.extradata = codecId === AV_CODEC_ID_MOV_TEXT && extradata ? extradata : TEXT_STYLE;
    },
    async convert(source) {
      if (codecId !== AV_CODEC_ID_MOV_TEXT) {
        if (!source) return cues.end().map(({ from, to, text }) => samplePacket(timedText(text), from, to - from));
        if (!source.data || source.pts === NO_TIME) return [];
        const text = plainText(source.data.toString('utf8'), codecId);
        const from = inMilliseconds(source.pts);
        const shown = cues.add({ from, to: from + inMilliseconds(source.duration), text });
        return shown.map(({ from, to, text }) => samplePacket(timedText(text), from, to - from));
      }
      if (!source?.data || source.pts === NO_TIME) return [];
      return [samplePacket(Buffer.from(source.data), inMilliseconds(source.pts), inMilliseconds(source.duration))];
    },
    free() {},
  };
}

/** Returns a packet of a text track, in milliseconds. */
function samplePacket(data: Buffer, from: number, duration: number): Packet {
  const packet = new Packet();
  packet.alloc();
  packet.data = data;
  packet.pts = BigInt(from);
  packet.dts = packet.pts;
  packet.duration = BigInt(duration);
  packet.isKeyframe = true;
  return packet;
}

async function encodedTrack(stream: Stream): Promise<Track> {
  const decoderCodec = Codec.findDecoder(stream.codecpar.codecId);
  const encoderCodec = Codec.findEncoderByName(FF_ENCODER_AAC);
  if (!decoderCodec || !encoderCodec) throw new Error('no decoder for this sound');
  const decoder = new CodecContext();
  decoder.allocContext3(decoderCodec);
  must(decoder.parametersToContext(stream.codecpar), 'sound parameters');
  decoder.pktTimebase = stream.timeBase;
  must(await decoder.open2(decoderCodec), 'opening the sound');

  const { target, channels } = soundLayout(stream.codecpar.channelLayout);
  const source = stream.codecpar.sampleRate;
  const rate = RATES.includes(source) ? source : 48_000;
  const encoder = new CodecContext();
  encoder.allocContext3(encoderCodec);
  encoder.sampleFormat = AV_SAMPLE_FMT_FLTP;
  encoder.sampleRate = rate;
  encoder.timeBase = new Rational(1, rate);
  encoder.bitRate = BigInt(BITS_PER_CHANNEL * channels);
  encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  must(
    await withOptions({ ch_layout: target }, (options) => encoder.open2(encoderCodec, options)),
    'opening the AAC encoder',
  );

  const frame = new Frame();
  frame.alloc();
  const framed = new Frame();
  framed.alloc();
  let graph: Graph | null = null;
  let key = '';
  const encode = async (out: Packet[], from: Frame | null) => {
    must(await encoder.sendFrame(from), 'encoding sound');
    for (;;) {
      const packet = new Packet();
      packet.alloc();
      if (!ready(await encoder.receivePacket(packet), 'encoding sound')) return packet.free();
      out.push(packet);
    }
  };
  const takeFramed = async (out: Packet[]) => {
    while (await graph?.take(framed)) {
      await encode(out, framed);
      framed.unref();
    }
  };
  return {
    stream,
    sound: true,
    isDefault: false,
    timeBase: { num: 1, den: rate },
    describe(target) {
      must(target.codecpar.fromContext(encoder), 'describing the sound');
    },
    async convert(packet) {
      const out: Packet[] = [];
      // A damaged packet loses only its own samples; the resampler fills the gap.
      if ((await decoder.sendPacket(packet)) < 0 && packet) return out;
      while ((await decoder.receiveFrame(frame)) >= 0) {
        const seen = `${frame.sampleRate} ${frame.format} ${soundLayout(frame.channelLayout).source}`;
        if (seen !== key) {
          // A broadcast changes from stereo to surround.
          await graph?.end();
          await takeFramed(out);
          graph?.free();
          graph = await soundGraph(frame, stream.timeBase, rate, target);
          key = seen;
        }
        await graph?.put(frame);
        frame.unref();
        await takeFramed(out);
      }
      if (!packet && graph) {
        await graph.end();
        await takeFramed(out);
        await encode(out, null);
      }
      return out;
    },
    free() {
      graph?.free();
      frame.free();
      framed.free();
      decoder.freeContext();
      encoder.freeContext();
    },
  };
}

/** Creates a graph that fills gaps and splits audio into AAC frames, preserving timestamps. */
function soundGraph(frame: Frame, { num, den }: TimeBase, rate: number, target: string): Promise<Graph> {
  const { source, target: own, mix } = soundLayout(frame.channelLayout);
  const args = [
    `time_base=${num}/${den}`,
    `sample_rate=${frame.sampleRate}`,
    `sample_fmt=${avGetSampleFmtName(frame.format as Parameters<typeof avGetSampleFmtName>[0])}`,
    `channel_layout=${source}`,
  ].join(':');
  return createGraph(
    { kind: 'abuffer', args },
    [
      ...(mix && own === target ? [mix] : []),
      `aresample=${rate}:async=1`,
      `aformat=sample_fmts=fltp:channel_layouts=${target}`,
      `asetnsamples=n=${SAMPLES_PER_FRAME}:p=0`,
    ],
    1,
  );
}

import { mayBeAnimated } from '@framelift/contract/animation';
import type { PairChoice } from '@framelift/contract/formats';
import {
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_DISPOSITION_ATTACHED_PIC,
  AV_FRAME_DATA_DISPLAYMATRIX,
  AV_FRAME_DATA_DOVI_METADATA,
  AV_FRAME_DATA_STEREO3D,
  AV_FRAME_DATA_VIEW_ID,
  AV_FRAME_FLAG_INTERLACED,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_DOVI_CONF,
  AV_PKT_DATA_FRAME_CROPPING,
  AV_PKT_DATA_STEREO3D,
  AV_PROFILE_H264_BASELINE,
  AV_PROFILE_H264_HIGH,
  AV_PROFILE_H264_MAIN,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { avGetCodecName, FormatContext, Frame, InputFormat, Packet, type Stream } from 'node-av/lib';
import { EngineError } from '../errors.ts';
import { isSqueezed } from '../formats/pair-halves.ts';
import { layoutOf, type PairPlaces, packingOf, pairPlaces } from '../formats/pair-places.ts';
import type { Rect, Size } from '../types.ts';
import { inSeconds, must, NO_TIME, type TimeBase, withOptions } from './av.ts';
import { type Colour, colourOf, iptColour, isHdr } from './colour.ts';
import { openDecoder } from './decode.ts';
import { isIpt } from './dolby-vision.ts';
import {
  areApart,
  baseIsRight,
  chosenEye,
  containerCrop,
  type Eye,
  type EyeDoubt,
  eyeSize,
  eyeStretch,
  type Stereo,
  stereoBox,
  stereoOf,
} from './eye.ts';
import { holdsMvc, secondView } from './eyes-apart.ts';
import type { VideoLimits } from './limits.ts';
import { exchangesEyes, NO_ROTATION, type Rotation, rotationOf, shownLayout, uprightAspect } from './rotation.ts';
import { ShownTimes } from './shown-times.ts';
import { videoTypeOf } from './sniff.ts';
import { isTextSubtitle } from './subtitles.ts';
import { untaggedEye } from './untagged-eye.ts';
import type { VideoInfo, VideoType } from './video-info.ts';

/** FFmpeg demuxer names; no other demuxer is tried. */
const DEMUXERS: Readonly<Record<VideoType, string>> = {
  mp4: 'mov',
  mov: 'mov',
  '3gp': 'mov',
  mkv: 'matroska',
  webm: 'matroska',
  avi: 'avi',
  wmv: 'asf',
  flv: 'flv',
  ts: 'mpegts',
  mpg: 'mpeg',
  gif: 'gif',
  webp: 'webp_anim',
  png: 'apng',
};
/** An APNG without a delay is shown as browsers do, see `ShownTimes`. */
const PNG_OPTIONS = { default_fps: '10' };
/** An animation is shown again and again: the video of a short one repeats it whole until it lasts so many seconds. */
const SHORTEST_ANIMATION = 3;
/** Number of video packets that may fail before the video counts as damaged. */
const PATIENCE = 300;
/**
 * Frame rate of the fastest videos played at their own speed. More means a damaged header: such a video would end at
 * once.
 */
const MOST_FPS = 1000;
/** A decoder holds back less than this, in seconds. More is a gap in the video. */
const MOST_LATE = 1;
const WHITE = '#ffffff';
const NO_DATA = Buffer.alloc(0);
/** A video of both eyes, of which the decoder gives one. */
const ONE_OF_TWO = { eye: null };
const MICROSECONDS: TimeBase = { num: 1, den: 1_000_000 };

/** Properties of a video from its headers and its first decoded frame. Tracks are identified by index. */
export interface Video {
  readonly path: string;
  readonly type: VideoType;
  readonly pictures: Pictures;
  readonly sound: readonly number[];
  readonly subtitles: readonly number[];
  /** Start time of the first track, in seconds: the video's time origin. */
  readonly start: number;
  /** Seconds that the headers promise for the pictures; 0 if they do not. */
  readonly promised: number;
  /** How often the file is shown, and how long each time: more than once only for short animations. */
  readonly rounds: { readonly count: number; readonly seconds: number };
  /** Colour behind transparent parts, `#rrggbb`. */
  readonly ground: string;
  readonly info: VideoInfo;
}

/** What is known about a video before its pictures are looked at. */
export interface VideoHints {
  /** Name of the file for people, which may say how it is packed. */
  readonly name?: string | undefined;
  /** What the member says; `flat` takes whole frames, whatever they hold. */
  readonly pair?: PairChoice | undefined;
  /** Colour behind transparent parts; white by default. */
  readonly ground?: string | undefined;
}

export interface Pictures {
  readonly track: number;
  readonly timeBase: TimeBase;
  /**
   * Seconds by which the decoder's times are late. AVI stores no presentation times: the decoder counts from the packet
   * that completes a frame, but the first frame is shown when the first packet is due.
   */
  readonly late: number;
  /** Stored frame size. */
  readonly coded: Size;
  /** Upright size, with square pixels. */
  readonly shown: Size;
  /** The part of a stored frame that the container shows; null for all of it. */
  readonly clean: Rect | null;
  /** The part that the left eye sees, if the video is 3D already. */
  readonly eye: Eye | null;
  /** Whether the video is 3D already: one eye of it is shown. */
  readonly stereo: boolean;
  /** Eyes that nothing but the pictures themselves tells, see `findEyes`; null if there is no doubt. */
  readonly doubt: EyeDoubt | null;
  /** Width of a stored pixel divided by its height. */
  readonly pixelAspect: number;
  /** Pixel aspect that the first frame itself states; 0 if none. */
  readonly statedAspect: number;
  readonly turn: Rotation;
  readonly colour: Colour;
  /** Whether the samples are Dolby's IPT; its frames state how to read them. */
  readonly ipt: boolean;
  /** Whether the first of them does not state it. */
  readonly coloursUncertain: boolean;
  readonly interlaced: boolean;
}

/**
 * Reads the properties of a video file.
 * @throws {EngineError} `fileEmpty`, `notAFilm`, `filmDamaged`, `filmWithoutPictures`, `filmTooLarge`, `filmTooLong`
 */
export async function examineVideo(path: string, limits: VideoLimits, hints: VideoHints = {}): Promise<Video> {
  const type = await typeOf(path);
  try {
    const seen = await reading(path, type, (format) => examine(format, { path, type, limits, hints }));
    const animated = mayBeAnimated(type);
    // The header of an animation states no duration, or that of the frames which have a delay.
    const once =
      seen.seconds > 0 && !animated
        ? seen
        : await reading(path, type, (format) => walk(format, seen, { type, limits }));
    const isShort = animated && once.seconds > 0 && once.seconds < SHORTEST_ANIMATION;
    const rounds = { count: isShort ? Math.ceil(SHORTEST_ANIMATION / once.seconds) : 1, seconds: once.seconds };
    const [seconds, stored] = [once.seconds * rounds.count, once.frames * rounds.count];
    if (seconds > limits.maxSeconds)
      throw new EngineError('filmTooLong', `${Math.round(seconds)} s; at most ${limits.maxSeconds} s are read`);
    // Of eyes that take turns, two stored frames are one.
    const each = seen.pictures.eye?.packing === 'turns' ? 2 : 1;
    const frames = Math.ceil(stored / each);
    const fps = (!animated && seen.fps / each) || (seconds > 0 && frames > 0 ? frames / seconds : 25);
    if (fps > MOST_FPS) throw new EngineError('filmDamaged', `${Math.round(fps)} frames a second`);
    const { pictures, start, sound, subtitles, video, audio, browserCodecs } = seen;
    const info: VideoInfo = {
      type,
      ...pictures.shown,
      pair: pairOf(pictures),
      seconds,
      fps,
      frames: frames || Math.max(1, Math.round((seen.pictureSeconds || seconds) * fps)),
      video,
      audio,
      rotation: pictures.turn.rotation,
      hdr: isHdr(pictures.colour),
      interlaced: pictures.interlaced,
      // Browsers would show both eyes.
      playable: browserCodecs && !pictures.eye && (type === 'mp4' || type === 'mov'),
    };
    const { ground = WHITE } = hints;
    const promised = animated ? 0 : seen.promised;
    return { path, type, pictures, sound, subtitles, start, promised, rounds, ground, info };
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('filmDamaged', (error as Error).message, { cause: error });
  }
}

/** Returns where both eyes are in whole frames as players show them; null unless they are whole halves of them. */
function pairOf({ eye, turn, clean, coded, pixelAspect, shown }: Pictures): PairPlaces | null {
  if (!eye) return null;
  if (areApart(eye)) {
    // Players show one eye, or one after the other: a crop is that of either.
    const all = { x: 0, y: 0, ...shown };
    return { layout: layoutOf('sideBySide', eye.second), left: all, right: all, shown };
  }
  if (eye.packing !== 'sideBySide' && eye.packing !== 'topBottom') return null;
  const { width, height } = clean ?? coded;
  const stored = { width: Math.round(width * pixelAspect), height };
  const whole = turn.sideways ? { width: stored.height, height: stored.width } : stored;
  const places = pairPlaces(whole, shownLayout(layoutOf(eye.packing, eye.second), turn), eye.squeezed);
  return places && { ...places, shown };
}

async function typeOf(path: string): Promise<VideoType> {
  const type = await videoTypeOf(path);
  if (type === 'empty') throw new EngineError('fileEmpty', 'the file is empty');
  if (type === null) throw new EngineError('notAFilm', 'none of the known containers');
  return type;
}

/** Opens a container of a known type. It cannot reference any other file. */
export async function openFormat(path: string, type: VideoType): Promise<FormatContext> {
  const format = new FormatContext();
  const demuxer = DEMUXERS[type];
  const options = { protocol_whitelist: 'file', format_whitelist: demuxer, ...(type === 'png' && PNG_OPTIONS) };
  const code = await withOptions(options, (dictionary) =>
    format.openInput(`file:${path}`, InputFormat.findInputFormat(demuxer), dictionary),
  );
  if (code < 0) throw new EngineError('filmDamaged', `the container cannot be opened (${code})`);
  return format;
}

/** Opens the container, reads its tracks, and closes it after use. */
export async function reading<T>(
  path: string,
  type: VideoType,
  use: (format: FormatContext) => Promise<T>,
): Promise<T> {
  const format = await openFormat(path, type);
  try {
    must(await format.findStreamInfo(), 'reading the tracks');
    return await use(format);
  } finally {
    await format.closeInput();
  }
}

interface VideoFile {
  readonly path: string;
  readonly type: VideoType;
  readonly limits: VideoLimits;
  readonly hints: VideoHints;
}

async function examine(format: FormatContext, file: VideoFile) {
  const { limits } = file;
  const { streams } = format;
  const track = format.findBestStream(AVMEDIA_TYPE_VIDEO);
  const stream = streams[track];
  if (!stream || stream.disposition & AV_DISPOSITION_ATTACHED_PIC)
    throw new EngineError('filmWithoutPictures', 'no track of pictures');
  assertSize(stream.codecpar, limits);
  const first = await firstFrame(format, stream, file);
  const { num, den } = stream.avgFrameRate;
  const sound = streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  const subtitles = streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_SUBTITLE);
  // Attached fonts and covers, other videos, data and pictures of subtitles are never read.
  const tracks = 1 + sound.length + subtitles.filter(isTextSubtitle).length;
  if (tracks > limits.maxStreams)
    throw new EngineError('filmTooLarge', `${tracks} tracks; at most ${limits.maxStreams} are read`);
  return {
    pictures: { track, timeBase: { num: stream.timeBase.num, den: stream.timeBase.den }, ...first } satisfies Pictures,
    start: format.startTime === NO_TIME ? 0 : inSeconds(format.startTime, MICROSECONDS),
    seconds: format.duration === NO_TIME ? 0 : inSeconds(format.duration, MICROSECONDS),
    frames: Number(stream.nbFrames),
    promised: promisedSeconds(format, stream),
    pictureSeconds: stream.duration === NO_TIME ? 0 : inSeconds(stream.duration, stream.timeBase),
    fps: num > 0 && den > 0 ? num / den : 0,
    sound: sound.map(({ index }) => index),
    subtitles: subtitles.map(({ index }) => index),
    video: codecName(stream),
    audio: sound.map((one) => ({ codec: codecName(one), channels: one.codecpar.channels })),
    browserCodecs: browsersPlay(stream, sound),
  };
}

/**
 * Returns the duration of the pictures by the headers: their own, or that of a container which holds nothing else that
 * could last longer. Subtitles may end after the video.
 */
function promisedSeconds(format: FormatContext, stream: Stream): number {
  const tag = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(stream.metadata?.get('DURATION') ?? '');
  const start = format.startTime === NO_TIME ? 0 : inSeconds(format.startTime, MICROSECONDS);
  if (tag) return Number(tag[1]) * 3600 + Number(tag[2]) * 60 + Number(tag[3]) - start;
  if (stream.duration !== NO_TIME) {
    const begins = stream.startTime === NO_TIME ? start : inSeconds(stream.startTime, stream.timeBase);
    return inSeconds(stream.duration, stream.timeBase) + begins - start;
  }
  const alone = format.streams.every(
    ({ index, codecpar }) => index === stream.index || codecpar.codecType === AVMEDIA_TYPE_AUDIO,
  );
  return alone && format.duration !== NO_TIME ? inSeconds(format.duration, MICROSECONDS) : 0;
}

function assertSize({ width, height }: Size, { maxPixels, maxSide }: VideoLimits): void {
  if (width > maxSide || height > maxSide || width * height > maxPixels)
    throw new EngineError('filmTooLarge', `${width} x ${height} pixels; at most ${maxSide} a side and ${maxPixels}`);
}

async function firstFrame(format: FormatContext, stream: Stream, { path, type, limits, hints }: VideoFile) {
  const decoder = await openDecoder(stream, 1);
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  try {
    let found = false;
    let packets = 0;
    let due: bigint | null = null;
    let isMvc = false;
    // Reads one packet past the first frame: a still has no second packet.
    while ((!found && packets < PATIENCE) || packets < 2) {
      if ((await format.readFrame(packet)) < 0) {
        if (!found) await decoder.sendPacket(null);
        found ||= (await decoder.receiveFrame(frame)) >= 0;
        break;
      }
      if (packet.streamIndex === stream.index) {
        packets++;
        isMvc ||=
          stream.codecpar.codecId === AV_CODEC_ID_H264 && holdsMvc(packet.data ?? NO_DATA, stream.codecpar.extradata);
        if (packets === 1 && packet.pts === NO_TIME && packet.dts !== NO_TIME) due = packet.dts;
        // Skips packets that cannot be decoded; later ones may be intact.
        if (!found && (await decoder.sendPacket(packet)) >= 0) found = (await decoder.receiveFrame(frame)) >= 0;
      }
      packet.unref();
    }
    if (!found) throw new EngineError('filmDamaged', 'no frame could be decoded');
    if (packets < 2) throw new EngineError('notAFilm', 'a single picture in the container of a video');
    const own = frame.bestEffortTimestamp;
    const late = due === null || own === NO_TIME ? 0 : Math.max(0, inSeconds(own - due, stream.timeBase));
    const coded = { width: frame.width, height: frame.height };
    assertSize(coded, limits);
    const matrix =
      frame.getSideData(AV_FRAME_DATA_DISPLAYMATRIX) ?? stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
    const turn = matrix ? rotationOf(matrix) : NO_ROTATION;
    const pixelAspect = aspectOf(frame, stream);
    const clean = containerCrop(stream.codecpar.getCodedSideData(AV_PKT_DATA_FRAME_CROPPING), coded);
    const whole = clean ?? coded;
    const storedAspect = (whole.width * pixelAspect) / whole.height;
    const aspect = uprightAspect(storedAspect, turn);
    const stereoData =
      stream.codecpar.getCodedSideData(AV_PKT_DATA_STEREO3D) ?? frame.getSideData(AV_FRAME_DATA_STEREO3D);
    const { name = '', pair } = hints;
    const boxed = stereoData && (type === 'mp4' || type === 'mov') ? await stereoBox(path) : null;
    const hevc = stream.codecpar.codecId === AV_CODEC_ID_HEVC;
    const hasViews = frame.getSideData(AV_FRAME_DATA_VIEW_ID) !== null;
    const said = stereoOf(stereoData, storedAspect, boxed, hevc);
    const isHidden = hasViews || (isMvc && said?.eye?.packing === 'turns');
    const stereo =
      pair === 'flat' ? null : (hasViews && (await viewsOf(path, type, stream))) || (isHidden ? ONE_OF_TWO : said);
    const ipt = isIpt(stream.codecpar.getCodedSideData(AV_PKT_DATA_DOVI_CONF));
    const dolbyVision = ipt ? frame.getSideData(AV_FRAME_DATA_DOVI_METADATA) : null;
    const colour = ipt ? iptColour(dolbyVision) : colourOf(frame, coded.height);
    const coloursUncertain = ipt && dolbyVision === null;
    const interlaced = frame.hasFlags(AV_FRAME_FLAG_INTERLACED);
    const statedAspect = validAspect(frame.sampleAspectRatio) ?? 0;
    const told =
      pair === undefined && !stereo
        ? await untaggedEye(format, decoder, stream, frame, { aspect, name, turn, animated: mayBeAnimated(type) })
        : stereo && turned(stereo, turn, aspect);
    const eye =
      pair !== undefined && pair !== 'flat'
        ? chosenEye(pair, turn, aspect, name, told?.eye ?? null)
        : (told?.eye ?? null);
    const part = eye ? eyeSize(eye, whole) : whole;
    const [across, down] = eye ? eyeStretch(eye) : [1, 1];
    const square = {
      width: Math.max(1, Math.round(part.width * across * pixelAspect)),
      height: Math.max(1, part.height * down),
    };
    const shown = turn.sideways ? { width: square.height, height: square.width } : square;
    return {
      late: late < MOST_LATE ? late : 0,
      coded,
      clean,
      eye,
      stereo: eye !== null || stereo !== null,
      doubt: pair === undefined ? (told?.doubt ?? null) : null,
      shown,
      pixelAspect,
      statedAspect,
      turn,
      colour,
      ipt,
      coloursUncertain,
      interlaced,
    };
  } finally {
    frame.free();
    packet.free();
    decoder.freeContext();
  }
}

/** Looks for the second view of MV-HEVC, whatever the container says; null if it cannot be decoded. */
async function viewsOf(path: string, type: VideoType, { index, codecpar }: Stream): Promise<TaggedStereo | null> {
  const right = await reading(path, type, (format) => secondView(format, index));
  if (right === null) return null;
  const second = right === 'unknown' ? baseIsRight(codecpar.getCodedSideData(AV_PKT_DATA_STEREO3D)) : right === 'left';
  const eye = { packing: 'views', second: second ?? false, squeezed: false } as const;
  return { eye, doubt: second === null ? { packing: 'sideBySide', isPair: true } : null };
}

interface TaggedStereo extends Stereo {
  readonly doubt?: EyeDoubt | null;
}

/** Of frames that are turned or mirrored, it is not sure whether tags speak of the eyes before or after. */
function turned(stereo: TaggedStereo, turn: Rotation, aspect: number): TaggedStereo {
  const { eye } = stereo;
  if (!eye || turn.filters.length === 0) return stereo;
  const second = eye.second !== exchangesEyes(turn);
  if (areApart(eye)) return { eye: { ...eye, second }, doubt: { packing: 'sideBySide', isPair: true } };
  if (eye.packing !== 'sideBySide' && eye.packing !== 'topBottom') return { eye: { ...eye, second } };
  const packing = packingOf(shownLayout(layoutOf(eye.packing, second), turn));
  return { eye: { ...eye, second, squeezed: isSqueezed(packing, aspect) }, doubt: { packing, isPair: true } };
}

function aspectOf(frame: Frame, stream: Stream): number {
  return validAspect(stream.sampleAspectRatio) ?? validAspect(frame.sampleAspectRatio) ?? 1;
}

/** Returns a pixel aspect, or null outside these bounds: such values are file errors, not anamorphic lenses. */
export function validAspect({ num, den }: TimeBase): number | null {
  const aspect = num / den;
  return num > 0 && den > 0 && aspect >= 0.25 && aspect <= 4 ? aspect : null;
}

/** Determines duration and frame count by reading all packets, if the headers lack them. */
async function walk(
  format: FormatContext,
  { pictures }: { readonly pictures: Pictures },
  { type, limits: { maxSeconds } }: Pick<VideoFile, 'type' | 'limits'>,
) {
  const times = ShownTimes.of(type, pictures.timeBase);
  const packet = new Packet();
  packet.alloc();
  let frames = 0;
  let first: bigint | null = null;
  let seconds = 0;
  try {
    while (seconds <= maxSeconds && (await format.readFrame(packet)) >= 0) {
      if (packet.streamIndex === pictures.track) {
        frames++;
        times?.stamp(packet);
        const time = packet.pts === NO_TIME ? packet.dts : packet.pts;
        if (time !== NO_TIME) {
          first ??= time;
          seconds = Math.max(seconds, inSeconds(time + packet.duration - first, pictures.timeBase));
        }
      }
      packet.unref();
    }
  } finally {
    packet.free();
  }
  return { frames, seconds };
}

/** Counts the video packets of a video written by the engine: one per frame. */
export async function countFrames({ path, type, pictures }: Video): Promise<number> {
  return reading(path, type, async (format) => {
    const stream = format.streams[pictures.track];
    if (!stream) return 0;
    for (const other of format.streams) if (other.index !== pictures.track) other.discard = AVDISCARD_ALL;
    const packet = new Packet();
    packet.alloc();
    let count = 0;
    try {
      while ((await format.readFrame(packet)) >= 0) {
        if (packet.streamIndex === pictures.track) count++;
        packet.unref();
      }
    } finally {
      packet.free();
    }
    return count;
  });
}

function codecName(stream: Stream): string {
  return avGetCodecName(stream.codecpar.codecId) ?? 'unknown';
}

const PLAYED_SOUND = new Set(['aac', 'mp3']);

const PLAYED_PROFILES = new Set<number>([AV_PROFILE_H264_BASELINE, AV_PROFILE_H264_MAIN, AV_PROFILE_H264_HIGH]);
/** Masks the flags above the profile, such as the constrained flag. */
const PROFILE_BITS = 0xff;

function browsersPlay({ codecpar }: Stream, sound: readonly Stream[]): boolean {
  const plain = codecpar.format === AV_PIX_FMT_YUV420P || codecpar.format === AV_PIX_FMT_YUVJ420P;
  const h264 = codecpar.codecId === AV_CODEC_ID_H264 && PLAYED_PROFILES.has(codecpar.profile & PROFILE_BITS);
  return plain && h264 && sound.every((track) => PLAYED_SOUND.has(codecName(track)));
}

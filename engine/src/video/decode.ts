import {
  AV_CODEC_ID_VP8,
  AV_CODEC_ID_VP9,
  AVDISCARD_ALL,
  FF_DECODER_LIBVPX_VP8,
  FF_DECODER_LIBVPX_VP9,
} from 'node-av/constants';
import { Codec, CodecContext, type FormatContext, Frame, type Packet, type Stream } from 'node-av/lib';
import { EngineError } from '../errors.ts';
import { must, withOptions } from './av.ts';
import type { ShownTimes } from './shown-times.ts';

/** Count of decoding errors that did not end the decoding. */
export interface Damage {
  packets: number;
}

/** Option of the decoder: MV-HEVC gives the frames of both views, that of the base view first. */
const ALL_VIEWS = { view_ids: -1 };

/** @param views whether the frames of all views are wanted, not only those of the base view */
export async function openDecoder(stream: Stream, threads: number, views = false): Promise<CodecContext> {
  const codec = decoderOf(stream);
  if (!codec) throw new EngineError('filmWithoutPictures', `no decoder for codec ${stream.codecpar.codecId}`);
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  must(decoder.parametersToContext(stream.codecpar), 'decoder parameters');
  decoder.pktTimebase = stream.timeBase;
  decoder.threadCount = threads;
  must(await withOptions(views ? ALL_VIEWS : {}, (options) => decoder.open2(codec, options)), 'opening the decoder');
  return decoder;
}

/** FFmpeg's own decoders of VP8 and VP9 ignore the second stream that holds the transparency. */
function decoderOf({ codecpar: { codecId }, metadata }: Stream): Codec | null {
  const withAlpha = metadata?.get('alpha_mode') === '1' || metadata?.get('ALPHA_MODE') === '1';
  const name =
    codecId === AV_CODEC_ID_VP9 ? FF_DECODER_LIBVPX_VP9 : codecId === AV_CODEC_ID_VP8 ? FF_DECODER_LIBVPX_VP8 : null;
  return (withAlpha && name && Codec.findDecoderByName(name)) || Codec.findDecoder(codecId);
}

/** Discards all tracks but one, and returns it. */
export function onlyTrack(format: FormatContext, track: number): Stream {
  for (const stream of format.streams) if (stream.index !== track) stream.discard = AVDISCARD_ALL;
  const stream = format.streams[track];
  if (!stream) throw new EngineError('filmDamaged', `no track ${track}`);
  return stream;
}

/** Yields frames in presentation order; the caller frees each. Those of an animation get their times from `times`. */
export async function* decodedFrames(
  format: FormatContext,
  decoder: CodecContext,
  stream: Stream,
  packet: Packet,
  damage: Damage,
  times: ShownTimes | null = null,
): AsyncGenerator<Frame> {
  let ended = false;
  while (!ended) {
    ended = (await format.readFrame(packet)) < 0;
    if (!ended && packet.streamIndex !== stream.index) {
      packet.unref();
      continue;
    }
    if (!ended) times?.stamp(packet);
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

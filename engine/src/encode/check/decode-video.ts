/** Loaded only when a video is checked: FFmpeg is large. */
import { Decoder, Demuxer, PixelFormatUtils } from 'node-av';
import type { Channel } from './open.ts';

export interface DecodedVideo {
  readonly codec: string;
  readonly pixelFormat: string;
  readonly seconds: number;
  /** Number of decoded frames, and the luma of the first ones. */
  readonly frames: { readonly count: number; readonly first: readonly Channel[] };
}

/**
 * Decodes a small video completely.
 * @param keep number of frames to keep
 */
export async function decodeVideo(bytes: Buffer, keep: number): Promise<DecodedVideo> {
  const demuxer = await Demuxer.open(bytes);
  try {
    const stream = demuxer.video();
    if (!stream) throw new Error('it has no pictures');
    const decoder = await Decoder.create(stream);
    const first: Channel[] = [];
    let count = 0;
    let pixelFormat = '';
    try {
      // The asynchronous loop of this package needs a feature that Node 20 lacks, and would end without a frame.
      for (const packet of demuxer.packetsSync(stream.index)) {
        for (const frame of decoder.decodeAllSync(packet)) {
          pixelFormat = PixelFormatUtils.getName(frame.format as Parameters<typeof PixelFormatUtils.getName>[0]) ?? '';
          if (count < keep) first.push(brightnessOf(frame));
          count++;
          frame.free();
        }
        packet?.free();
      }
    } finally {
      decoder.close();
    }
    const codec = decoder.getCodec()?.name ?? '';
    return { codec, pixelFormat, seconds: demuxer.duration, frames: { count, first } };
  } finally {
    await demuxer.close();
  }
}

/** Returns the first plane of a planar frame, without row padding. */
function brightnessOf(frame: {
  readonly width: number;
  readonly height: number;
  readonly linesize: number[];
  readonly data: Buffer[] | null;
}): Channel {
  const { width, height } = frame;
  const plane = frame.data?.[0];
  const stride = frame.linesize[0];
  if (!plane || !stride) throw new Error('a frame has no pixels');
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) data.set(plane.subarray(y * stride, y * stride + width), y * width);
  return { data, width, height };
}

import type { Size } from '../types.ts';
import { toYuv, VIDEO_709 } from './yuv.ts';

/** Number of periods: more than four seconds in players that do not loop; messengers refuse shorter videos. */
export const WIGGLE_PERIODS = 3;

/**
 * Writes the frames of one period, RGB bytes stacked vertically, as an H.264 video that repeats them. The index comes
 * first, so that a browser can start immediately.
 * @param size of a frame, even
 */
export async function writeWiggleVideo(data: Uint8Array, size: Size, frameMs: number, path: string): Promise<void> {
  // FFmpeg is loaded only with the first video.
  const { AV_LOG_ERROR, AV_PIX_FMT_YUV420P, Encoder, FF_ENCODER_LIBX264, Frame, Log, Muxer, Rational } = await import(
    'node-av'
  );
  Log.setLevel(AV_LOG_ERROR);
  const bytes = 3 * size.width * size.height;
  const frames = data.length / bytes;
  const encoder = await Encoder.create(FF_ENCODER_LIBX264, {
    // Fixed: the thread count of x264 affects the output bytes.
    threadCount: 2,
    options: {
      preset: 'medium',
      crf: 18,
      // Same bytes on each run and each processor.
      'x264-params': 'cpu-independent=1',
      // Tagged explicitly: below 720 lines players assume another matrix.
      colorspace: 'bt709',
      color_primaries: 'bt709',
      color_trc: 'bt709',
      color_range: 'tv',
    },
  });
  const muxer = await Muxer.open(path, { format: 'mp4', options: { movflags: '+faststart' } });
  try {
    const stream = muxer.addStream(encoder);
    const encode = async (frame: InstanceType<typeof Frame> | null) => {
      for (const packet of await encoder.encodeAll(frame)) {
        await muxer.writePacket(packet, stream);
        packet.free();
      }
    };
    for (let shown = 0; shown < WIGGLE_PERIODS * frames; shown++) {
      const frame = new Frame();
      frame.alloc();
      frame.width = size.width;
      frame.height = size.height;
      frame.format = AV_PIX_FMT_YUV420P;
      // `Frame.fromVideoBuffer` would reference the memory of a JavaScript buffer without retaining it: after garbage
      // collection the frame would show other data.
      frame.getBuffer();
      const planes = frame.data;
      if (!planes) throw new Error('a frame has no memory');
      toYuv(data.subarray((shown % frames) * bytes), size, VIDEO_709, planes, frame.linesize);
      frame.timeBase = new Rational(frameMs, 1000);
      frame.pts = BigInt(shown);
      await encode(frame);
      frame.free();
    }
    await encode(null);
  } finally {
    await muxer.close();
    encoder.close();
  }
}

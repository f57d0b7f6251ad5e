import type { Size } from '../types.ts';

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
      toYuv(data.subarray((shown % frames) * bytes), size, planes, frame.linesize);
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

/** Converts RGB to BT.709 in limited range; chroma is the mean of 2 x 2 pixels. */
function toYuv(
  rgb: Uint8Array,
  { width, height }: Size,
  [luma, blue, red]: readonly Uint8Array[],
  strides: number[],
): void {
  if (!luma || !blue || !red) throw new Error('a frame has no planes');
  const [lumaStride, blueStride, redStride] = strides as [number, number, number];
  for (let y = 0; y < height; y += 2) {
    for (let x = 0; x < width; x += 2) {
      let r = 0;
      let g = 0;
      let b = 0;
      for (let i = 0; i < 4; i++) {
        const column = x + (i & 1);
        const row = y + (i >> 1);
        const from = 3 * (row * width + column);
        const pr = rgb[from] as number;
        const pg = rgb[from + 1] as number;
        const pb = rgb[from + 2] as number;
        luma[row * lumaStride + column] = 16.5 + 0.18259 * pr + 0.61423 * pg + 0.06201 * pb;
        r += pr;
        g += pg;
        b += pb;
      }
      blue[(y >> 1) * blueStride + (x >> 1)] = 128.5 - 0.025161 * r - 0.084643 * g + 0.109804 * b;
      red[(y >> 1) * redStride + (x >> 1)] = 128.5 + 0.109804 * r - 0.099733 * g - 0.010071 * b;
    }
  }
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AV_PICTURE_TYPE_NONE, AVCOL_PRI_BT709, AVCOL_TRC_BT709 } from 'node-av/constants';
import { FormatContext, Frame, Packet } from 'node-av/lib';
import sharp from 'sharp';
import { EngineError } from '../../errors.ts';
import { must, ready, withOptions } from '../av.ts';
import { AV_FORMATS } from '../av-formats.ts';
import { describe, openEncoder } from '../encode.ts';
import { CAMERA_COUNT, createSceneView, SCENE_SECONDS } from './scene.ts';

export interface DemoLoop {
  /** An empty folder: receives `index.m3u8`, the playlist, and its segments `s00.ts`, `s01.ts` and so on. */
  readonly outDir: string;
  /** 0, 1 or 2. */
  readonly camera: number;
  /** Even, as is `height`. */
  readonly width: number;
  readonly height: number;
  /** Frames per second, and seconds per segment and in all; a minute repeats without a jump. */
  readonly fps: number;
  readonly segmentSeconds: number;
  readonly seconds?: number;
  /** Where a picture of the scene is written as JPEG; nowhere without it. */
  readonly posterPath?: string;
}

/** Clock ticks per second of a transport stream. */
const TICKS = 90_000;

/**
 * Draws the scene of the demonstration event as seen by one camera and writes it as a recording in HLS. The segments of all
 * cameras begin at the same times, each with a key frame. Takes a core a few seconds.
 */
export async function drawLoop(
  { outDir, camera, width, height, fps, segmentSeconds, seconds = SCENE_SECONDS, posterPath }: DemoLoop,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  if (!(camera in Array(CAMERA_COUNT).fill(0))) throw new Error(`There is no camera ${camera}`);
  const view = createSceneView(camera, width, height);
  const settings = { size: { width, height }, hevc: false, doubled: false, fps, ticks: TICKS, threads: 1 };
  const context = await openEncoder(settings, {
    crf: 25,
    bf: 0,
    // Key frames at the beginning of segments and nowhere else.
    'x264-params': `cpu-independent=1:scenecut=0:keyint=${fps * segmentSeconds}`,
  });
  const format = new FormatContext();
  const [frame, packet] = [new Frame(), new Packet()];
  try {
    must(format.allocOutputContext2(null, 'hls', join(outDir, 'index.m3u8')), 'the playlist');
    const pictures = format.newStream();
    describe(pictures.codecpar, settings, Buffer.from(context.extraData ?? []));
    const clock = { num: 1, den: TICKS };
    pictures.timeBase = clock as typeof pictures.timeBase;
    const options = {
      hls_time: segmentSeconds,
      hls_playlist_type: 'vod',
      hls_segment_filename: join(outDir, 's%02d.ts'),
      hls_flags: 'independent_segments',
      fflags: '+bitexact',
    };
    must(await withOptions(options, (dictionary) => format.writeHeader(dictionary)), 'beginning the playlist');
    packet.alloc();
    frame.alloc();
    [frame.width, frame.height, frame.format] = [width, height, AV_FORMATS.yuv420];
    must(frame.getBuffer(), 'a frame');
    const write = async () => {
      packet.streamIndex = pictures.index;
      packet.duration = BigInt(Math.round(TICKS / fps));
      packet.rescaleTs(clock, pictures.timeBase);
      must(await format.interleavedWriteFrame(packet), 'writing pictures');
    };
    for (let number = 0; number < seconds * fps; number += 1) {
      if (signal?.aborted) throw new EngineError('conversionCancelled', 'cancelled');
      must(frame.makeWritable(), 'a frame');
      must(frame.fromBuffer(Buffer.from(view.draw(number / fps))), 'a frame');
      frame.pts = BigInt(Math.round((number * TICKS) / fps));
      [frame.colorPrimaries, frame.colorTrc, frame.pictType] = [AVCOL_PRI_BT709, AVCOL_TRC_BT709, AV_PICTURE_TYPE_NONE];
      must(await context.sendFrame(frame), 'encoding');
      while (ready(context.receivePacketSync(packet), 'encoding')) await write();
    }
    must(await context.sendFrame(null), 'ending the encoder');
    while (ready(await context.receivePacket(packet), 'encoding')) await write();
    must(await format.writeTrailer(), 'ending the playlist');
  } finally {
    format.freeContext();
    context.freeContext();
    frame.free();
    packet.free();
  }
  if (posterPath === undefined) return;
  // Cards write their own words into the corner of the seconds.
  view.draw(3, false);
  const raw = { width, height, channels: 3 } as const;
  await writeFile(posterPath, await sharp(view.rgb, { raw }).jpeg({ quality: 90 }).toBuffer());
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeAnimation } from '@framelift/engine/testing/animations';
import { type TestVideo, writeVideo } from '@framelift/engine/testing/videos';

/** Returns an MP4 (H.264, AAC) for the file chooser: a square that moves in front of a striped wall. */
export async function madeVideo(
  name: string,
  video: TestVideo = {},
): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'framelift-e2e-video-'));
  try {
    const path = join(folder, 'video.mp4');
    await writeVideo(path, video);
    return { name, mimeType: 'video/mp4', buffer: await readFile(path) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns a GIF of one second: a square that moves over nothing. */
export async function movingGif(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const size = { width: 320, height: 240 };
  const frames = Array.from({ length: 5 }, (_, i) => {
    const data = Buffer.alloc(size.width * size.height * 4);
    for (let y = 80; y < 160; y++)
      for (let x = 60 + 30 * i; x < 140 + 30 * i; x++) data.set([220, 60, 40, 255], 4 * (y * size.width + x));
    return data;
  });
  const buffer = await encodeAnimation('gif', size, frames, Array(5).fill(200));
  return { name: 'party.gif', mimeType: 'image/gif', buffer };
}

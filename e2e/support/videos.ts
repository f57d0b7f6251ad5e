import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

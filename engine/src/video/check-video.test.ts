import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planarOf } from '../testing/video-frames.ts';
import { drawMoving, writeVideo } from '../testing/videos.ts';
import { checkVideo, type VideoExpectation } from './check-video.ts';
import { thumbprintOf } from './thumbprint.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-check-video-'));
const good = join(folder, 'good.mp4');
const size = { width: 160, height: 90 };
const expected: VideoExpectation = {
  size,
  pixels: 'yuv420',
  frames: 20,
  sound: 1,
  thumbprint: thumbprintOf(planarOf({ ...size, data: drawMoving(0, size) }, 'yuv420')[0] as Uint8Array, size),
  lastTime: 0.76,
};
const refusal = (path: string, more: Partial<VideoExpectation> = {}) =>
  checkVideo(path, { ...expected, ...more }).then(
    () => 'delivered',
    (error) => `${error.code}: ${error.message}`,
  );
const sound = [{ codec: 'aac', channels: 2, seconds: 0.8 }] as const;

beforeAll(() => writeVideo(good, { ...size, frames: 20, sound }));
afterAll(() => rmSync(folder, { recursive: true }));

test('a video as it was rendered passes, and its length is told', async () => {
  expect(await checkVideo(good, expected)).toBe(0.8);
});

test('[V62] a blank video and one of a moment only are not delivered', async () => {
  const blank = join(folder, 'blank.mp4');
  await writeVideo(blank, { ...size, frames: 20, sound, draw: () => new Uint8Array(160 * 90 * 3) });
  expect(await refusal(blank)).toMatch(/^conversionFailed: .*first frame/);
  const brief = join(folder, 'brief.mp4');
  await writeVideo(brief, { ...size, frames: 12, sound: [{ codec: 'aac', channels: 2, seconds: 0.5 }] });
  expect(await refusal(brief)).toMatch(/^conversionFailed: .*12 frames instead of 20/);
  expect(await refusal(good, { lastTime: 3 })).toMatch(/^conversionFailed: .*0.8 s/);
});

test('a video of another size, without its sound, turned or cut off is not delivered', async () => {
  expect(await refusal(good, { size: { width: 320, height: 180 } })).toContain('160 x 90 pixels');
  expect(await refusal(good, { sound: 2 })).toContain('1 tracks of sound');
  const turned = join(folder, 'turned.mov');
  await writeVideo(turned, { ...size, frames: 20, sound, matrix: [-1, 0, 0, -1] });
  expect(await refusal(turned)).toContain('turned');
  const cut = join(folder, 'cut.mp4');
  await writeVideo(cut, { ...size, frames: 20, sound });
  truncateSync(cut, Math.floor((await stat(cut)).size / 2));
  expect(await refusal(cut)).toMatch(/^conversionFailed: /);
});

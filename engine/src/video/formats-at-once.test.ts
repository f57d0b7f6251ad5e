import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VideoFormat } from '@framelift/contract/formats';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICES } from '../formats/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { beside, standingScene } from '../testing/depth-photos.ts';
import { frameOf } from '../testing/video-frames.ts';
import { type TestVideo, writeVideo } from '../testing/videos.ts';
import type { DeviceProfile, VideoRequest, VideoResult } from '../types.ts';
import { createVideos } from './index.ts';

beforeAll(requireBuilt);
const folder = mkdtempSync(join(tmpdir(), 'framelift-formats-'));
afterAll(() => rmSync(folder, { recursive: true }));
const videos = createVideos({ threads: 2 });
const device = DEVICES.find(({ format }) => format === 'hsbs') as DeviceProfile;
const size = { width: 320, height: 180 };
const MOVING: TestVideo = { ...size, draw: (n) => frameOf(size, { square: 40 + 2 * n }).data, options: { qp: 4 } };

let count = 0;
async function prepare(video: TestVideo, formats: readonly VideoFormat[]): Promise<VideoRequest> {
  const own = join(folder, String(count++));
  const [outDir, workDir] = [join(own, 'out'), join(own, 'work')];
  for (const dir of [outDir, workDir]) mkdirSync(dir, { recursive: true });
  const input = join(own, 'video.mkv');
  await writeVideo(input, video);
  const [format, ...further] = formats as [VideoFormat];
  const crop = { x: 0, y: 0, ...size };
  return {
    kind: 'video',
    input,
    device,
    effect: 100,
    tier: 'fast',
    name: 'it',
    crop,
    format,
    further,
    outDir,
    workDir,
  };
}

const filesOf = ({ file, further }: VideoResult) => [file, ...further];

/** Returns the grey pixels of a frame of a video, taken as it is. */
async function frameAt(path: string, seconds: number): Promise<Uint8Array> {
  const still = `${path}.${count++}.png`;
  await videos.still({ path, pair: 'flat', seconds, outPath: still });
  return sharp(still).greyscale().raw().toBuffer();
}

function difference(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length);
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] as number)), 0) / a.length;
}

const FORMATS: readonly VideoFormat[] = ['vr180', 'hsbs', 'anaglyph', 'sbs', 'rgbd', 'flat'];

test('several formats of a video are made in one run, each as if it were the only one', async () => {
  const request = await prepare(
    { ...MOVING, frames: 20, sound: [{ codec: 'aac', channels: 2, seconds: 0.8 }] },
    FORMATS,
  );
  const made = filesOf(await videos.convert(request));
  expect(made.map(({ format }) => format)).toEqual(FORMATS);
  expect(readdirSync(request.outDir).sort()).toEqual([...made.map(({ name }) => name), 'it_cover.jpg'].sort());
  for (const file of made) {
    const alone = await prepare({ ...MOVING, frames: 20 }, [file.format as VideoFormat]);
    const { file: single } = await videos.convert(alone);
    expect([file.name, file.width, file.height]).toEqual([single.name, single.width, single.height]);
    const together = await frameAt(file.path, 0.5);
    expect(difference(together, await frameAt(single.path, 0.5)), file.name).toBeLessThan(2);
    expect((await videos.probe(file.path)).audio).toHaveLength(1);
  }
});

test('of a video of both eyes the pairs hold them, beside formats that are drawn', async () => {
  const { left, right } = standingScene(size.width, size.height);
  const { width, height, data } = beside(left, right);
  const video = { width, height, frames: 6, draw: () => data, stereo: [1, 0] as const, options: { qp: 4 } };
  const { further, ...made } = await videos.convert(await prepare(video, ['quilt', 'sbs', 'anaglyph', 'hsbs']));
  expect([made.depthSource, made.notes]).toEqual(['basic', ['leftEyeUsed']]);
  const sbs = await frameAt((further[0] as (typeof further)[number]).path, 0.1);
  expect(
    difference(
      sbs,
      await sharp(data, { raw: { width, height, channels: 3 } })
        .greyscale()
        .raw()
        .toBuffer(),
    ),
  ).toBeLessThan(4);
});

test('an interrupted run goes on with all of its formats, as if nothing had happened', async () => {
  const video = { ...MOVING, frames: 60, fps: 5 };
  const whole = await prepare(video, ['hsbs', 'anaglyph', 'sbs']);
  const wanted = await videos.convert(whole);
  const cut = await prepare(video, ['hsbs', 'anaglyph', 'sbs']);
  const stop = new AbortController();
  const onProgress = ({ video: at }: { readonly video?: { readonly frame: number } }) => {
    if (at && at.frame > 53) stop.abort();
  };
  await expect(videos.convert(cut, { signal: stop.signal, onProgress })).rejects.toThrow('cancelled');
  const expectSame = (resumed: VideoResult) => {
    for (const [i, { format, path }] of filesOf(resumed).entries()) {
      const same = filesOf(wanted)[i] as (typeof wanted)['file'];
      expect([format, readFileSync(path).equals(readFileSync(same.path))]).toEqual([same.format, true]);
    }
  };
  const resumed = await videos.convert(cut);
  expect(resumed.resumedSegments).toBeGreaterThan(0);
  expectSame(resumed);
  // As if it had ended between the last segments of two formats.
  rmSync(join(cut.workDir, 'sbs', 'segment-00001.json'));
  rmSync(cut.outDir, { recursive: true });
  mkdirSync(cut.outDir);
  const again = await videos.convert(cut);
  expect(again.resumedSegments).toBe(1);
  expectSame(again);
});

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PairChoice, VideoFormat } from '@framelift/contract/formats';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICES } from '../formats/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { above, beside, standingScene } from '../testing/depth-photos.ts';
import { decoded, encoder } from '../testing/pictures.ts';
import { sharedData } from '../testing/shared-data.ts';
import { type TestVideo, writeVideo } from '../testing/videos.ts';
import type { DeviceProfile, Picture, Size, VideoRequest } from '../types.ts';
import { createVideos } from './index.ts';

beforeAll(requireBuilt);
const folder = mkdtempSync(join(tmpdir(), 'framelift-pair-video-'));
afterAll(() => rmSync(folder, { recursive: true }));
const videos = createVideos({ threads: 2 });
const television = DEVICES.find(({ format }) => format === 'hsbs') as DeviceProfile;

let count = 0;
async function write(picture: Picture, more: TestVideo = {}, ending = 'mp4'): Promise<string> {
  const path = join(folder, `${count++}.${ending}`);
  const { width, height, data } = picture;
  await writeVideo(path, { width, height, frames: 12, draw: () => data, options: { qp: 4 }, ...more });
  return path;
}

async function convert(input: string, format: VideoFormat, more: Partial<VideoRequest> = {}) {
  const own = join(folder, `made-${count++}`);
  const [outDir, workDir] = [join(own, 'out'), join(own, 'work')];
  for (const dir of [outDir, workDir]) mkdirSync(dir, { recursive: true });
  const { width, height } = await videos.probe({ path: input, ...(more.pair && { pair: more.pair }) });
  const crop = { x: 0, y: 0, width, height };
  const fixed = { kind: 'video', device: television, effect: 100, tier: 'fast', name: 'it' } as const;
  return videos.convert({ ...fixed, input, format, crop, outDir, workDir, ...more });
}

/** Returns a part of a frame of a video, its whole frame taken as it is. */
async function partOf(path: string, part: { left: number; top: number } & Size, seconds = 0.2): Promise<Picture> {
  const still = `${path}.${count++}.png`;
  await videos.still({ path, pair: 'flat', seconds, outPath: still });
  return decoded(await sharp(still).extract(part).removeAlpha().png().toBuffer());
}

function psnr(a: Picture, b: Picture): number {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  let sum = 0;
  for (let i = 0; i < a.data.length; i++) sum += ((a.data[i] as number) - (b.data[i] as number)) ** 2;
  return 10 * Math.log10(65_025 / Math.max(0.01, sum / a.data.length));
}

const eye = { width: 320, height: 180 };
const { left, right } = standingScene(eye.width, eye.height);
const resized = async (picture: Picture, { width, height }: Size) =>
  decoded(await encoder(picture).resize(width, height, { fit: 'fill' }).png().toBuffer());

describe('a video of both eyes keeps the photographed ones', () => {
  test('side by side, one above the other, half of each, crossed and for glasses [T6]', async () => {
    const input = await write(beside(left, right));
    const half = { width: 160, height: 180 };
    const low = { width: 320, height: 90 };
    const cases: [VideoFormat, { at: [number, number]; size: Size }, { at: [number, number]; size: Size }][] = [
      ['sbs', { at: [0, 0], size: eye }, { at: [320, 0], size: eye }],
      ['tb', { at: [0, 0], size: eye }, { at: [0, 180], size: eye }],
      ['hsbs', { at: [0, 0], size: half }, { at: [160, 0], size: half }],
      ['htb', { at: [0, 0], size: low }, { at: [0, 90], size: low }],
      ['cross', { at: [320, 0], size: eye }, { at: [0, 0], size: eye }],
      ['2x1', { at: [0, 0], size: eye }, { at: [320, 0], size: eye }],
      ['spatial', { at: [0, 0], size: eye }, { at: [320, 0], size: eye }],
    ];
    for (const [format, first, second] of cases) {
      const made = await convert(input, format);
      expect([format, made.pair, made.depthSource, made.notes]).toEqual([format, 'leftRight', 'embedded', []]);
      for (const [{ at, size }, photo] of [
        [first, left],
        [second, right],
      ] as const) {
        const shown = await partOf(made.file.path, { left: at[0], top: at[1], ...size });
        expect(psnr(shown, await resized(photo, size)), `${format} at ${at}`).toBeGreaterThan(32);
      }
    }
  });

  test('on half spheres: every direction shows what it shows in the flat picture', async () => {
    const { file } = await convert(await write(beside(left, right)), 'vr180');
    // 60 degrees along 320 pixels have a focal length of 277.1, which times π is 871.
    expect([file.width, file.height]).toEqual([1744, 872]);
    const focal = 160 * Math.sqrt(3);
    for (const [at, photo, other] of [
      [0, left, right],
      [872, right, left],
    ] as const) {
      const sphere = await partOf(file.path, { left: at, top: 0, width: 872, height: 872 });
      const flat = Uint8Array.from({ length: photo.data.length }, (_, i) => {
        const [x, y] = [Math.floor(i / 3) % 320, Math.floor(i / 960)];
        const [across, down] = [(x + 0.5 - 160) / focal, (y + 0.5 - 90) / focal];
        const column = Math.floor(872 * (0.5 + Math.atan(across) / Math.PI));
        const row = Math.floor(872 * (0.5 + Math.atan(down / Math.sqrt(1 + across * across)) / Math.PI));
        return sphere.data[3 * (row * 872 + column) + (i % 3)] as number;
      });
      const seen = { data: flat, ...eye };
      expect(psnr(seen, photo)).toBeGreaterThan(psnr(seen, other) + 6);
      expect(psnr(seen, photo)).toBeGreaterThan(26);
      // Around the picture nothing is.
      expect(sphere.data.subarray(0, 3 * 872 * 300).every((value) => value < 6)).toBe(true);
    }
  });

  test('in an anaglyph, where the left one is red', async () => {
    const input = await write(beside(left, right));
    const { file } = await convert(input, 'anaglyph', { anaglyph: 'grey' });
    const shown = await resized(await partOf(file.path, { left: 0, top: 0, width: 640, height: 360 }), eye);
    const grey = async (picture: Picture) =>
      (await encoder(picture).greyscale().toColourspace('b-w').raw().toBuffer()) as Uint8Array;
    const difference = async (channel: number, picture: Picture) => {
      const wanted = await grey(picture);
      let sum = 0;
      for (let i = 0; i < wanted.length; i++)
        sum += Math.abs((shown.data[3 * i + channel] as number) - (wanted[i] as number));
      return sum / wanted.length;
    };
    expect(await difference(0, left)).toBeLessThan(await difference(0, right));
    expect(await difference(1, right)).toBeLessThan(await difference(1, left));
  });

  test('of which the crop shows the same part of both', async () => {
    const input = await write(above(left, right));
    const crop = { x: 40, y: 20, width: 160, height: 120 };
    const { file } = await convert(input, 'sbs', { crop });
    const part = { left: 40, top: 20, width: 160, height: 120 };
    const wanted = await decoded(await encoder(right).extract(part).png().toBuffer());
    expect(psnr(await partOf(file.path, { left: 160, top: 0, width: 160, height: 120 }), wanted)).toBeGreaterThan(32);
  });

  test('at every frame alike: nothing is estimated, so nothing sways', async () => {
    const { file } = await convert(await write(beside(left, right), { frames: 40 }), 'sbs');
    const at = (seconds: number) => partOf(file.path, { left: 320, top: 0, ...eye }, seconds);
    expect(psnr(await at(0.1), await at(1.5))).toBeGreaterThan(38);
  });

  /** Each matrix, and what makes upright frames stored ones: its opposite. */
  const turns: [string, NonNullable<TestVideo['matrix']>, (picture: Sharp) => Sharp][] = [
    ['turned by 90 degrees', [0, 1, -1, 0], (picture) => picture.rotate(270)],
    ['turned by 180 degrees', [-1, 0, 0, -1], (picture) => picture.rotate(180)],
    ['turned by 270 degrees', [0, -1, 1, 0], (picture) => picture.rotate(90)],
    ['mirrored left to right', [-1, 0, 0, 1], (picture) => picture.flop()],
    ['mirrored top to bottom', [1, 0, 0, -1], (picture) => picture.flip()],
    ['mirrored diagonally', [0, 1, 1, 0], (picture) => picture.flip().rotate(90)],
  ];
  const storedAs = async (upright: Picture, turn: (picture: Sharp) => Sharp) =>
    decoded(await turn(encoder(upright)).png().toBuffer());

  test.each(turns)('also of a video that is %s: each eye is [T4]', async (_, matrix, turn) => {
    const cases: ['leftRight' | 'aboveBelow', Picture, Partial<VideoRequest>][] = [
      ['leftRight', beside(left, right), {}],
      ['aboveBelow', above(left, right), {}],
      ['aboveBelow', above(left, right), { pair: 'aboveBelow' }],
    ];
    for (const [layout, upright, told] of cases) {
      const input = await write(await storedAs(upright, turn), { matrix, frames: 4 });
      const made = await convert(input, 'sbs', told);
      expect([told, made.pair, made.notes, made.source]).toEqual([told, layout, [], eye]);
      const shown = await partOf(made.file.path, { left: 320, top: 0, ...eye }, 0.1);
      expect(psnr(shown, right), layout).toBeGreaterThan(32);
    }
  });

  test('also if a tag tells it of a video that is upside down', async () => {
    const upsideDown = await storedAs(beside(left, right), (picture) => picture.rotate(180));
    const input = await write(upsideDown, { matrix: [-1, 0, 0, -1], stereo: [1, 0], frames: 4 });
    const made = await convert(input, 'sbs');
    expect([made.pair, made.notes]).toEqual(['leftRight', []]);
    const shown = await partOf(made.file.path, { left: 320, top: 0, ...eye }, 0.1);
    expect(psnr(shown, right)).toBeGreaterThan(32);
  });

  test('and other formats are drawn from the left one, with a note', async () => {
    const made = await convert(await write(beside(left, right)), 'quilt');
    expect([made.notes, made.depthSource]).toEqual([['leftEyeUsed'], 'basic']);
  });
});

describe('which eye comes first', () => {
  const rightEyeOf = async (input: string, more: Partial<VideoRequest> = {}) => {
    const made = await convert(input, 'sbs', more);
    const { width, height } = { width: made.file.width / 2, height: made.file.height };
    const shown = await resized(await partOf(made.file.path, { left: width, top: 0, width, height }), eye);
    return { pair: made.pair, isRight: psnr(shown, right) > psnr(shown, left) + 6 };
  };

  test('is found by looking, of whole and squeezed pairs that say nothing [T1] [T2] [T4]', async () => {
    const half = async (picture: Picture) => resized(picture, eye);
    const cases: [string, Picture, string][] = [
      ['32:9', beside(left, right), 'leftRight'],
      ['32:9 exchanged', beside(right, left), 'rightLeft'],
      ['8:9', above(left, right), 'aboveBelow'],
      ['8:9 exchanged', above(right, left), 'belowAbove'],
      ['16:9', await half(beside(left, right)), 'leftRight'],
      ['16:9 exchanged', await half(beside(right, left)), 'rightLeft'],
      ['16:9 one above the other', await half(above(left, right)), 'aboveBelow'],
    ];
    for (const [which, picture, layout] of cases)
      expect([which, await rightEyeOf(await write(picture))]).toEqual([which, { pair: layout, isRight: true }]);
  });

  test('is what the tags say, else the name, and what the member says before both', async () => {
    const exchanged = beside(right, left);
    const tagged = await write(exchanged, { stereo: [1, 1] }, 'mkv');
    expect(await rightEyeOf(tagged)).toEqual({ pair: 'rightLeft', isRight: true });
    // The content would say otherwise.
    const wrong = await write(exchanged, { stereo: [1, 0] }, 'mkv');
    expect(await rightEyeOf(wrong)).toEqual({ pair: 'leftRight', isRight: false });
    expect(await rightEyeOf(wrong, { pair: 'rightLeft' })).toEqual({ pair: 'rightLeft', isRight: true });
    const named = await write(exchanged);
    expect(await rightEyeOf(named, { name: 'film_LRF_Full_SBS' })).toEqual({ pair: 'leftRight', isRight: false });
  });

  test('does not matter of a video that the member calls ordinary', async () => {
    const input = await write(beside(left, right), { stereo: [1, 0] }, 'mkv');
    const info = await videos.probe({ path: input, pair: 'flat' satisfies PairChoice });
    expect([info.width, info.height, info.pair]).toEqual([640, 180, null]);
    const made = await convert(input, 'sbs', { pair: 'flat' });
    expect([made.pair, made.notes, made.file.width]).toEqual([null, [], 1280]);
  });

  const photos = ['mb21_chess1', 'mb21_pendulum1', 'mb21_artroom1'].map((id) => [
    sharedData(`stereo-eval/${id}_L.jpg`),
    sharedData(`stereo-eval/${id}_R.jpg`),
  ]);
  test.skipIf(photos.some(([l, r]) => !l || !r))('is found in videos of photographs [T1] [T4]', async () => {
    for (const [leftFile, rightFile] of photos as [string, string][]) {
      const read = async (file: string) =>
        decoded(await sharp(file).resize(480, 270, { fit: 'cover' }).png().toBuffer());
      const [l, r] = [await read(leftFile), await read(rightFile)];
      for (const [pair, layout] of [
        [beside(l, r), 'leftRight'],
        [beside(r, l), 'rightLeft'],
      ] as const) {
        const made = await convert(await write(pair, { frames: 6 }), 'sbs');
        const shown = await partOf(made.file.path, { left: 480, top: 0, width: 480, height: 270 }, 0.1);
        expect([rightFile, made.pair]).toEqual([rightFile, layout]);
        expect(psnr(shown, r), rightFile).toBeGreaterThan(32);
      }
    }
  });
});

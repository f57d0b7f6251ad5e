import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_NAMES, type Format } from '@framelift/contract/formats';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DEVICES, tileOfView } from '../formats/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { nearSquare, type Pixels, squareColumn } from '../testing/near-square.ts';
import { PANEL } from '../testing/panel.ts';
import type { DeviceProfile } from '../types.ts';
import { createRenderer, type Renderer, type RenderSource } from './index.ts';

beforeAll(requireBuilt);

/** A Portrait quilt with tiles of 120 x 160. */
const QUILT = { columns: 8, rows: 6, width: 960, height: 960, aspect: 0.75 };
const FRAME: DeviceProfile = {
  slug: 'small-portrait',
  name: 'Small portrait',
  ratio: [3, 4],
  resolution: { width: 300, height: 400 },
  format: 'quilt',
  quilt: QUILT,
  disparityBudget: 12,
};
const TELEVISION: DeviceProfile = {
  slug: 'small-tv',
  name: 'Small television',
  ratio: [16, 9],
  resolution: { width: 960, height: 540 },
  format: 'hsbs',
  disparityBudget: 3,
};
const SOURCE: RenderSource = nearSquare(600, 800);
/** The half-size pairs of this frame are as small as the frame itself. */
const SMALL_PAIRS: DeviceProfile = { ...FRAME, format: 'hsbs' };
/** Small source for tests that make every format. */
const SMALL: RenderSource = nearSquare(300, 400);
const OPTIONS = { calibration: PANEL };
/** The square fills most of the middle: its depth is the convergence, up to the limit of the convergence. */
const CONVERGENCE = 0.7;

let renderer: Renderer;
let dir: string;
beforeAll(() => {
  renderer = createRenderer({ threads: 2 });
});
afterAll(() => renderer.close());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'framelift-pack-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

async function made(format: Format, device = FRAME, { source = SOURCE, effect = 100, options = {} } = {}) {
  const result = await renderer.export(source, format, device, effect, { dir, name: 'square', options });
  const { data, info } = await sharp(result.file.path, { pages: -1 }).raw().toBuffer({ resolveWithObject: true });
  return { ...result, pixels: { data, width: info.width, channels: info.channels }, info };
}

/** Returns the columns of the square in areas of a file, left to right or in view order. */
const columns = (pixels: Pixels, areas: readonly { x: number; y: number; width: number; height: number }[]) =>
  areas.map((area) => squareColumn(pixels, area));

describe('a near square on far ground', () => {
  test('[V60] quilt: stands further right in the first view (bottom left) than in the last, step by step', async () => {
    const { file, pixels } = await made('quilt');
    expect(file).toMatchObject({ name: 'square_qs8x6a0.75.jpg', type: 'image/jpeg', width: 960, height: 960 });
    const places = columns(
      pixels,
      Array.from({ length: 48 }, (_, view) => tileOfView(QUILT, view)),
    );
    for (let view = 1; view < 48; view++) expect(places[view]).toBeLessThan((places[view - 1] as number) + 0.15);
    const travel = (places[0] as number) - (places[47] as number);
    expect(Math.abs(travel - 0.08 * 160 * (1 - CONVERGENCE))).toBeLessThan(0.5);
    expect(Math.abs((places[23] as number) + (places[24] as number) - 120)).toBeLessThan(0.4);
  });

  test('[V44] sbs: left eye on the left, at the crop’s full resolution, near things further right in it', async () => {
    const { file, pixels } = await made('sbs');
    expect(file).toMatchObject({ name: 'square_LRF_Full_SBS.jpg', width: 1200, height: 800 });
    const [left, right] = columns(pixels, [
      { x: 0, y: 0, width: 600, height: 800 },
      { x: 600, y: 0, width: 600, height: 800 },
    ]) as [number, number];
    expect(Math.abs(left - right - 0.02 * 800 * (1 - CONVERGENCE))).toBeLessThan(0.5);
  });

  test('hsbs: eyes fill their half of the panel, framed in black before they are squeezed', async () => {
    const { file, pixels } = await made('hsbs', TELEVISION);
    expect(file).toMatchObject({ name: 'square_LR.jpg', width: 960, height: 540 });
    // 3:4 in 540 rows is 405 wide, squeezed to 202, centred in 480.
    const brightness = (x: number) => Math.max(...pixels.data.subarray(3 * (960 * 270 + x), 3 * (960 * 270 + x) + 3));
    for (const eye of [0, 480]) {
      for (let x = 0; x < 480; x++) {
        if (x < 138 || x >= 343) expect([eye + x, brightness(eye + x) < 12]).toEqual([eye + x, true]);
        if (x > 142 && x < 338) expect([eye + x, brightness(eye + x) > 20]).toEqual([eye + x, true]);
      }
    }
    const [left, right] = columns(pixels, [
      { x: 0, y: 0, width: 480, height: 540 },
      { x: 480, y: 0, width: 480, height: 540 },
    ]) as [number, number];
    expect(Math.abs(left - right - (0.02 * 4 * 202 * (1 - CONVERGENCE)) / 3)).toBeLessThan(0.3);
  });

  test('anaglyph: the left eye’s square is red, the right eye’s cyan', async () => {
    const { file, pixels } = await made('anaglyph');
    expect(file).toMatchObject({ name: 'square_redcyan.jpg', width: 600, height: 800 });
    const area = { x: 0, y: 0, width: 600, height: 800 };
    const travel = squareColumn(pixels, area, 0) - squareColumn(pixels, area, 2);
    expect(Math.abs(travel - 0.02 * 800 * (1 - CONVERGENCE))).toBeLessThan(1);
    const { chromaSubsampling } = await sharp(file.path).metadata();
    expect(chromaSubsampling).toBe('4:4:4');
  });

  test('rgbd: colour on the left, depth on the right, white near', async () => {
    const { file, pixels, info } = await made('rgbd');
    expect(file).toMatchObject({ name: 'square_RGBD.png', type: 'image/png', width: 1200, height: 800 });
    expect(info.channels).toBe(3);
    const at = (x: number, y: number) => pixels.data[3 * (y * 1200 + x)] as number;
    expect(at(300, 400)).toBe(SOURCE.picture.data[3 * (400 * 600 + 300)]);
    expect(at(17, 23)).toBe(SOURCE.picture.data[3 * (23 * 600 + 17)]);
    expect(at(900, 400)).toBe(255);
    expect(at(620, 20)).toBe(0);
    expect(at(600 + 600 / 3 - 6, 400)).toBeLessThan(5);
    expect(at(600 + 600 / 3 + 6, 400)).toBeGreaterThan(250);
  });

  test('depth: 16-bit grey at the crop’s size, white near', async () => {
    const { file } = await made('depth');
    expect(file).toMatchObject({ name: 'square_depth16.png', width: 600, height: 800 });
    expect(await sharp(file.path).metadata()).toMatchObject({ depth: 'ushort', channels: 1, space: 'grey16' });
    const { data } = await sharp(file.path)
      .toColourspace('grey16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    const values = new Uint16Array(data.buffer, data.byteOffset, 600 * 800);
    expect(values[400 * 600 + 300]).toBe(65535);
    expect(values[20 * 600 + 20]).toBe(0);
  });

  test('[V62] wiggle: loops for ever, goes from left to right and back, every frame shown as long', async () => {
    const { file, pixels } = await made('wiggle', FRAME, { source: SMALL });
    expect(file).toMatchObject({ name: 'square_wiggle.webp', type: 'image/webp', width: 300, height: 400 });
    const { pages, delay, loop } = await sharp(file.path).metadata();
    expect({ pages, delay, loop }).toEqual({ pages: 24, delay: new Array(24).fill(60), loop: 0 });
    const frame = (index: number) => ({ x: 0, y: 400 * index, width: 300, height: 400 });
    const [first, middle, last] = columns(pixels, [frame(0), frame(12), frame(23)]) as [number, number, number];
    expect(Math.abs(first - middle - 0.04 * 400 * (1 - CONVERGENCE))).toBeLessThan(0.6);
    expect(Math.abs(first - last)).toBeLessThan(0.5);
  });

  test('flat: the crop at the frame’s resolution, nothing moved', async () => {
    const { file, pixels, comfort } = await made('flat', FRAME, { effect: 0, source: { ...SOURCE, depth: null } });
    expect(file).toMatchObject({ name: 'square_flat.jpg', width: 300, height: 400 });
    expect(comfort).toBeNull();
    expect(squareColumn(pixels, { x: 0, y: 0, width: 300, height: 400 })).toBeCloseTo(150, 1);
  });

  test('flat for a panel: the crop in its own aspect, no larger than asked for or than it is', async () => {
    const source = { ...SOURCE, depth: null };
    const { file, pixels } = await made('flat', TELEVISION, { effect: 0, source, options: { longestPx: 400 } });
    expect(file).toMatchObject({ width: 300, height: 400 });
    expect(squareColumn(pixels, { x: 0, y: 0, width: 300, height: 400 })).toBeCloseTo(150, 1);
    const whole = await made('flat', TELEVISION, { effect: 0, source, options: { longestPx: 3840 } });
    expect(whole.file).toMatchObject({ width: 600, height: 800 });
  });

  test('flat: a crop of another aspect is framed in black, never stretched', async () => {
    const { pixels } = await made('flat', TELEVISION, { source: { ...SOURCE, depth: null } });
    const row = 3 * 960 * 270;
    expect(Math.max(...pixels.data.subarray(row, row + 3 * 270))).toBeLessThan(10);
    expect(Math.max(...pixels.data.subarray(row + 3 * 690, row + 3 * 960))).toBeLessThan(10);
    expect(Math.abs(squareColumn(pixels, { x: 0, y: 0, width: 960, height: 540 }) - 480)).toBeLessThan(0.6);
  });

  test('a quilt’s spare pixels lie at its top and right, and stay black', async () => {
    const quilt = { columns: 7, rows: 7, width: 605, height: 803, aspect: 0.75 };
    const { pixels, file } = await made('quilt', { ...FRAME, quilt });
    expect(file.name).toBe('square_qs7x7a0.75.jpg');
    // 7 x 86 leaves 3 columns, 7 x 114 leaves 5 rows. JPEG blurs the outermost ones.
    const at = (x: number, y: number) => pixels.data[3 * (y * 605 + x)] as number;
    for (let x = 0; x < 605; x++) expect(at(x, 1)).toBeLessThan(30);
    for (let y = 0; y < 803; y++) expect(at(604, y)).toBeLessThan(30);
    expect(at(300, 802)).toBeGreaterThan(30);
    expect(at(0, 700)).toBeGreaterThan(15);
  });
});

describe('the renderer', () => {
  test('[V45] every format of a pair, a television and a Leia-class panel is one complete file of the size it says, and nothing else', async () => {
    const leia = DEVICES.find(({ slug }) => slug === 'leia-2x1') as DeviceProfile;
    for (const device of [SMALL_PAIRS, TELEVISION, leia]) {
      for (const format of FORMAT_NAMES) {
        const target = { dir, name: `${device.slug} ${format}`, options: OPTIONS };
        const { file } = await renderer.export(SMALL, format, device, 60, target);
        expect(readFileSync(file.path)).toHaveLength(file.bytes);
        if (['wiggle_mp4', 'spatial'].includes(format)) continue; // sharp reads no videos and no HEVC
        const { width, height } = await sharp(file.path).metadata();
        expect([file.name, width, height]).toEqual([file.name, file.width, file.height]);
      }
    }
    expect(readdirSync(dir).filter((name) => name.startsWith('.'))).toEqual([]);
    expect(readdirSync(dir)).toHaveLength(3 * FORMAT_NAMES.length);
  });

  test('the same source gives the same bytes twice, and on one thread as on two', async () => {
    const bytes = async (threads: number, name: string) => {
      const other = createRenderer({ threads });
      const files = [];
      for (const format of FORMAT_NAMES) {
        const target = { dir, name, options: OPTIONS };
        const { file } = await other.export(nearSquare(300, 400), format, SMALL_PAIRS, 100, target);
        files.push([format, createHash('sha256').update(readFileSync(file.path)).digest('hex')]);
      }
      await other.close();
      return files;
    };
    const first = await bytes(2, 'first');
    expect(await bytes(2, 'second')).toEqual(first);
    expect(await bytes(0, 'third')).toEqual(first);
  });

  test('[V52] clamps to the device’s disparity budget and says so', async () => {
    const tight = { ...FRAME, disparityBudget: 5 };
    const { comfort, pixels } = await made('quilt', tight);
    expect(comfort).toMatchObject({ clamped: true, largestDisparityPercent: 5, windowViolation: 0 });
    expect(comfort?.wishedDisparityPercent).toBeCloseTo(10.667, 2);
    const [first, last] = columns(pixels, [tileOfView(QUILT, 0), tileOfView(QUILT, 47)]) as [number, number];
    expect(Math.abs(first - last - 0.05 * 120 * (1 - CONVERGENCE))).toBeLessThan(0.4);
  });

  test.each([
    ['3d-tv', nearSquare(640, 360), 8],
    ['plain-3x4', SMALL, 10.667],
  ] as const)(
    '[T9] a quilt made for %s has the sweep of a light field, not that of the device',
    async (slug, source, percent) => {
      const device = { ...(DEVICES.find((one) => one.slug === slug) as DeviceProfile), quilt: QUILT };
      const { comfort, pixels } = await made('quilt', device, { source });
      expect(comfort).toMatchObject({ clamped: false });
      expect(comfort?.largestDisparityPercent).toBeCloseTo(percent, 2);
      // Each view keeps its ratio in the tile of 120 x 160, which is shown as 3:4.
      const [first, last] = columns(pixels, [tileOfView(QUILT, 0), tileOfView(QUILT, 47)]) as [number, number];
      expect(Math.abs(first - last - 0.01 * percent * 120 * (1 - CONVERGENCE))).toBeLessThan(0.5);
      // A pair made for a light field, in turn, keeps within what is comfortable on a stereo screen.
      const portrait = DEVICES.find((one) => one.slug === 'looking-glass-go') as DeviceProfile;
      const pair = await made('sbs', portrait, { source: nearSquare(180, 320) });
      expect(pair.comfort).toMatchObject({ clamped: true, largestDisparityPercent: 3 });
    },
  );

  test('a flat depth map gives views that are all alike, in every format', async () => {
    const depth = { data: new Float32Array(300).fill(0.5), width: 15, height: 20, source: 'basic' as const };
    const source = { picture: SMALL.picture, depth };
    for (const format of FORMAT_NAMES) {
      const { comfort } = await renderer.export(source, format, SMALL_PAIRS, 100, {
        dir,
        name: 'plain',
        options: OPTIONS,
      });
      if (comfort) expect(comfort).toMatchObject({ largestDisparityPercent: 0, windowViolation: 0 });
    }
    const { pixels } = await made('sbs', FRAME, { source });
    for (let y = 0; y < 400; y += 17) {
      for (let x = 0; x < 300; x += 7) {
        const left = pixels.data[3 * (y * 600 + x)] as number;
        const right = pixels.data[3 * (y * 600 + 300 + x)] as number;
        expect(Math.abs(left - right)).toBeLessThan(6);
      }
    }
  });

  test('effect 0 moves nothing, even in the formats that are made for depth', async () => {
    const { comfort, pixels } = await made('quilt', FRAME, { effect: 0 });
    expect(comfort).toMatchObject({ largestDisparityPercent: 0, clamped: false });
    const [first, last] = columns(pixels, [tileOfView(QUILT, 0), tileOfView(QUILT, 47)]) as [number, number];
    expect(Math.abs(first - last)).toBeLessThan(0.05);
  });

  test('a cancelled export leaves nothing behind', async () => {
    const abort = new AbortController();
    const hooks = {
      signal: abort.signal,
      onProgress: (step: string) => {
        if (step === 'check') abort.abort();
      },
    };
    await expect(
      renderer.export(SOURCE, 'sbs', FRAME, 100, { dir, name: 'x' }, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: 'conversionCancelled' });
    await expect(renderer.export(SOURCE, 'sbs', FRAME, 100, { dir, name: 'x' }, hooks)).rejects.toMatchObject({
      code: 'conversionCancelled',
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  test('tells its progress, which never falls and ends at 1', async () => {
    const told: [string, number][] = [];
    const hooks = { onProgress: (step: string, fraction: number) => told.push([step, fraction]) };
    await renderer.export(SOURCE, 'quilt', FRAME, 100, { dir, name: 'x' }, hooks);
    const fractions = told.map(([, fraction]) => fraction);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(told.at(-1)).toEqual(['check', 1]);
    expect([...new Set(told.map(([step]) => step))]).toEqual(['layers', 'views', 'pack', 'check']);
  });

  test('a format that needs depth is refused without one', async () => {
    const source = { ...SOURCE, depth: null };
    await expect(renderer.export(source, 'quilt', FRAME, 100, { dir, name: 'x' })).rejects.toMatchObject({
      code: 'conversionFailed',
    });
  });

  test('JPEGs carry the sRGB profile and nothing about the photo', async () => {
    const { file } = await made('quilt');
    const { icc, exif, xmp, iptc } = await sharp(file.path).metadata();
    expect(icc?.includes('sRGB', 0, 'utf16le') || icc?.includes('\0s\0R\0G\0B')).toBe(true);
    expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
  });
});

describe('the preview', () => {
  test('has colour, depth and background of one size, and a cover 500 px wide [X10]', async () => {
    const { picture, depth } = nearSquare(1500, 2000);
    const files = await renderer.preview({ picture, depth }, { dir, name: 'square' });
    for (const path of Object.values(files)) expect(existsSync(path)).toBe(true);
    const sizes = await Promise.all(
      [files.colour, files.depth, files.background, files.backgroundDepth, files.cover].map(async (path) => {
        const { width, height, channels } = await sharp(path).metadata();
        return [width, height, channels];
      }),
    );
    expect(sizes).toEqual([
      [960, 1280, 3],
      [960, 1280, 1],
      [960, 1280, 3],
      [960, 1280, 1],
      [500, 667, 3],
    ]);
    const grey = async (path: string) => (await sharp(path).extractChannel(0).raw().toBuffer()) as Uint8Array;
    const middle = 640 * 960 + 480;
    const beside = 640 * 960 + 960 / 3 + 12;
    const [shown, behind] = [await grey(files.depth), await grey(files.backgroundDepth)];
    expect([shown[middle], shown[beside], behind[beside]]).toEqual([255, 255, 0]);
    expect((await grey(files.background))[beside]).toBeLessThan(180);
  });

  test('of a picture without depth is flat', async () => {
    const files = await renderer.preview({ picture: SOURCE.picture, depth: null }, { dir, name: 'square' });
    const { channels } = await sharp(files.depth).stats();
    expect(channels[0]?.stdev).toBe(0);
  });
});

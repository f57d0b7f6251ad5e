import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Format } from '@framelift/contract/formats';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lensPhase, lensRow, lensTable } from '../geometry/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { nearSquare, type Pixels, squareColumn } from '../testing/near-square.ts';
import { PANEL } from '../testing/panel.ts';
import { readSpatialPhoto } from '../testing/spatial-photo.ts';
import { exiftool, ffprobe, tool } from '../testing/tools.ts';
import type { Calibration, DeviceProfile, StillOptions, SubpixelCell } from '../types.ts';
import { createRenderer, type Renderer, type RenderSource } from './index.ts';

beforeAll(requireBuilt);

const SIZE = { width: 300, height: 400 };
const SOURCE: RenderSource = nearSquare(SIZE.width, SIZE.height);
const FRAME: DeviceProfile = {
  slug: 'small-portrait',
  name: 'Small portrait',
  ratio: [3, 4],
  resolution: SIZE,
  format: 'quilt',
  quilt: { columns: 8, rows: 6, width: 960, height: 960, aspect: 0.75 },
  disparityBudget: 12,
};
const PASSIVE: DeviceProfile = {
  slug: 'small-passive-tv',
  name: 'Small passive television',
  ratio: [16, 9],
  resolution: { width: 960, height: 540 },
  format: 'htb',
  disparityBudget: 3,
};
/** Disparity of the square in pixels: 2 % of the long side, times its depth in front of the plane (1 − 0.7). */
const BETWEEN_EYES = 0.02 * 400 * 0.3;

const dir = mkdtempSync(join(tmpdir(), 'framelift-stereo-'));
let renderer: Renderer;
beforeAll(() => {
  renderer = createRenderer({ threads: 2 });
});
afterAll(async () => {
  await renderer.close();
  rmSync(dir, { recursive: true });
});

async function made(format: Format, options: StillOptions = {}, device = FRAME) {
  const { file } = await renderer.export(SOURCE, format, device, 100, { dir, name: 'square', options });
  return file;
}

async function pixelsOf(file: string | Buffer): Promise<Pixels> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, channels: info.channels };
}

/** Returns how much further right the square is in the first area than in the second. */
function travel(
  pixels: Pixels,
  first: { x: number; y: number },
  second: { x: number; y: number },
  size = SIZE,
): number {
  return squareColumn(pixels, { ...first, ...size }) - squareColumn(pixels, { ...second, ...size });
}

describe('pairs', () => {
  test('[V44] tb: the left eye on top, both at full size', async () => {
    const file = await made('tb');
    expect(file).toMatchObject({ name: 'square_TBF_fulltb.jpg', width: 300, height: 800 });
    const distance = travel(await pixelsOf(file.path), { x: 0, y: 0 }, { x: 0, y: 400 });
    expect(Math.abs(distance - BETWEEN_EYES)).toBeLessThan(0.4);
  });

  test('[V43] htb: each eye framed in black to the panel, then squeezed to half its height', async () => {
    const file = await made('htb', {}, PASSIVE);
    expect(file).toMatchObject({ name: 'square_TB.jpg', width: 960, height: 540 });
    const pixels = await pixelsOf(file.path);
    // 3:4 in 540 rows is 405 wide; the columns are kept, 270 rows remain.
    const brightness = (x: number, y: number) =>
      Math.max(...pixels.data.subarray(3 * (960 * y + x), 3 * (960 * y + x) + 3));
    for (const row of [135, 405]) {
      for (const x of [0, 200, 268, 692, 959]) expect([row, x, brightness(x, row) < 14]).toEqual([row, x, true]);
      for (const x of [285, 480, 675]) expect([row, x, brightness(x, row) > 20]).toEqual([row, x, true]);
    }
    const half = { width: 960, height: 270 };
    expect(travel(pixels, { x: 0, y: 0 }, { x: 0, y: 270 }, half)).toBeGreaterThan(1);
  });

  test('cross: the right eye on the left; 2x1: the left eye, as panels read it', async () => {
    const [left, right] = [
      { x: 0, y: 0 },
      { x: 300, y: 0 },
    ] as const;
    const cross = await made('cross');
    expect(cross).toMatchObject({ name: 'square_RLF_cross.jpg', width: 600, height: 400 });
    expect(Math.abs(travel(await pixelsOf(cross.path), left, right) + BETWEEN_EYES)).toBeLessThan(0.4);
    const panel = await made('2x1');
    expect(panel).toMatchObject({ name: 'square_2x1.jpg', width: 600, height: 400 });
    expect(Math.abs(travel(await pixelsOf(panel.path), left, right) - BETWEEN_EYES)).toBeLessThan(0.4);
  });

  test('[V39] exchanged eyes are exchanged in the picture, and its name tells', async () => {
    const swapped = await made('sbs', { swapEyes: true });
    expect(swapped.name).toBe('square_RLF_Full_SBS.jpg');
    expect(travel(await pixelsOf(swapped.path), { x: 0, y: 0 }, { x: 300, y: 0 })).toBeLessThan(-1.5);
    const anaglyph = await made('anaglyph', { swapEyes: true });
    const pixels = await pixelsOf(anaglyph.path);
    const area = { x: 0, y: 0, ...SIZE };
    expect(squareColumn(pixels, area, 0) - squareColumn(pixels, area, 2)).toBeLessThan(-1.5);
  });

  test('left and right: one eye each, the square further right in the left one', async () => {
    const [left, right] = [await made('left'), await made('right')];
    expect([left.name, right.name]).toEqual(['square_left.jpg', 'square_right.jpg']);
    const area = { x: 0, y: 0, ...SIZE };
    const columns = [await pixelsOf(left.path), await pixelsOf(right.path)].map((eye) => squareColumn(eye, area));
    const [inLeft, inRight] = columns as [number, number];
    expect(Math.abs(inLeft - inRight - BETWEEN_EYES)).toBeLessThan(0.4);
    expect(Math.abs((inLeft + inRight) / 2 - 150)).toBeLessThan(0.3);
  });

  test('[V41] no picture says that it is stereo unless its format is made to: players then show one eye alone', async () => {
    for (const format of ['sbs', 'hsbs', 'tb', 'htb', '2x1'] as const) {
      const bytes = readFileSync((await made(format)).path).toString('latin1');
      for (const mark of ['_JPSJPS_', 'MPF\0', 'GPano', 'StereoMode']) expect(bytes.includes(mark)).toBe(false);
    }
  });

  test('[V51] both eyes’ fields are equally wide: near the edge of the frame the views come together', async () => {
    const width = 600;
    const bars = nearSquare(width, 400);
    // Narrow bright bars at maximum nearness, close to both edges.
    for (let y = 0; y < 400; y++)
      for (const [from, to] of [
        [8, 20],
        [width - 20, width - 8],
      ] as const)
        bars.picture.data.fill(250, 3 * (y * width + from), 3 * (y * width + to));
    const near = { ...bars.depth, data: Float32Array.from(bars.depth.data) };
    for (let y = 0; y < near.height; y++)
      for (const x of [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
        near.data[y * near.width + x] = 1;
        near.data[(y + 1) * near.width - 1 - x] = 1;
      }
    const { file } = await renderer.export({ picture: bars.picture, depth: near }, 'sbs', FRAME, 100, {
      dir,
      name: 'bars',
    });
    const pixels = await pixelsOf(file.path);
    const field = (x: number) => {
      const edge = { y: 0, width: 40, height: 60 };
      const first = squareColumn(pixels, { ...edge, x });
      const last = squareColumn(pixels, { ...edge, x: x + width - 40 }) + width - 40;
      return last - first;
    };
    // The area between the bars, which both eyes see, has the same width in both: no eye loses a strip at one side.
    expect(Math.abs(field(0) - field(width))).toBeLessThan(0.6);
  });
});

describe('anaglyphs', () => {
  test.each([
    ['half-colour', 'square_redcyan_half.jpg'],
    ['grey', 'square_redcyan_grey.jpg'],
  ] as const)('%s: red is the left eye’s, at full colour resolution', async (anaglyph, name) => {
    const file = await made('anaglyph', { anaglyph });
    expect(file.name).toBe(name);
    const pixels = await pixelsOf(file.path);
    const area = { x: 0, y: 0, ...SIZE };
    const distance = squareColumn(pixels, area, 0) - squareColumn(pixels, area, 2);
    expect(Math.abs(distance - BETWEEN_EYES)).toBeLessThan(0.7);
    expect((await sharp(file.path).metadata()).chromaSubsampling).toBe('4:4:4');
  });
});

describe.skipIf(!tool('exiftool'))('files of 3D cameras', () => {
  test('mpo: exiftool finds both pictures, their numbers and how they belong together', async () => {
    const file = await made('mpo');
    expect(file).toMatchObject({ name: 'square.mpo', type: 'image/mpo', width: 300, height: 400 });
    const tags = exiftool(file.path);
    expect(tags).toMatchObject({
      'File:FileType': 'MPO',
      'MPF0:MPFVersion': '0100',
      'MPF0:NumberOfImages': 2,
      'MPF0:MPIndividualNum': 1,
      'MPF0:BaseViewpointNum': 1,
      'MPF0:ConvergenceAngle': 0,
      'MPImage1:MPImageFlags': 4,
      'MPImage1:MPImageFormat': 0,
      'MPImage1:MPImageType': 0x020002,
      'MPImage2:MPImageType': 0x020002,
      'IFD0:Orientation': 1,
      'ExifIFD:ColorSpace': 1,
      'ExifIFD:ExifImageWidth': 300,
    });
    expect(tags['ExifTool:Warning']).toBeUndefined();
    const bytes = readFileSync(file.path);
    const length = Number(tags['MPImage1:MPImageLength']);
    expect(length + Number(tags['MPImage2:MPImageLength'])).toBe(bytes.length);
    const [left, right] = [bytes.subarray(0, length), bytes.subarray(length)];
    expect(Number(tags['MPImage2:MPImageStart'])).toBe(length);
    const area = { x: 0, y: 0, ...SIZE };
    const distance = squareColumn(await pixelsOf(left), area) - squareColumn(await pixelsOf(right), area);
    expect(Math.abs(distance - BETWEEN_EYES)).toBeLessThan(0.4);
    const second = join(dir, 'second.jpg');
    writeFileSync(second, right);
    expect(exiftool(second)).toMatchObject({ 'MPF0:MPIndividualNum': 2, 'MPF0:BaseViewpointNum': 1 });
  });

  test.each([
    [false, 'square.jps', 4],
    [true, 'square_RLF.jps', 0],
  ] as const)(
    'jps: exiftool reads that it is side by side, and which eye is first (exchanged: %s)',
    async (swapEyes, name, flags) => {
      const file = await made('jps', { swapEyes });
      expect(file).toMatchObject({ name, type: 'image/jpeg', width: 600, height: 400 });
      expect(exiftool(file.path)).toMatchObject({
        'JPS:JPSSeparation': 0,
        'JPS:JPSFlags': flags,
        'JPS:JPSLayout': 2,
        'JPS:JPSType': 1,
      });
      const distance = travel(await pixelsOf(file.path), { x: 0, y: 0 }, { x: 300, y: 0 });
      expect(distance * (swapEyes ? -1 : 1)).toBeGreaterThan(1.5);
    },
  );

  test('nothing of the photo and no more than cameras write is in any of them', async () => {
    const tags = Object.keys(exiftool((await made('mpo')).path)).filter((tag) =>
      /^(GPS|XMP|IPTC|MakerNotes)/.test(tag),
    );
    expect(tags).toEqual([]);
  });
});

describe.skipIf(!tool('ffprobe'))('wiggle_mp4', () => {
  test('[V62] is a video of H.264 that plays more than four seconds, from left to right and back', async () => {
    const file = await made('wiggle_mp4');
    expect(file).toMatchObject({ name: 'square_wiggle.mp4', type: 'video/mp4', width: 300, height: 400 });
    const { streams, format } = ffprobe(file.path, ['-count_frames']);
    expect(streams).toHaveLength(1);
    expect(streams[0]).toMatchObject({
      codec_name: 'h264',
      pix_fmt: 'yuv420p',
      width: 300,
      height: 400,
      nb_read_frames: '72',
      color_space: 'bt709',
      color_range: 'tv',
    });
    expect(Number(format['duration'])).toBeCloseTo(4.32, 2);
    // The index precedes the media data, so that a browser can start immediately.
    const bytes = readFileSync(file.path).toString('latin1');
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });
});

describe('native', () => {
  const CELL: SubpixelCell = [
    [-0.25, -0.31],
    [-0.25, 0.28],
    [0.25, 0],
  ];

  /**
   * Returns the column of the square as seen through the lenses from one side, from the green sub-pixels shown there.
   */
  async function seenFrom(file: string, calibration: Calibration, from: number, to: number): Promise<number> {
    const { data, width } = await pixelsOf(file);
    const table = lensTable(calibration);
    let sum = 0;
    let count = 0;
    for (let y = 200; y < 312; y++) {
      const row = calibration.flipImageY ? 511 - y : y;
      const { columns, offset } = lensRow(table, 511 - row);
      for (let x = 0; x < width; x++) {
        const phase = lensPhase((columns[3 * x + 1] as number) + offset, table.invView);
        if (phase < from || phase >= to) continue;
        const share = Math.min(1, Math.max(0, ((data[3 * (row * width + x) + 1] as number) - 130) / 100));
        sum += share * (calibration.flipImageX ? width - x - 0.5 : x + 0.5);
        count += share;
      }
    }
    return sum / count;
  }

  test.each([
    ['as a Portrait', PANEL],
    ['with the views the other way round', { ...PANEL, invView: false }],
    ['mirrored', { ...PANEL, flipImageX: true }],
    ['upside down', { ...PANEL, flipImageY: true }],
    ['with cells', { ...PANEL, cellPatternMode: 4 as const, cells: [CELL, CELL] }],
  ])('a panel %s shows the left of the scene to the left', async (_name, calibration) => {
    const file = await made('native', { calibration });
    expect(file).toMatchObject({ name: 'square_native_LKG-P00001.png', type: 'image/png', width: 384, height: 512 });
    const [left, middle, right] = [
      await seenFrom(file.path, calibration, 0, 0.2),
      await seenFrom(file.path, calibration, 0.4, 0.6),
      await seenFrom(file.path, calibration, 0.8, 1),
    ] as const;
    // 8 % of the long side between the outermost views, these are 80 % apart; the square's depth is 0.3. Lenses are 6
    // px wide.
    const expected = 0.8 * 0.08 * 512 * 0.3;
    expect(Math.abs(left - right - expected)).toBeLessThan(3);
    expect(Math.abs(middle - 192)).toBeLessThan(1.2);
  });

  test('is lossless, of the panel’s pixels, and framed in black where the crop has another aspect', async () => {
    const calibration = { ...PANEL, screen: { width: 640, height: 360 } };
    const file = await made('native', { calibration });
    const { format, width, height, channels, depth } = await sharp(file.path).metadata();
    expect({ format, width, height, channels, depth }).toEqual({
      format: 'png',
      width: 640,
      height: 360,
      channels: 3,
      depth: 'uchar',
    });
    const { data } = await pixelsOf(file.path);
    expect(Math.max(...data.subarray(3 * 640 * 180, 3 * (640 * 180 + 180)))).toBe(0);
    expect(Math.max(...data.subarray(3 * (640 * 180 + 200), 3 * (640 * 180 + 440)))).toBeGreaterThan(200);
  });

  test('is refused without the calibration of a display', async () => {
    await expect(made('native')).rejects.toMatchObject({ code: 'calibrationMissing' });
  });
});

describe('spatial photos of Apple Vision Pro', () => {
  test('libheif finds two eyes in a stereo group, the left one first, and each camera in its place', async () => {
    const file = await made('spatial');
    expect(file).toMatchObject({ name: 'square_spatial.heic', type: 'image/heic', width: 300, height: 400 });
    const photo = readSpatialPhoto(readFileSync(file.path));
    expect(photo.groups).toEqual([{ type: 'ster', members: photo.eyes.map(({ id }) => id) }]);
    // The primary picture, which other viewers show, is the left eye.
    expect(photo.primary).toBe(photo.eyes[0]?.id);
    const columns = photo.eyes.map(({ pixels, width, height, focal }) => {
      expect([width, height]).toEqual([300, 400]);
      // 60 degrees along the longer side.
      expect(focal).toBeCloseTo(200 / Math.tan(Math.PI / 6), 2);
      return squareColumn({ data: pixels, width, channels: 3 }, { x: 0, y: 0, ...SIZE });
    });
    const [left, right] = columns as [number, number];
    expect(Math.abs(left - right - BETWEEN_EYES)).toBeLessThan(0.4);
    // The properties of where each camera stands, as a headset reads them: the second one 65 mm to the right.
    const bytes = readFileSync(file.path);
    const places = [];
    const uuid = Buffer.from('4363e9145b7d4aab97aebea69803b434', 'hex');
    for (let at = bytes.indexOf(uuid); at >= 0; at = bytes.indexOf(uuid, at + 1)) {
      const end = at - 8 + bytes.readUInt32BE(at - 8);
      places.push(Array.from({ length: (end - at - 16) / 4 }, (_, i) => bytes.readUInt32BE(at + 16 + 4 * i)));
    }
    expect(places).toEqual([[0], [1, 65_000]]);
    // Colours pass the codec unharmed.
    const mean = (bytes: Uint8Array) =>
      [0, 1, 2].map((c) => bytes.reduce((sum, value, i) => (i % 3 === c ? sum + value : sum), 0) / (bytes.length / 3));
    const [told, known] = [mean(photo.eyes[0]?.pixels ?? new Uint8Array()), mean(SOURCE.picture.data)];
    for (let c = 0; c < 3; c++) expect(Math.abs((told[c] as number) - (known[c] as number))).toBeLessThan(2);
  });
});

describe('VR180', () => {
  test('both eyes on half spheres, the left one on the left, each thing in its direction', async () => {
    const file = await made('vr180');
    // 60 degrees along 400 pixels: π · 346.4 is 1088, so the middle keeps its pixels.
    expect(file).toMatchObject({ name: 'square_180x180_LR.jpg', type: 'image/jpeg', width: 2176, height: 1088 });
    const pixels = await pixelsOf(file.path);
    const eye = (x: number) => squareColumn(pixels, { x, y: 0, width: 1088, height: 1088 });
    const focal = 200 * Math.sqrt(3);
    // The middle of the square in a flat eye, and where its direction lies among the 180 degrees of a half sphere.
    const column = (offset: number) => 1088 * (0.5 + Math.atan(offset / focal) / Math.PI);
    expect(Math.abs(eye(0) - column(BETWEEN_EYES / 2))).toBeLessThan(0.3);
    expect(Math.abs(eye(1088) - column(-BETWEEN_EYES / 2))).toBeLessThan(0.3);
    // The picture spans 2 · atan(150 / 346.4) degrees; everything else is black.
    const reach = (1088 * Math.atan(150 / focal)) / Math.PI;
    const brightest = (from: number, to: number) =>
      Math.max(...pixels.data.subarray(3 * (2176 * 544 + from), 3 * (2176 * 544 + to)));
    expect(brightest(0, 544 - reach - 8)).toBeLessThan(8);
    expect(brightest(544 + reach + 8, 1632 - reach - 8)).toBeLessThan(8);
    expect(brightest(544 - reach, 544 - reach + 8)).toBeGreaterThan(20);
  });

  test('of a large crop has 4096 pixels for each eye', async () => {
    const source = nearSquare(1800, 1200);
    const { file } = await renderer.export(source, 'vr180', FRAME, 100, { dir, name: 'large', options: {} });
    expect(file).toMatchObject({ width: 8192, height: 4096 });
  });

  test.skipIf(!tool('exiftool'))(
    'says nothing of a panorama, which programs would show as one of a single eye',
    async () => {
      const tags = exiftool((await made('vr180')).path);
      expect(Object.keys(tags).filter((tag) => tag.startsWith('XMP'))).toEqual([]);
      expect(tags).toMatchObject({ 'File:ImageWidth': 2176, 'File:ImageHeight': 1088 });
    },
  );
});

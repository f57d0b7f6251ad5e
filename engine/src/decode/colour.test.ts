import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { builtInProfile, drawScene, encoder } from '../testing/pictures.ts';
import type { Picture } from '../types.ts';
import { openPicture } from './open.ts';
import { assemblePng, type Chunk, headerChunk } from './png.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-colour-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SCENE = drawScene(300, 400);

let count = 0;
async function open(bytes: Buffer): Promise<Picture> {
  const path = join(folder, `${count++}.png`);
  writeFileSync(path, bytes);
  const opened = await openPicture(path);
  return opened.cut({ x: 0, y: 0, ...opened.size });
}

const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
/** Linear BT.709 to linear BT.2020 and to Display P3 (BT.2087, CSS Color 4). */
const TO_2020 = [0.6274, 0.3293, 0.0433, 0.0691, 0.9195, 0.0114, 0.0164, 0.088, 0.8956];
const TO_P3 = [0.8225, 0.1775, 0, 0.0332, 0.9668, 0, 0.0171, 0.0724, 0.9105];

/** ST 2084, with SDR white at 203 cd/m². */
function pq(v: number): number {
  const y = ((v * 203) / 10_000) ** 0.1593017578125;
  return ((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y)) ** 78.84375;
}
/** BT.2100 HLG of scene light. */
const hlg = (e: number) => (e <= 1 / 12 ? Math.sqrt(3 * e) : 0.17883277 * Math.log(12 * e - 0.28466892) + 0.55991073);

/** Writes the scene with these samples (0 … 1 from linear light) and these chunks. */
function pngOf(bits: 8 | 16, code: (rgb: readonly number[]) => readonly number[], chunks: readonly Chunk[]): Buffer {
  const max = bits === 8 ? 255 : 65_535;
  const row = 1 + (SCENE.width * 3 * bits) / 8;
  const rows = Buffer.alloc(row * SCENE.height);
  for (let y = 0, i = 0; y < SCENE.height; y++) {
    for (let x = 0; x < SCENE.width; x++, i += 3) {
      const rgb = [0, 1, 2].map((c) => linear((SCENE.data[i + c] as number) / 255));
      code(rgb).forEach((value, c) => {
        const at = y * row + 1 + ((x * 3 + c) * bits) / 8;
        const sample = Math.round(Math.min(1, Math.max(0, value)) * max);
        if (bits === 8) rows[at] = sample;
        else rows.writeUInt16BE(sample, at);
      });
    }
  }
  return assemblePng([headerChunk(SCENE.width, SCENE.height, bits, 2), ...chunks, ['IDAT', deflateSync(rows)]]);
}

const times = (matrix: readonly number[], rgb: readonly number[]) =>
  [0, 1, 2].map((row) => [0, 1, 2].reduce((sum, k) => sum + (matrix[row * 3 + k] as number) * (rgb[k] as number), 0));

function words(...values: readonly number[]): Buffer {
  const body = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    body.writeUInt32BE(Math.round(value), i * 4);
  });
  return body;
}
const gAMA = (value: number): Chunk => ['gAMA', words(value * 100_000)];
const cICP = (primaries: number, transfer: number): Chunk => ['cICP', Buffer.from([primaries, transfer, 0, 1])];
const sRGB: Chunk = ['sRGB', Buffer.from([0])];
/** Chromaticities of Display P3. */
const cHRM: Chunk = ['cHRM', words(31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6000)];
const srgb = (rgb: readonly number[]) => rgb.map((v) => (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
const iccp = async (): Promise<Chunk> => [
  'iCCP',
  Buffer.concat([Buffer.from('p3\0\0', 'latin1'), deflateSync(await builtInProfile('p3'))]),
];

function meanDifference(a: Picture): number {
  return a.data.reduce((sum, value, i) => sum + Math.abs(value - (SCENE.data[i] as number)), 0) / a.data.length;
}

describe("PNG's own colour chunks count, in the order of the standard [W3]", () => {
  const toHlg = (rgb: readonly number[]) => {
    // 203 cd/m² on a display of 1000 cd/m² with system gamma 1.2.
    const nits = times(TO_2020, rgb).map((v) => (v * 203) / 1000);
    const y = 0.2627 * (nits[0] as number) + 0.678 * (nits[1] as number) + 0.0593 * (nits[2] as number);
    return nits.map((v) => hlg(v * y ** (1 / 1.2 - 1)));
  };
  const toPq = (rgb: readonly number[]) => times(TO_2020, rgb).map(pq);
  const toP3 = (rgb: readonly number[]) => srgb(times(TO_P3, rgb));
  const cases: readonly [string, () => Buffer | Promise<Buffer>][] = [
    ['gAMA 1.0', () => pngOf(8, (rgb) => rgb, [gAMA(1)])],
    ['gAMA 1.0 with 16 bits', () => pngOf(16, (rgb) => rgb, [gAMA(1)])],
    ['gAMA of an old Macintosh', () => pngOf(8, (rgb) => rgb.map((v) => v ** (1 / 1.8)), [gAMA(1 / 1.8)])],
    ['gAMA and cHRM', () => pngOf(8, (rgb) => times(TO_P3, rgb).map((v) => v ** (1 / 1.8)), [gAMA(1 / 1.8), cHRM])],
    ['usual gAMA and cHRM', () => pngOf(8, toP3, [gAMA(0.45455), cHRM])],
    ['usual gAMA', () => pngOf(8, srgb, [gAMA(0.45455)])],
    ['gAMA that sRGB overrules', () => pngOf(8, srgb, [gAMA(1), sRGB])],
    ['gAMA of nonsense', () => pngOf(8, srgb, [gAMA(0)])],
    ['cICP PQ', () => pngOf(8, toPq, [cICP(9, 16)])],
    ['cICP PQ with 16 bits', () => pngOf(16, toPq, [cICP(9, 16)])],
    ['cICP HLG', () => pngOf(16, toHlg, [cICP(9, 18)])],
    ['cICP Display P3', () => pngOf(8, toP3, [cICP(12, 13)])],
    ['cICP BT.2020', () => pngOf(8, (rgb) => srgb(times(TO_2020, rgb)), [cICP(9, 13)])],
    ['cICP that overrules iCCP, sRGB and gAMA', async () => pngOf(8, toPq, [cICP(9, 16), await iccp(), gAMA(1)])],
    ['cICP sRGB that overrules iCCP', async () => pngOf(8, srgb, [cICP(1, 13), await iccp()])],
    ['iCCP that overrules gAMA', async () => pngOf(8, toP3, [await iccp(), gAMA(1)])],
  ];
  test.each(cases)('%s', async (_, make) => {
    expect(meanDifference(await open(await make()))).toBeLessThan(4);
  });

  test('a picture brighter than SDR white keeps its tones in order', async () => {
    const bright = (rgb: readonly number[]) => times(TO_2020, rgb).map((v) => pq(v * 4));
    const picture = await open(pngOf(16, bright, [cICP(9, 16)]));
    const grey = await encoder(picture).greyscale().raw().toBuffer();
    expect(Math.max(...grey)).toBeGreaterThan(200);
    // Not clipped: the tiles of the ground stay apart.
    expect(new Set(grey).size).toBeGreaterThan(20);
  });
});

test('greys with a gamma of their own, and transparency, are converted too [W3]', async () => {
  const grey = await encoder(SCENE).greyscale().toColourspace('b-w').png().toBuffer();
  const alpha = await encoder(SCENE).ensureAlpha(1).png().toBuffer();
  const [kind, body] = gAMA(1);
  for (const file of [grey, alpha]) {
    const chunk = assemblePng([[kind, body]]).subarray(8, -12);
    const plain = await open(file);
    const picture = await open(Buffer.concat([file.subarray(0, 33), chunk, file.subarray(33)]));
    const [before, after] = [plain.data[300] as number, picture.data[300] as number];
    // Linear light becomes brighter in sRGB.
    expect(Math.abs(after - 255 * (srgb([before / 255])[0] as number))).toBeLessThan(2);
  }
});

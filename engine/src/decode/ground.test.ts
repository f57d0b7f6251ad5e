import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import type { Ground } from '../geometry/index.ts';
import { colourAt, drawingOnNothing, type Rgb } from '../testing/pictures.ts';
import { type CutPicture, openPicture } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-ground-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SIZE = 320;

const drawing = (colour: Rgb) => drawingOnNothing(SIZE, SIZE, colour);

let count = 0;
async function open(bytes: Buffer, ground?: Ground): Promise<CutPicture> {
  const path = join(folder, `${count++}`);
  writeFileSync(path, bytes);
  const opened = await openPicture(path);
  return opened.cut({ x: 0, y: 0, ...opened.size }, ground);
}

const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
const KINDS: readonly [string, (picture: Sharp) => Promise<Buffer>][] = [
  ['PNG', (picture) => picture.png().toBuffer()],
  ['16-bit PNG', (picture) => picture.toColourspace('rgb16').png().toBuffer()],
  ['palette PNG', (picture) => picture.png({ palette: true }).toBuffer()],
  ['grey PNG', (picture) => picture.toColourspace('b-w').png().toBuffer()],
  ['Display P3 PNG', (picture) => picture.withIccProfile('p3').png().toBuffer()],
  ['WebP', (picture) => picture.webp().toBuffer()],
  ['AVIF', (picture) => picture.avif({ quality: 90 }).toBuffer()],
  ['GIF', (picture) => picture.gif().toBuffer()],
];

function near(actual: Rgb, expected: Rgb): void {
  for (const c of [0, 1, 2] as const) expect(Math.abs(actual[c] - expected[c])).toBeLessThanOrEqual(4);
}

describe.each(KINDS)('a drawing on transparency can be seen: %s [W2]', (_, encode) => {
  test('black lies on white', async () => {
    const picture = await open(await encode(drawing(BLACK)));
    near(colourAt(picture, 0.5, 0.5), BLACK);
    near(colourAt(picture, 0.05, 0.05), WHITE);
  });

  test('white lies on a dark ground', async () => {
    const picture = await open(await encode(drawing(WHITE)));
    near(colourAt(picture, 0.5, 0.5), WHITE);
    expect(Math.max(...colourAt(picture, 0.05, 0.05))).toBeLessThan(64);
  });

  test('a chosen ground wins', async () => {
    const picture = await open(await encode(drawing(BLACK)), '#3366cc');
    near(colourAt(picture, 0.05, 0.05), [0x33, 0x66, 0xcc]);
    near(colourAt(picture, 0.5, 0.5), BLACK);
  });
});

test('every crop of a picture has the same ground [W2]', async () => {
  const path = join(folder, 'crop.png');
  writeFileSync(path, await drawing(WHITE).png().toBuffer());
  const opened = await openPicture(path);
  const empty = await opened.cut({ x: 0, y: 0, width: 40, height: 40 });
  expect(colourAt(empty, 0.5, 0.5)).toEqual(colourAt(await open(await drawing(WHITE).png().toBuffer()), 0.05, 0.05));
});

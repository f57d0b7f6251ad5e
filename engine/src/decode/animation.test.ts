import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { animation, colourAt, draw, encoder, type Rgb } from '../testing/pictures.ts';
import { openPicture } from './open.ts';
import { assemblePng, type Chunk, readChunks } from './png.ts';
import { probePicture } from './probe.ts';

const folder = mkdtempSync(join(tmpdir(), 'framelift-animation-'));
afterAll(() => rmSync(folder, { recursive: true }));

const FIRST: Rgb = [200, 60, 30];
const SECOND: Rgb = [30, 60, 200];
const frame = (colour: Rgb) => draw(300, 400, () => colour);

const frames = () => animation([frame(FIRST), frame(SECOND)]);

async function apng(): Promise<Buffer> {
  const still = await encoder(frame(FIRST)).png().toBuffer();
  const [header, ...rest] = [...readChunks(still)].map(({ type, body }): Chunk => [type, body]) as [Chunk, ...Chunk[]];
  return assemblePng([header, ['acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])], ...rest]);
}

test.each([
  ['a GIF', 'image/gif', () => frames().gif().toBuffer(), true],
  ['a WebP', 'image/webp', () => frames().webp({ lossless: true }).toBuffer(), true],
  ['an APNG', 'image/png', apng, true],
  ['a still GIF', 'image/gif', () => encoder(frame(FIRST)).gif().toBuffer(), false],
  ['a still WebP', 'image/webp', () => encoder(frame(FIRST)).webp({ lossless: true }).toBuffer(), false],
] as const)('%s: the first frame is opened, and an animation says so [T11]', async (_, type, make, animated) => {
  const path = join(folder, 'picture');
  writeFileSync(path, await make());
  expect(await probePicture(path)).toEqual({ type, width: 300, height: 400 });
  const opened = await openPicture(path);
  expect(opened.header.animated).toBe(animated);
  const picture = await opened.cut({ x: 0, y: 0, ...opened.size });
  for (const c of [0, 1, 2] as const)
    expect(Math.abs(colourAt(picture, 0.5, 0.5)[c] - FIRST[c])).toBeLessThanOrEqual(3);
});

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PairChoice } from '@framelift/contract/formats';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { requireBuilt } from '../../testing/built.ts';
import { above, beside, standingScene } from '../../testing/depth-photos.ts';
import { decoded, drawScene, encoder } from '../../testing/pictures.ts';
import { sharedData } from '../../testing/shared-data.ts';
import type { Picture, Size } from '../../types.ts';
import { readHeader } from '../header.ts';
import { findPair } from './find-pair.ts';

beforeAll(requireBuilt);

async function layoutOf(picture: Picture, name?: string, pair?: PairChoice): Promise<string | null> {
  const file = await encoder(picture).png().toBuffer();
  const found = await findPair(file, await readHeader(file), { name, pair });
  return found && `${found.layout} ${found.shown.width}x${found.shown.height}`;
}

const resized = async (picture: Picture, { width, height }: Size) =>
  decoded(await encoder(picture).resize(width, height, { fit: 'fill' }).png().toBuffer());

describe('a picture of both eyes that says nothing', () => {
  const { left, right } = standingScene(320, 240);

  test('is found side by side and one above the other, and so is which eye is which [T1]', async () => {
    expect(await layoutOf(beside(left, right))).toBe('leftRight 320x240');
    expect(await layoutOf(beside(right, left))).toBe('rightLeft 320x240');
    expect(await layoutOf(above(left, right))).toBe('aboveBelow 320x240');
    expect(await layoutOf(above(right, left))).toBe('belowAbove 320x240');
  });

  test('is found when it was turned inwards, so that all of it is behind the display [T1]', async () => {
    const scene = standingScene(320, 240, -14);
    expect(await layoutOf(beside(scene.left, scene.right))).toBe('leftRight 320x240');
    expect(await layoutOf(beside(scene.right, scene.left))).toBe('rightLeft 320x240');
  });

  test('may hold two upright pictures [T2]', async () => {
    const upright = standingScene(240, 320);
    expect(await layoutOf(beside(upright.left, upright.right))).toBe('leftRight 240x320');
    expect(await layoutOf(beside(upright.right, upright.left))).toBe('rightLeft 240x320');
  });

  test('in the shape of an old screen holds two upright pictures, or two squeezed landscapes [T2]', async () => {
    const upright = standingScene(214, 320);
    expect(await layoutOf(beside(upright.left, upright.right))).toBe('leftRight 214x320');
    const wide = standingScene(428, 320);
    const half = await resized(beside(wide.left, wide.right), { width: 428, height: 320 });
    expect(await layoutOf(half)).toBe('leftRight 428x320');
  });

  test('is not taken for a squeezed one of cinema when its pictures are nearly square [T2]', async () => {
    const square = standingScene(288, 240);
    expect(await layoutOf(beside(square.left, square.right))).toBe('leftRight 288x240');
  });

  test('may be squeezed to the shape of a screen [T2]', async () => {
    const wide = standingScene(384, 216);
    const half = await resized(beside(wide.left, wide.right), { width: 384, height: 216 });
    expect(await layoutOf(half)).toBe('leftRight 384x216');
    const stacked = await resized(above(wide.right, wide.left), { width: 384, height: 216 });
    expect(await layoutOf(stacked, 'holiday')).toBe('belowAbove 384x216');
  });
});

describe('the name of a pair', () => {
  const { left, right } = standingScene(320, 240);

  test.each([
    ['shop_RLF_cross.jpg', 'rightLeft 320x240'],
    ['shop_RLF_Full_SBS.jpg', 'rightLeft 320x240'],
    ['shop_RLF_Half_SBS.jpg', 'rightLeft 640x240'],
    ['shop_LRF_Full_SBS.jpg', 'leftRight 320x240'],
    ['shop_LR.jpg', 'leftRight 320x240'],
    ['Shop-half-sbs.jpg', 'leftRight 640x240'],
    ['shop_2x1.jpg', 'leftRight 320x240'],
    ['shop.jpg', 'leftRight 320x240'],
  ])('%s is believed where its halves agree [T1]', async (name, layout) => {
    expect(await layoutOf(beside(left, right), name)).toBe(layout);
  });

  test('that does not say which eye comes first leaves it to the picture [T1]', async () => {
    expect(await layoutOf(beside(right, left), 'shop_full_sbs.jpg')).toBe('rightLeft 320x240');
    expect(await layoutOf(beside(left, right), 'shop_full_sbs.jpg')).toBe('leftRight 320x240');
  });

  test('says nothing about a picture of one view', async () => {
    for (const name of ['IMG_LR.jpg', 'my sbs', 'x_RLF_cross'])
      expect(await layoutOf(drawScene(640, 240), name)).toBeNull();
    expect(await layoutOf(drawScene(320, 480), 'x_TB')).toBeNull();
  });
});

test('the member has the last word', async () => {
  const { left, right } = standingScene(320, 240);
  expect(await layoutOf(beside(left, right), 'x_LRF', 'rightLeft')).toBe('rightLeft 320x240');
  expect(await layoutOf(beside(left, right), 'x_LRF', 'flat')).toBeNull();
  expect(await layoutOf(drawScene(640, 240), undefined, 'leftRight')).toBe('leftRight 320x240');
});

describe('photographed pairs', () => {
  const index = sharedData('stereo-eval/index.json');

  test.skipIf(index === null)(
    'their order is found, whichever eye comes first [T1]',
    { timeout: 120_000 },
    async () => {
      const folder = dirname(index as string);
      const pairs = JSON.parse(readFileSync(index as string, 'utf8')) as { id: string; left: string; right: string }[];
      // Every fourth one: `npm run bench:stereo` measures all.
      for (const pair of pairs.filter((_, i) => i % 4 === 0)) {
        const read = async (name: string) => decoded(await sharp(join(folder, name)).resize(400).png().toBuffer());
        const [left, right] = [await read(pair.left), await read(pair.right)];
        expect(await layoutOf(beside(left, right)), pair.id).toMatch(/^leftRight/);
        expect(await layoutOf(beside(right, left)), pair.id).toMatch(/^rightLeft/);
      }
    },
  );
});

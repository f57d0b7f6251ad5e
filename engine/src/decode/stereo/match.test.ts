import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { requireBuilt } from '../../testing/built.ts';
import { greyPicture, plane, standingScene, stereoScene } from '../../testing/depth-photos.ts';
import { drawScene } from '../../testing/pictures.ts';
import { sharedData } from '../../testing/shared-data.ts';
import type { Picture } from '../../types.ts';
import { type Match, matchPair } from './match.ts';
import type { GreyPicture } from './matcher.ts';
import { flattenSky } from './sky.ts';

beforeAll(requireBuilt);

/** Converts to luma, with a given exposure. */
function grey({ data, width, height }: Picture, gain = 1, offset = 0): GreyPicture {
  const out = new Uint8Array(width * height);
  for (let i = 0; i < out.length; i++) {
    const luma =
      0.3 * (data[i * 3] as number) + 0.59 * (data[i * 3 + 1] as number) + 0.11 * (data[i * 3 + 2] as number);
    out[i] = Math.max(0, Math.min(255, Math.round(luma * gain + offset)));
  }
  return { data: out, width, height };
}

/** Fraction of pixels, among those selected by `counts`, whose disparity error exceeds `tolerance`. */
function wrong(
  disparity: Float32Array,
  width: number,
  truth: (x: number, y: number) => number,
  tolerance: number,
  counts: (x: number, y: number) => boolean = () => true,
): number {
  let [bad, all] = [0, 0];
  for (let i = 0; i < disparity.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    if (!counts(x, y)) continue;
    all++;
    if (Math.abs((disparity[i] as number) - truth(x, y)) > tolerance) bad++;
  }
  return bad / all;
}

describe('a scene of two depths', () => {
  const width = 400;
  test.each([
    ['in front of the frame', 4, 23],
    ['behind and in front of it, as in a converged pair', -14, 9],
    ['at fractions of a pixel', 2.5, 12.25],
  ])('%s is found to half a pixel', (_, far, near) => {
    const { left, right, disparity } = stereoScene(width, 300, far, near);
    const match = matchPair(grey(left), grey(right));
    expect(match?.consistent).toBeGreaterThan(0.85);
    // Along the square's outline the 9 x 7 pixel window covers both depths.
    expect(wrong(match?.disparity as Float32Array, width, disparity, 0.5)).toBeLessThan(0.045);
  });

  test('what only the left eye sees, left of the near thing, lies as far as the ground', () => {
    const [far, near] = [3, 21];
    const { left, right, disparity } = stereoScene(width, 300, far, near);
    const { disparity: found } = matchPair(grey(left), grey(right)) as Match;
    const edge = Math.ceil((0.45 - 0.2) * width);
    const hidden = (x: number, y: number) => x < edge - 5 && x >= edge - (near - far) && y > 90 && y < 210;
    expect(wrong(found, width, disparity, 2, hidden)).toBeLessThan(0.05);
  });

  test('another exposure and a lens that looks three rows higher change little', () => {
    const { left, right, disparity } = stereoScene(width, 300, 3, 18);
    const other = grey(right, 0.8, 25);
    const moved = new Uint8Array(other.data.length);
    moved.set(other.data.subarray(0, moved.length - 3 * width), 3 * width);
    const match = matchPair(grey(left), { ...other, data: moved });
    expect(wrong(match?.disparity as Float32Array, width, disparity, 1)).toBeLessThan(0.05);
  });
});

test('two pictures of different things do not agree', () => {
  const { left } = stereoScene(400, 300, 0, 10);
  const match = matchPair(grey(left), grey(drawScene(400, 300)));
  expect(match?.consistent ?? 0).toBeLessThan(0.4);
});

test('a wall without any pattern gives numbers all the same', () => {
  const wall = grey(greyPicture(plane(320, 240, () => 0.5)));
  const match = matchPair(wall, wall);
  expect(match === null || match.disparity.every(Number.isFinite)).toBe(true);
});

describe('a sky above things', () => {
  const [width, height] = [480, 360];
  const scene = standingScene(width, height);
  const horizon = 0.35 * height;
  /** The wall of the scene is its only bluish grey thing. */
  const isWall = ({ data }: Picture, i: number) => {
    const [red, green, blue] = [data[3 * i], data[3 * i + 1], data[3 * i + 2]] as [number, number, number];
    return i < horizon * width && blue - red > 25 && green > red;
  };
  /** Paints a sky over the wall, from `top` to `bottom`, with noise of its own in each eye. */
  const underSky = (picture: Picture, top: number, bottom: number, noise: number, seed: number): GreyPicture => {
    const eye = grey(picture);
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const data = eye.data.map((value, i) => {
      if (!isWall(picture, i)) return value;
      const sky = top + ((bottom - top) * i) / (width * horizon) + 3 * noise * (random() - 0.5);
      return Math.min(255, Math.round(sky));
    });
    return { ...eye, data };
  };

  test.each([
    ['blown out', 255, 255, 0],
    ['even', 230, 200, 0],
    ['with a little noise', 180, 220, 1],
    ['with the noise of a small sensor', 200, 235, 2],
  ])(
    '%s lies with the farthest; things keep their outline and their share of the range [T5]',
    (_, top, bottom, noise) => {
      const eyes = [underSky(scene.left, top, bottom, noise, 1), underSky(scene.right, top, bottom, noise, 2)] as const;
      const { disparity, trusted } = matchPair(...eyes) as Match;
      expect(wrong(disparity, width, scene.disparity, 3, (_x, y) => y < horizon - 6)).toBeLessThan(0.01);
      const known = disparity.filter((_value, i) => trusted[i] === 1).sort();
      const nearest = scene.disparity(0.77 * width, 0.7 * height);
      expect(known[Math.floor(0.9 * known.length)]).toBeGreaterThan(0.8 * nearest);
      expect(known[Math.floor(0.995 * known.length)]).toBeLessThan(nearest + 2);
    },
  );
});

test('a bright wall that was measured stays, though its left end is far and its right end is near', () => {
  const [width, height, foot] = [480, 360, 240];
  const left = { width, height, data: new Uint8Array(width * height).fill(40).fill(220, 0, foot * width) };
  const slanted = Float32Array.from({ length: width * height }, (_, i) => 5 + ((i % width) / width) * 30);
  const [disparity, trusted] = [slanted.slice(), new Uint8Array(width * height).fill(1)];
  flattenSky(disparity, trusted, left);
  expect(disparity.every((value, i) => value === slanted[i])).toBe(true);
  expect(trusted.every((one) => one === 1)).toBe(true);
});

describe('photographed pairs with measured disparity', () => {
  interface Pair {
    readonly id: string;
    readonly left: string;
    readonly right: string;
    readonly disp: string;
    readonly dispScale: number;
  }
  const index = sharedData('stereo-eval/index.json');

  // Measured: 0.138 on these four, 0.121 on all eleven (0.016 … 0.249), occluded areas included.
  const wanted = ['mb_art', 'mb_dolls', 'mb_cones', 'mb_teddy'];
  test.skipIf(index === null)(
    'less than 17 % of the pixels are off by more than two',
    { timeout: 60_000 },
    async () => {
      const folder = dirname(index as string);
      const pairs = JSON.parse(readFileSync(index as string, 'utf8')) as Pair[];
      let sum = 0;
      for (const pair of pairs.filter(({ id }) => wanted.includes(id))) {
        const eye = async (name: string): Promise<GreyPicture> => {
          const { data, info } = await sharp(join(folder, name))
            .greyscale()
            .raw()
            .toBuffer({ resolveWithObject: true });
          return { data: new Uint8Array(data), width: info.width, height: info.height };
        };
        const left = await eye(pair.left);
        const match = matchPair(left, await eye(pair.right));
        const bytes = await sharp(join(folder, pair.disp)).toColourspace('grey16').raw({ depth: 'ushort' }).toBuffer();
        const truth = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
        const at = (x: number, y: number) => (truth[y * left.width + x] as number) * pair.dispScale;
        sum += wrong(match?.disparity as Float32Array, left.width, at, 2, (x, y) => at(x, y) > 0);
      }
      expect(sum / wanted.length).toBeLessThan(0.17);
    },
  );
});

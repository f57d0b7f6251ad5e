import { describe, expect, test } from 'vitest';
import { draw } from '../testing/pictures.ts';
import type { Plane } from './plane.ts';
import { findPosts, standPosts } from './posts.ts';

const [WIDTH, HEIGHT] = [640, 480];
const HORIZON = 260;
/** Left, right, top and foot of four posts: brown before the sky and a lawn. */
const POSTS = [
  [80, 100, 150, 430],
  [250, 262, 190, 360],
  [420, 450, 90, 460],
  [550, 558, 210, 330],
] as const;

const grain = (x: number, y: number) => ((x * 7919 + y * 104729) % 23) - 11;
const meadow = (x: number, y: number): [number, number, number] =>
  y < HORIZON ? [140 + y / 6, 170 + y / 8, 225] : [80 + (y - HORIZON) / 6 + grain(x, y), 115 + grain(x, y), 50];
const lawn = draw(WIDTH, HEIGHT, (x, y) =>
  POSTS.some(([left, right, top, foot]) => x >= left && x < right && y >= top && y < foot)
    ? [95 + grain(x, y), 70 + grain(x, y), 50 + grain(x, y)]
    : meadow(x, y),
);

/** Nothing stands: the depth of a plane that rises towards the viewer. */
const plane: Plane = {
  data: Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) => Math.floor(i / WIDTH) / HEIGHT),
  width: WIDTH,
  height: HEIGHT,
};
const at = ({ data }: Plane, x: number, y: number) => data[Math.round(y) * WIDTH + Math.round(x)] as number;

describe('posts', () => {
  const depth = standPosts(plane, lawn);

  test.each(POSTS)('from %i to %i stand at the depth of their foot from top to bottom', (left, right, top, foot) => {
    const middle = (left + right) / 2;
    for (const y of [top + 4, (top + foot) / 2, foot - 4]) {
      expect(at(depth, middle, y)).toBeCloseTo((foot - 4) / HEIGHT, 1.6);
    }
    expect(at(depth, middle, top + 4)).toBeCloseTo(at(depth, middle, foot - 10), 1.9);
  });

  test('are all of it: nothing else of the picture changes', () => {
    const near = ([left, right, top, foot]: (typeof POSTS)[number], x: number, y: number) =>
      x >= left - 3 && x <= right + 3 && y >= top - 6 && y <= foot + 6;
    const changed = depth.data.findIndex((value, i) => {
      const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
      return value !== plane.data[i] && !POSTS.some((post) => near(post, x, y));
    });
    expect(changed).toBe(-1);
  });

  test('what is nearer already stays: the branch before a trunk', () => {
    const branch = { ...plane, data: plane.data.map((value, i) => (Math.floor(i / WIDTH) === 200 ? 2 : value)) };
    expect(at(standPosts(branch, lawn), 435, 200)).toBe(2);
  });
});

describe('are not taken for posts', () => {
  test('lines that lie on the ground: the middle of a road, a path that becomes narrow', () => {
    const road = draw(WIDTH, HEIGHT, (x, y) => {
      const away = (y - HORIZON) / (HEIGHT - HORIZON);
      if (away < 0.02) return meadow(x, y);
      if (x > 315 && x < 325) return [230, 230, 225];
      if (Math.abs(x - 130) < 6 + 34 * away) return [170 + grain(x, y), 150, 120];
      return [90 + grain(x, y), 90 + grain(x, y), 95];
    });
    expect(findPosts(road)).toEqual([]);
  });

  test('leaves and stones, which have edges in all directions', () => {
    const noise = (x: number, y: number) => {
      const mixed = Math.imul((x * 374761393 + y * 668265263) | 0, 1274126177);
      return ((mixed ^ (mixed >>> 16)) >>> 0) % 200;
    };
    const leaves = draw(WIDTH, HEIGHT, (x, y) => {
      const value = noise(Math.floor(x / 4), Math.floor(y / 4));
      return [value, 40 + value / 2, 30];
    });
    expect(findPosts(leaves)).toEqual([]);
  });

  test('pictures without any edge', () => {
    expect(findPosts(draw(WIDTH, HEIGHT, () => [128, 128, 128]))).toEqual([]);
    expect(findPosts(draw(1, 1, () => [128, 128, 128]))).toEqual([]);
    expect(findPosts(draw(640, 1, (x) => [x % 256, 0, 0]))).toEqual([]);
    expect(findPosts(draw(2, 640, (x) => [x * 200, 0, 0]))).toEqual([]);
  });
});

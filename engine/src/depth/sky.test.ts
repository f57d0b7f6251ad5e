import { describe, expect, test } from 'vitest';
import { createPlane, GRID_HEIGHT, GRID_WIDTH } from './plane.ts';
import { confirmSky, findSky } from './sky.ts';

type Rgb = readonly [number, number, number];
const BLUE: Rgb = [120, 160, 230];
const WHITE: Rgb = [230, 225, 215];
const GRASS: Rgb = [70, 100, 40];

/** Draws a picture at the size used by the sky detection, cell by cell. */
function draw(colour: (x: number, y: number) => Rgb): Uint8Array {
  const rgb = new Uint8Array(4 * GRID_WIDTH * GRID_HEIGHT * 3);
  for (let y = 0; y < 2 * GRID_HEIGHT; y++) {
    for (let x = 0; x < 2 * GRID_WIDTH; x++) rgb.set(colour(x >> 1, y >> 1), 3 * (2 * GRID_WIDTH * y + x));
  }
  return rgb;
}

const share = (sky: Uint8Array) => sky.reduce((sum, cell) => sum + cell, 0) / sky.length;

describe('finding the sky', () => {
  test.each([
    ['blue', BLUE],
    ['white', WHITE],
  ])('a %s sky reaches down to the ground, apart from the blur of the measure at the horizon', (_, colour) => {
    const sky = findSky(draw((_x, y) => (y < 40 ? colour : GRASS)));
    expect(share(sky)).toBeGreaterThan(34 / 96);
    expect(share(sky)).toBeLessThanOrEqual(40 / 96);
  });

  test.each([
    ['green', [110, 180, 60] as Rgb],
    ['dark', [60, 70, 100] as Rgb],
    ['reddish', [200, 170, 150] as Rgb],
  ])('a %s surface at the top is none', (_, colour) => {
    expect(share(findSky(draw(() => colour)))).toBe(0);
  });

  test('a rough surface is none', () => {
    expect(share(findSky(draw((x, y) => ((x + y) % 2 ? BLUE : [150, 190, 255]))))).toBe(0);
  });

  test('a bright wall that does not reach the top is none', () => {
    expect(share(findSky(draw((_x, y) => (y < 20 ? GRASS : WHITE))))).toBe(0);
  });

  test('it stops at a step of the colour and goes on over a gentle gradient', () => {
    const gradient = draw((_x, y) => [120, 150, 180 + Math.min(60, y)]);
    expect(share(findSky(gradient))).toBeGreaterThan(0.7);
    const step = draw((x) => (x < 64 ? BLUE : [140, 180, 250]));
    expect(findSky(step)[10]).toBe(1);
    const behindStep = draw((_x, y) => (y < 30 ? BLUE : [135, 172, 235]));
    expect(share(findSky(behindStep))).toBeLessThan(31 / 96);
  });

  test('below three quarters of the height it does not grow downwards', () => {
    const sky = findSky(draw(() => BLUE));
    expect(sky[72 * GRID_WIDTH]).toBe(1);
    expect(sky[73 * GRID_WIDTH]).toBe(0);
  });

  test('a sliver of less than three percent is dropped', () => {
    expect(share(findSky(draw((x, y) => (x < 18 && y < 18 ? WHITE : GRASS))))).toBe(0);
  });
});

describe('confirming the sky', () => {
  const sky = findSky(draw((_x, y) => (y < 40 ? WHITE : GRASS)));
  const network = (depth: (y: number) => number) => {
    const plane = createPlane(GRID_WIDTH, GRID_HEIGHT);
    return { ...plane, data: plane.data.map((_, cell) => depth(Math.floor(cell / GRID_WIDTH))) };
  };

  test('what the network sees far away stays, however large', () => {
    expect(
      confirmSky(
        sky,
        network((y) => y),
      )?.data,
    ).toEqual(Float32Array.from(sky));
  });

  test('a white ceiling nearer than the wall under it is none', () => {
    expect(
      confirmSky(
        sky,
        network((y) => Math.abs(y - 50)),
      ),
    ).toBeNull();
  });
});

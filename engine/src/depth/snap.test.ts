import { describe, expect, test } from 'vitest';
import type { Plane } from './plane.ts';
import { snapToMatte } from './snap.ts';

/** A width for which the square window (1/30 of it) has an odd side and thus a centre. */
const WIDTH = 150;
const HEIGHT = 90;
const plane = (value: (x: number, y: number) => number): Plane => ({
  data: Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) => value(i % WIDTH, Math.floor(i / WIDTH))),
  width: WIDTH,
  height: HEIGHT,
});
const inBox = (x: number, y: number) => x >= 30 && x < 70 && y >= 20 && y < 60;
const box = plane((x, y) => (inBox(x, y) ? 1 : 0));
const value = (map: Plane, x: number, y: number) => map.data[y * map.width + x] as number;

describe('snapping to the matte', () => {
  test('a subject that lies behind its surround comes to stand before it by 0.3 deviations of the picture', () => {
    const depth = plane((x, y) => (inBox(x, y) ? -1 : 0));
    const share = (40 * 40) / (WIDTH * HEIGHT);
    const deviation = Math.sqrt(share * (1 - share));
    const out = snapToMatte(depth, box);
    expect(value(out, 50, 40)).toBeCloseTo(0.3 * deviation, 5);
    expect(value(out, 30, 20)).toBeCloseTo(0.3 * deviation, 5);
  });

  test('a subject that stands out keeps its median and three fifths of its relief', () => {
    const depth = plane((x, y) => (inBox(x, y) ? 5 + (x - 49.5) / 20 : 0));
    const out = snapToMatte(depth, box);
    expect(value(out, 69, 40) - value(out, 30, 40)).toBeCloseTo(0.6 * (39 / 20), 4);
    expect((value(out, 49, 40) + value(out, 50, 40)) / 2).toBeCloseTo(5, 4);
  });

  test.each([
    ['twice as tall as wide stands: its top is as near as its foot', 40, 80, 0],
    ['three quarters of the way there keeps a half of its lean', 40, 70, 0.5],
    ['as tall as wide keeps its lean', 40, 40, 1],
  ])('a subject %s, and its relief across', (_, wide, tall, share) => {
    const inside = (x: number, y: number) => x >= 30 && x < 30 + wide && y >= 5 && y < 5 + tall;
    const depth = plane((x, y) => (inside(x, y) ? 9 + x / 20 + y / 20 : 0));
    const matte = plane((x, y) => (inside(x, y) ? 1 : 0));
    const out = snapToMatte(depth, matte);
    expect(value(out, 50, 4 + tall) - value(out, 50, 5)).toBeCloseTo((0.6 * share * (tall - 1)) / 20, 4);
    expect(value(out, 29 + wide, 20) - value(out, 30, 20)).toBeCloseTo((0.6 * (wide - 1)) / 20, 4);
  });

  test.each([
    ['sure of', 0.9, 1],
    ['half sure of', 0.8, 0.5],
    ['unsure of', 0.7, 0],
  ])('what the matte is %s is lifted accordingly', (_, opacity, share) => {
    const depth = plane((x, y) => (inBox(x, y) ? -1 : 0));
    const whole = value(snapToMatte(depth, box), 50, 40) + 1;
    const faint = plane((x, y) => (inBox(x, y) ? opacity : 0));
    expect(value(snapToMatte(depth, faint), 50, 40) + 1).toBeCloseTo(share * whole, 5);
  });

  test('nothing changes outside, nor within what is too small to be an object', () => {
    const depth = plane((x, y) => Math.sin(x / 9) + y / 40);
    const speck = plane((x, y) => (x < 6 && y < 7 ? 1 : 0));
    expect(snapToMatte(depth, speck).data).toEqual(depth.data);
    const out = snapToMatte(depth, box);
    expect(value(out, 29, 40)).toBe(value(depth, 29, 40));
    expect(value(out, 70, 40)).toBe(value(depth, 70, 40));
  });

  test('only the immediate surround counts, whatever lies farther off', () => {
    const farOff = (x: number, y: number) => x < 10 || x > 90 || y > 80;
    const depth = plane((x, y) => (inBox(x, y) ? 1 : farOff(x, y) ? 3 : 0));
    expect(value(snapToMatte(depth, box), 50, 40)).toBeCloseTo(1, 5);
  });

  test('another subject close by is no surround', () => {
    const inOther = (x: number, y: number) => x < 29 || x > 70 || y < 19 || y > 60;
    const depth = plane((x, y) => (inOther(x, y) ? 3 : inBox(x, y) ? 1 : 0));
    const both = plane((x, y) => (inOther(x, y) || inBox(x, y) ? 1 : 0));
    expect(value(snapToMatte(depth, both), 50, 40)).toBeCloseTo(1, 5);
  });

  test('a matte that covers the whole picture has no surround to stand out from', () => {
    const depth = plane((x) => x / WIDTH);
    const everything = plane(() => 1);
    const out = snapToMatte(depth, everything);
    const lift = value(out, 0, 0);
    expect(value(out, 149, 89) - lift).toBeCloseTo(0.6 * (149 / WIDTH), 4);
    expect(out.data.every(Number.isFinite)).toBe(true);
  });
});

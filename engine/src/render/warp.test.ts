import { beforeAll, describe, expect, test } from 'vitest';
import { requireBuilt } from '../testing/built.ts';
import { RowWarp } from './warp.ts';

beforeAll(requireBuilt);

const WIDTH = 40;

interface Row {
  readonly grey: (x: number) => number;
  readonly effect?: (x: number) => number;
  readonly back?: (x: number) => number;
  readonly backEffect?: number;
}

/** Draws one row and returns the red channel of each view; checks that green and blue are equal to it. */
function drawn({ grey, effect = () => 0, back = grey, backEffect = 0 }: Row, reaches: number[], zoom = 1, inset = 0) {
  const warp = new RowWarp(WIDTH, WIDTH, reaches);
  const colour = new Uint8Array(3 * WIDTH);
  for (let x = 0; x < WIDTH; x++) {
    colour.fill(grey(x), 3 * x, 3 * x + 3);
    warp.effect[x] = effect(x);
    warp.backUpper.fill(back(x), 3 * x, 3 * x + 3);
    warp.backEffect[x] = backEffect;
  }
  warp.backLower.set(warp.backUpper);
  const packed = new Uint8Array(3 * WIDTH * reaches.length);
  const places = reaches.map((_, view) => 3 * WIDTH * view);
  warp.draw(colour, zoom, inset, 0, packed, places);
  return places.map((place) => {
    const row = packed.subarray(place, place + 3 * WIDTH);
    for (let x = 0; x < WIDTH; x++) {
      expect(row[3 * x + 1]).toBe(row[3 * x]);
      expect(row[3 * x + 2]).toBe(row[3 * x]);
    }
    return Array.from({ length: WIDTH }, (_, x) => row[3 * x] as number);
  });
}

const texture = (x: number) => Math.round(128 + 90 * Math.sin(x * 0.9) + 30 * Math.sin(x * 2.3));
const bar = (x: number) => (x >= 15 && x < 20 ? 1 : 0);

describe('the row warp', () => {
  test('leaves a row as it is when nothing moves', () => {
    const plain = Array.from({ length: WIDTH }, (_, x) => texture(x));
    expect(drawn({ grey: texture, effect: bar }, [0])).toEqual([plain]);
    expect(drawn({ grey: texture }, [7])).toEqual([plain]);
  });

  test('moves a flat surface by whole pixels exactly, and by half a pixel as Catmull and Rom interpolate', () => {
    const [right, half] = drawn({ grey: texture, effect: () => 1 }, [3, -0.5]) as [number[], number[]];
    for (let x = 5; x < 38; x++) expect(right[x]).toBe(texture(x - 3));
    for (let x = 3; x < 36; x++) {
      const cubic = (9 * (texture(x) + texture(x + 1)) - texture(x - 1) - texture(x + 2)) / 16;
      expect(Math.abs((half[x] as number) - cubic)).toBeLessThanOrEqual(0.51);
    }
  });

  test('draws a near thing over what is far, on either side', () => {
    const grey = (x: number) => (bar(x) ? 200 : 40);
    const [right, left] = drawn({ grey, effect: bar, back: () => 40 }, [6, -6]) as [number[], number[]];
    for (let x = 22; x < 25; x++) expect(right[x]).toBe(200);
    for (let x = 10; x < 13; x++) expect(left[x]).toBe(200);
    expect(right[18]).toBe(40);
    expect(left[17]).toBe(40);
  });

  test('shows the background layer, at its own place, where a near thing went away', () => {
    const grey = (x: number) => (bar(x) ? 200 : 40);
    const back = (x: number) => 100 + x;
    const [right, left] = drawn({ grey, effect: bar, back }, [10, -10]) as [number[], number[]];
    for (const view of [right, left]) {
      for (let x = 16; x < 19; x++) expect(view[x]).toBe(100 + x);
      expect(view.filter((value) => value > 100 && value < 200)).toHaveLength(5);
    }
  });

  test('moves the background layer with its own depth', () => {
    const grey = (x: number) => (bar(x) ? 200 : 40);
    const effect = (x: number) => (bar(x) ? 1 : -0.5);
    const [view] = drawn({ grey, effect, back: (x) => 100 + x, backEffect: -0.5 }, [8]) as [number[]];
    // The ground moves 4 to the left: behind the bar it is disoccluded at 11 … 16.
    for (let x = 12; x < 15; x++) expect(view[x]).toBe(100 + x + 4);
  });

  test('lets a thin thing pass over a hole and shows what lies beyond it', () => {
    const grey = (x: number) => (x === 20 ? 250 : 2 * x);
    const [view] = drawn({ grey, effect: (x) => (x === 20 ? 1 : 0), back: (x) => 2 * x }, [-9]) as [number[]];
    expect(view[11]).toBeGreaterThan(245);
    for (let x = 13; x < 19; x++) expect(view[x]).toBe(2 * x);
    for (let x = 22; x < WIDTH; x++) expect(view[x]).toBe(2 * x);
  });

  test('leaves no crack and no black where a surface stretches, tears and folds', () => {
    const effects = [
      (x: number) => Math.sin(x * 1.7),
      (x: number) => (x % 3) / 2,
      (x: number) => x / WIDTH,
      (x: number) => (x % 2 ? 1 : -1),
      (x: number) => ((x * 7919) % 13) / 13 - 0.5,
    ];
    for (const effect of effects) {
      for (const view of drawn({ grey: () => 180, effect, back: () => 180 }, [-17.3, -4.01, -1, 0.3, 1.99, 8.5])) {
        expect(Math.min(...view)).toBeGreaterThanOrEqual(179);
        expect(Math.max(...view)).toBeLessThanOrEqual(181);
      }
    }
  });

  test('over-scan stretches the row about what is left of it', () => {
    const inset = 2;
    const [view] = drawn({ grey: (x) => 4 * x }, [0], WIDTH / (WIDTH - 2 * inset), inset) as [number[]];
    for (let x = 0; x < WIDTH; x++) {
      const source = inset + ((x + 0.5) * (WIDTH - 2 * inset)) / WIDTH - 0.5;
      expect(Math.abs((view[x] as number) - 4 * source)).toBeLessThan(0.6);
    }
  });

  test('gives the same bytes wherever the row comes from and wherever the views’ rows go', () => {
    const colour = Uint8Array.from({ length: 3 * WIDTH }, (_, i) => (i * 37) % 256);
    const results = Array.from({ length: 9 }, (_, skew) => {
      const warp = new RowWarp(WIDTH, WIDTH, [2.5, -1.5]);
      const from = new Uint8Array(new SharedArrayBuffer(3 * WIDTH + skew), skew);
      from.set(colour);
      for (let x = 0; x < WIDTH; x++) warp.effect[x] = bar(x);
      const packed = new Uint8Array(new SharedArrayBuffer(8 * WIDTH)).fill(7);
      const places = [skew, 3 * WIDTH + 20 - skew];
      warp.draw(from, 1, 0, 0, packed, places);
      const rows = places.map((place) => packed.slice(place, place + 3 * WIDTH));
      expect(packed.filter((_, i) => places.every((place) => i < place || i >= place + 3 * WIDTH))).toEqual(
        new Uint8Array(2 * WIDTH).fill(7),
      );
      return rows.map((row) => Buffer.from(row).toString('base64')).join();
    });
    expect(new Set(results).size).toBe(1);
  });

  test('rows of 4096 pixels keep their brightness to the last pixel', () => {
    const warp = new RowWarp(4096, 1280, [0.37]);
    warp.effect.fill(1);
    warp.backUpper.fill(201);
    warp.backLower.fill(201);
    const row = new Uint8Array(3 * 4096);
    warp.draw(new Uint8Array(3 * 4096).fill(201), 1, 0, 0, row, [0]);
    expect(row.every((value) => Math.abs(value - 201) <= 1)).toBe(true);
  });
});

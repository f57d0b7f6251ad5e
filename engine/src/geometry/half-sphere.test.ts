import { expect, test } from 'vitest';
import type { Size } from '../types.ts';
import { HalfSphere, halfSphereSide, longestFlatSide } from './half-sphere.ts';

/** Draws one channel of a picture on a half sphere. */
function onSphere(flat: Size, draw: (x: number, y: number) => number, black = 0) {
  const side = halfSphereSide(flat);
  const data = Uint8Array.from({ length: flat.width * flat.height }, (_, i) =>
    draw(i % flat.width, Math.floor(i / flat.width)),
  );
  const sphere = new Uint8Array(side * side).fill(black);
  const samples = { data, at: 0, stride: flat.width };
  new HalfSphere(flat, side, 1).draw(samples, { data: sphere, at: 0, stride: side }, black);
  return { side, at: (column: number, row: number) => sphere[row * side + column] as number };
}

/** Centre of brightness along a line, in pixels; 0.5 is the middle of the first one. */
function centre(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.reduce((total, value, i) => total + value * (i + 0.5), 0) / sum;
}

const degrees = (radians: number) => (180 * radians) / Math.PI;
const LANDSCAPE = { width: 640, height: 400 };
const PORTRAIT = { width: 400, height: 640 };
/** 60 degrees along the longer side of 640 pixels. */
const FOCAL = 320 * Math.sqrt(3);

test('a straight upright line stands at its longitude, at every height', () => {
  for (const flat of [LANDSCAPE, PORTRAIT]) {
    for (const column of [20, 130, 300, flat.width - 31]) {
      const { side, at } = onSphere(flat, (x) => (x === column ? 250 : 0));
      const longitude = degrees(Math.atan((column + 0.5 - flat.width / 2) / FOCAL));
      for (const latitude of [-12, -4, 0, 9]) {
        const row = Math.floor(((latitude + 90) / 180) * side);
        const found = centre(Array.from({ length: side }, (_, x) => at(x, row)));
        expect(Math.abs(found - ((longitude + 90) / 180) * side), `${column} at ${latitude}`).toBeLessThan(0.1);
      }
    }
  }
});

test('a straight level line bends towards the middle at its sides, and not in the middle', () => {
  const line = 70;
  const { side, at } = onSphere(LANDSCAPE, (_, y) => (y === line ? 250 : 0));
  for (const longitude of [-28, -10, 0, 17]) {
    const column = Math.floor(((longitude + 90) / 180) * side);
    const seen = ((column + 0.5) / side - 0.5) * Math.PI;
    const latitude = degrees(Math.atan(((line + 0.5 - 200) / FOCAL) * Math.cos(seen)));
    const found = centre(Array.from({ length: side }, (_, y) => at(column, y)));
    expect(Math.abs(found - ((latitude + 90) / 180) * side), `${longitude}`).toBeLessThan(0.1);
  }
});

test('a picture reaches from −30 to 30 degrees along its longer side; what is around it stays black', () => {
  const black = 16;
  const { side, at } = onSphere(LANDSCAPE, () => 200, black);
  const row = side / 2;
  const edges = [-30, 30].map((angle) => ((angle + 90) / 180) * side) as [number, number];
  for (let x = 0; x < side; x++) {
    if (x < edges[0] - 3 || x > edges[1] + 3) expect([x, at(x, row)]).toEqual([x, black]);
    if (x > edges[0] + 3 && x < edges[1] - 3) expect([x, at(x, row)]).toEqual([x, 200]);
  }
  const lit = Array.from({ length: side }, (_, x) => (at(x, row) - black) / (200 - black)).reduce((a, b) => a + b, 0);
  expect(Math.abs(lit - side / 3)).toBeLessThan(0.5);
  for (const place of [0, side - 1]) expect(at(side / 2, place)).toBe(black);
  const above = degrees(Math.atan(200 / FOCAL));
  const tall = Array.from({ length: side }, (_, y) => (at(side / 2, y) - black) / (200 - black));
  expect(Math.abs(tall.reduce((a, b) => a + b, 0) - (above / 90) * side)).toBeLessThan(0.5);
});

test('its middle keeps its pixels', () => {
  // The finest stripes that there are, with all of their contrast.
  const { side, at } = onSphere(LANDSCAPE, (x) => (x % 2 === 0 ? 200 : 40));
  expect(Math.abs(side / (Math.PI * FOCAL) - 1)).toBeLessThan(0.002);
  const middle = Array.from({ length: 8 }, (_, i) => at(side / 2 - 4 + i, side / 2));
  expect(Math.max(...middle) - Math.min(...middle)).toBeGreaterThan(140);
});

test('stripes that are too fine at its edges fade to grey, not to wider stripes', () => {
  const { side, at } = onSphere(LANDSCAPE, (x) => (x % 2 === 0 ? 200 : 40));
  // Where the picture is squeezed by 1.3, the alias of these stripes would have a period of some four pixels.
  const edge = Math.round(((28 + 90) / 180) * side);
  const values = Array.from({ length: 12 }, (_, i) => at(edge - 6 + i, side / 2));
  for (const value of values) expect(Math.abs(value - 120)).toBeLessThan(40);
});

test('the longest side that fits is the longest one', () => {
  for (const side of [2048, 4096]) {
    const longest = longestFlatSide(side);
    expect(halfSphereSide({ width: longest, height: 100 })).toBeLessThanOrEqual(side);
    expect(halfSphereSide({ width: longest + 4, height: 100 })).toBeGreaterThan(side);
  }
});

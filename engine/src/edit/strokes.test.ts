import { describe, expect, it } from 'vitest';
import type { Size, Stroke } from '../types.ts';
import { applyStrokes, type PaintGuide } from './strokes.ts';

const size: Size = { width: 200, height: 150 };

/** A red left half and a blue right half, both with slight noise. */
function halves({ width, height }: Size, border = 0.5): PaintGuide {
  const data = new Uint8Array(3 * width * height);
  let state = 7;
  for (let i = 0; i < width * height; i++) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    const grain = (state % 9) - 4;
    const left = (i % width) + 0.5 < border * width;
    data.set(left ? [190 + grain, 70 + grain, 60 + grain] : [60 + grain, 90 + grain, 180 + grain], 3 * i);
  }
  return { data, width, height, channels: 3 };
}

const even = ({ width, height }: Size, value = 0.5) => new Float32Array(width * height).fill(value);
const at = (depth: Float32Array, { width, height }: Size, u: number, v: number) =>
  depth[Math.floor(v * height) * width + Math.floor(u * width)] as number;
const stroke = (more: Partial<Stroke> = {}): Stroke => ({
  kind: 'near',
  radius: 0.2,
  amount: 0.4,
  points: [
    [0.44, 0.3],
    [0.44, 0.7],
  ],
  ...more,
});

describe('a stroke', () => {
  it('moves what lies under it by its amount, softly towards its rim, and leaves the rest', () => {
    const painted = applyStrokes(even(size), size, halves(size, 1), [stroke()]);
    expect(at(painted, size, 0.44, 0.5)).toBeCloseTo(0.9);
    expect(at(painted, size, 0.37, 0.5)).toBeCloseTo(0.9);
    const soft = at(painted, size, 0.29, 0.5);
    expect(soft).toBeGreaterThan(0.51);
    expect(soft).toBeLessThan(0.89);
    expect(at(painted, size, 0.2, 0.5)).toBe(0.5);
    expect(at(painted, size, 0.44, 0.01)).toBe(0.5);
  });

  it('stays on its side of an edge of the picture that its brush reaches over', () => {
    const guide = halves(size);
    const painted = applyStrokes(even(size), size, guide, [stroke()]);
    expect(at(painted, size, 0.48, 0.5)).toBeGreaterThan(0.85);
    for (const u of [0.515, 0.53, 0.6]) expect(at(painted, size, u, 0.5), `at ${u}`).toBeLessThan(0.52);
    // Without an edge in between, the same brush reaches this far.
    expect(at(applyStrokes(even(size), size, halves(size, 1), [stroke()]), size, 0.53, 0.5)).toBeGreaterThan(0.85);
  });

  it('stays on its side of an edge of the depth where the colours are alike', () => {
    const depth = even(size).map((_, i) => (i % size.width < size.width / 2 ? 0.6 : 0.2));
    const painted = applyStrokes(depth, size, halves(size, 1), [stroke({ kind: 'far', amount: 0.3 })]);
    expect(at(painted, size, 0.48, 0.5)).toBeLessThan(0.35);
    expect(at(painted, size, 0.52, 0.5)).toBeCloseTo(0.2, 2);
  });

  it('goes around a corner only where nothing is in the way', () => {
    const guide = halves(size);
    const painted = applyStrokes(even(size), size, guide, [stroke({ points: [[0.3, 0.5]], radius: 1 })]);
    expect(at(painted, size, 0.3, 0.05)).toBeGreaterThan(0.7);
    expect(at(painted, size, 0.7, 0.5)).toBeLessThan(0.52);
  });

  it('never leaves the range of a depth', () => {
    const strokes = [stroke({ amount: 1 }), stroke({ amount: 1 }), stroke({ kind: 'far', amount: 1 })];
    for (let count = 1; count <= strokes.length; count++) {
      const painted = applyStrokes(even(size), size, halves(size, 1), strokes.slice(0, count));
      expect(painted.every((value) => value >= 0 && value <= 1)).toBe(true);
    }
  });

  it('flattens towards the middle of what lies under it, by its amount', () => {
    const depth = even(size).map((_, i) => 0.4 + 0.2 * ((i % size.width) / size.width));
    const flat = applyStrokes(depth, size, halves(size, 1), [stroke({ kind: 'flatten', amount: 1 })]);
    expect(at(flat, size, 0.4, 0.5)).toBeCloseTo(at(flat, size, 0.48, 0.5), 3);
    const half = applyStrokes(depth, size, halves(size, 1), [stroke({ kind: 'flatten', amount: 0.5 })]);
    const slope = (map: Float32Array) => at(map, size, 0.48, 0.5) - at(map, size, 0.4, 0.5);
    expect(slope(half)).toBeCloseTo(slope(depth) / 2, 3);
  });

  it('may be a single point, at the very corner', () => {
    const painted = applyStrokes(even(size), size, halves(size, 1), [stroke({ points: [[1, 1]] })]);
    expect(painted.at(-1)).toBeCloseTo(0.9);
  });
});

describe('several strokes', () => {
  const near = stroke({ amount: 0.3 });
  const flatten = stroke({ kind: 'flatten', amount: 1, points: [[0.35, 0.5]], radius: 0.3 });
  const depth = even(size).map((_, i) => 0.3 + 0.1 * ((i % size.width) / size.width));

  it('are painted in their order', () => {
    const guide = halves(size, 1);
    const one = applyStrokes(depth, size, guide, [near, flatten]);
    const other = applyStrokes(depth, size, guide, [flatten, near]);
    expect(one.some((value, i) => Math.abs(value - (other[i] as number)) > 0.02)).toBe(true);
  });

  it('are undone by leaving the last ones out, to the bit', () => {
    const guide = halves(size);
    const before = depth.slice();
    const first = applyStrokes(depth, size, guide, [near]);
    applyStrokes(depth, size, guide, [near, flatten]);
    expect(applyStrokes(depth, size, guide, [near])).toEqual(first);
    expect(applyStrokes(depth, size, guide, [])).toEqual(before);
    expect(depth).toEqual(before);
  });

  it('give the same depth on another one painted before them as all together', () => {
    const guide = halves(size);
    const first = applyStrokes(depth, size, guide, [near]);
    expect(applyStrokes(first, size, guide, [flatten])).toEqual(applyStrokes(depth, size, guide, [near, flatten]));
  });
});

it('paints the same at the sizes of the browser and of the server', () => {
  const small = { width: 480, height: 640 };
  const large = { width: 960, height: 1280 };
  const brush = stroke({
    points: [
      [0.42, 0.4],
      [0.46, 0.6],
    ],
    radius: 0.15,
  });
  const onServer = applyStrokes(even(small), small, halves({ width: 1500, height: 2000 }), [brush]);
  const inBrowser = applyStrokes(even(large), large, halves(large), [brush]);
  let sum = 0;
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const there = at(inBrowser, large, (x + 0.5) / small.width, (y + 0.5) / small.height);
      sum += Math.abs((onServer[y * small.width + x] as number) - there);
    }
  }
  expect(sum / (small.width * small.height)).toBeLessThan(0.002);
});

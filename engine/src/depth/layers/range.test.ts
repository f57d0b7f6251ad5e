import { describe, expect, test } from 'vitest';
import type { DepthMap } from '../../types.ts';
import { normaliseDepth } from './range.ts';

const map = (values: readonly number[]): DepthMap => ({
  data: Float32Array.from(values),
  width: values.length,
  height: 1,
  source: 'basic',
});

describe('the range of a depth map', () => {
  test('is stretched between its percentiles, so that a few outliers do not squeeze the rest', () => {
    const values = Array.from({ length: 1000 }, (_, i) => 0.4 + 0.0002 * i);
    const out = normaliseDepth(map([...values, 0.0, 1.0]));
    expect(out[5]).toBeLessThan(100);
    expect(out[500]).toBeGreaterThan(31000);
    expect(out[500]).toBeLessThan(34500);
    expect(out[995]).toBeGreaterThan(65400);
    expect([out[1000], out[1001]]).toEqual([0, 65535]);
  });

  test('of a flat map is the middle everywhere: nothing is divided by zero', () => {
    expect([...normaliseDepth(map([0.5, 0.5, 0.5]))]).toEqual([32768, 32768, 32768]);
    expect([...normaliseDepth(map([0.7, 0.703, 0.7]))]).toEqual([32768, 32768, 32768]);
  });

  test('keeps a thing that is smaller than the outliers, when it is all there is', () => {
    const out = normaliseDepth(map([...new Array(999).fill(0), 1]));
    expect(out[0]).toBe(0);
    expect(out[999]).toBe(65535);
  });

  test('[V54] counts values that are not finite as farthest', () => {
    const out = normaliseDepth(map([Number.NaN, Number.POSITIVE_INFINITY, 0, 1, 0.5, Number.NEGATIVE_INFINITY]));
    expect([...out]).toEqual([0, 0, 0, 65535, 32768, 0]);
    expect([...normaliseDepth(map([Number.NaN, Number.NaN]))]).toEqual([32768, 32768]);
  });

  test('[V57] puts the sky, however noisy, at exactly the farthest', () => {
    const sky = Array.from({ length: 400 }, (_, i) => 0.0001 * (i % 3));
    const ground = Array.from({ length: 600 }, (_, i) => 0.2 + 0.001 * i);
    const out = normaliseDepth(map([...sky, ...ground]));
    expect(Math.max(...out.subarray(0, 400))).toBeLessThan(30);
  });
});

import { describe, expect, test } from 'vitest';
import {
  correlation,
  median,
  normaliseRange,
  normaliseSpread,
  quantile,
  selectInPlace,
  standardDeviation,
} from './statistics.ts';

const values = (...list: number[]) => Float32Array.from(list);
/** Deterministic values with many duplicates. */
const many = Float32Array.from({ length: 1001 }, (_, i) => (i * 7919) % 313);

describe('order statistics', () => {
  test('the k-th smallest value is the one a full sort would give', () => {
    const sorted = many.toSorted();
    for (const k of [0, 1, 250, 500, 999, 1000]) expect(selectInPlace(many.slice(), k)).toBe(sorted[k]);
  });

  test('quantiles lie between neighbours as in numpy', () => {
    expect(quantile(values(4, 1, 3, 2), 0)).toBe(1);
    expect(quantile(values(4, 1, 3, 2), 1)).toBe(4);
    expect(quantile(values(4, 1, 3, 2), 0.25)).toBeCloseTo(1.75, 6);
    expect(median(values(4, 1, 3, 2))).toBe(2.5);
    expect(median(values(7))).toBe(7);
  });

  test('the input keeps its order', () => {
    const list = values(3, 1, 2);
    median(list);
    expect([...list]).toEqual([3, 1, 2]);
  });
});

test('the standard deviation is that of the whole population', () => {
  expect(standardDeviation(values(2, 4, 4, 4, 5, 5, 7, 9))).toBeCloseTo(2, 6);
});

test('the correlation depends on neither scale nor shift, and nothing flat has one', () => {
  const list = values(1, 5, 2, 8);
  expect(correlation(list, [12, 20, 14, 26])).toBeCloseTo(1, 6);
  expect(correlation(list, [-2, -10, -4, -16])).toBeCloseTo(-1, 6);
  // numpy.corrcoef
  expect(correlation(list, [3, 1, 4, 1])).toBeCloseTo(-0.8433, 4);
  expect(correlation(list, [7, 7, 7, 7])).toBe(0);
  expect(correlation([], [])).toBe(0);
});

describe('normalising the spread', () => {
  test('gives median 0 and mean absolute deviation 1', () => {
    const z = normaliseSpread(values(1, 2, 3, 10));
    expect(median(z)).toBeCloseTo(0, 5);
    expect(z.reduce((sum, v) => sum + Math.abs(v), 0) / 4).toBeCloseTo(1, 5);
  });

  test('turns a flat map into zeros', () => {
    expect([...normaliseSpread(values(5, 5, 5))]).toEqual([0, 0, 0]);
  });
});

describe('normalising the range', () => {
  test('stretches to 0 … 1 and clamps the outermost half percent at each end', () => {
    const ranked = normaliseRange(Float32Array.from({ length: 2001 }, (_, i) => i));
    expect(ranked[10]).toBe(0);
    expect(ranked[11]).toBeGreaterThan(0);
    expect(ranked[1000]).toBeCloseTo(0.5, 6);
    expect(ranked[1989]).toBeLessThan(1);
    expect(ranked[1990]).toBe(1);
    expect(ranked[2000]).toBe(1);
  });

  test('turns a flat map into all 0.5', () => {
    expect([...normaliseRange(values(3, 3))]).toEqual([0.5, 0.5]);
  });
});

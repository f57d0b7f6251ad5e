import { expect, test } from 'vitest';
import { countBroken, fillBroken, isFlat } from './repair.ts';

const { NaN: nan, POSITIVE_INFINITY: infinite } = Number;
const plane = (width: number, ...values: number[]) => ({
  data: Float32Array.from(values),
  width,
  height: values.length / width,
});

test('values that are no numbers take the mean of their sound neighbours', () => {
  const broken = plane(3, 1, 1, 1, 2, nan, 2, 3, infinite, 3);
  expect(countBroken(broken)).toBe(2);
  const whole = fillBroken(broken);
  expect(countBroken(whole)).toBe(0);
  expect(whole.data[4]).toBeCloseTo((1 + 1 + 1 + 2 + 2 + 3 + 3) / 7, 5);
  expect(whole.data[0]).toBe(1);
});

test('a wide hole is filled from its rims inwards', () => {
  const row = plane(7, 0, nan, nan, nan, nan, nan, 6);
  expect([...fillBroken(row).data]).toEqual([0, 0, 0, 3, 6, 6, 6]);
});

test('a map without any sound value stays, and ends', () => {
  expect(countBroken(fillBroken(plane(2, nan, nan, nan, nan)))).toBe(4);
});

test('a map that says nothing is told from one that does', () => {
  expect(isFlat(plane(2, 5, 5, 5, 5))).toBe(true);
  expect(isFlat(plane(2, nan, nan, nan, infinite))).toBe(true);
  expect(isFlat(plane(2, 1e6, 1e6 + 0.06, 1e6, 1e6))).toBe(true);
  expect(isFlat(plane(2, 0, 0.01, 0, nan))).toBe(false);
});

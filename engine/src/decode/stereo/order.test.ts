import { expect, test } from 'vitest';
import { isExchanged, leftComesFirst } from './order.ts';

const [WIDTH, HEIGHT] = [100, 60];

/** Rates a pair by brightness and disparity at each pixel of its first eye; a disparity of null is not known. */
function rated(grey: (x: number) => number, disparity: (x: number, y: number) => number | null): number {
  const at = <T>(value: (x: number, y: number) => T) =>
    Array.from({ length: WIDTH * HEIGHT }, (_, i) => value(i % WIDTH, Math.floor(i / WIDTH)));
  const found = at(disparity);
  return leftComesFirst(
    { data: Uint8Array.from(at(grey)), width: WIDTH, height: HEIGHT },
    {
      disparity: Float32Array.from(found, (value) => value ?? 0),
      trusted: Uint8Array.from(found, (value) => (value === null ? 0 : 1)),
      consistent: 1,
    },
  );
}

const plain = () => 128;

test('what is nearer further down is in order, and exchanged when it is farther', () => {
  // Half of it is in front of the display, so that only the rows tell.
  expect(isExchanged(rated(plain, (_, y) => (y - HEIGHT / 2) / 10))).toBe(false);
  expect(isExchanged(rated(plain, (_, y) => (HEIGHT / 2 - y) / 10))).toBe(true);
  expect(rated(plain, (_, y) => y - HEIGHT / 2)).toBeGreaterThan(0.9);
});

test('what only one eye sees beside an outline has the colour of what is behind it', () => {
  const steps = (x: number) => (x < 60 ? 0 : x < 68 ? null : 8);
  expect(isExchanged(rated((x) => (x < 68 ? 60 : 200), steps))).toBe(false);
  expect(isExchanged(rated((x) => (x < 60 ? 60 : 200), steps))).toBe(true);
});

test('hardly anything is far behind the display', () => {
  expect(isExchanged(rated(plain, () => -10))).toBe(true);
  expect(isExchanged(rated(plain, () => 10))).toBe(false);
});

test('the first eye is the left one in case of doubt', () => {
  expect(rated(plain, () => 0)).toBe(0);
  expect(isExchanged(rated(plain, () => -1))).toBe(false);
  expect(rated(plain, () => null)).toBe(0);
});

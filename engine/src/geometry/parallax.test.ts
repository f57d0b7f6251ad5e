import { describe, expect, test } from 'vitest';
import {
  allowedSweepPercent,
  edgeFade,
  fadeWidth,
  overscan,
  shift,
  viewPosition,
  wishedSweepPercent,
} from './index.ts';

describe('strength', () => {
  test('a light field sweeps 8 % of the longer side at 100 %, a pair 2 %, a wiggle 4 %', () => {
    const square = { width: 1000, height: 1000 };
    expect(wishedSweepPercent('views', 100, square)).toBe(8);
    expect(wishedSweepPercent('pair', 100, square)).toBe(2);
    expect(wishedSweepPercent('wiggle', 100, square)).toBe(4);
    expect(wishedSweepPercent('views', 40, square)).toBeCloseTo(3.2, 12);
    expect(wishedSweepPercent('views', 0, square)).toBe(0);
  });

  test('an upright crop refers to its height, a landscape one to its width', () => {
    expect(wishedSweepPercent('views', 100, { width: 420, height: 560 })).toBeCloseTo(10.6667, 4);
    expect(wishedSweepPercent('views', 100, { width: 1920, height: 1080 })).toBe(8);
  });

  test('[V52] no sweep is above the budget of the device, and none above 15 % of the width', () => {
    expect(allowedSweepPercent(10.7, 12)).toBe(10.7);
    expect(allowedSweepPercent(10.7, 8)).toBe(8);
    expect(allowedSweepPercent(28, 40)).toBe(15);
  });

  test('an effect that is no number is refused', () => {
    expect(() => wishedSweepPercent('pair', Number.NaN, { width: 1, height: 1 })).toThrow(RangeError);
    expect(() => wishedSweepPercent('pair', -1, { width: 1, height: 1 })).toThrow(RangeError);
  });
});

describe('the parallax formula', () => {
  test('views are spread evenly from the leftmost camera to the rightmost', () => {
    expect(viewPosition(0, 48)).toBe(-1);
    expect(viewPosition(47, 48)).toBe(1);
    expect(viewPosition(23, 47)).toBe(0);
    expect(viewPosition(0, 1)).toBe(0);
  });

  test('each eye of a pair moves by D/100 · W · (d − c) / 2: near things to the right in the left eye', () => {
    const pair = { sweep: 0.02, convergence: 0.5 };
    expect(1000 * shift(pair, -1, 1, 0.5)).toBeCloseTo(5, 10);
    expect(1000 * shift(pair, 1, 1, 0.5)).toBeCloseTo(-5, 10);
    expect(1000 * shift(pair, -1, 0, 0.5)).toBeCloseTo(-5, 10);
    expect(shift(pair, -1, 0.5, 0.5)).toBeCloseTo(0, 12);
  });

  test('golden numbers of the Portrait quilt at 100 %', () => {
    const quilt = { sweep: 0.106667, convergence: 0.4 };
    expect(420 * shift(quilt, viewPosition(0, 48), 1, 0.5)).toBeCloseTo(13.44, 3);
    expect(420 * shift(quilt, viewPosition(47, 48), 0, 0.5)).toBeCloseTo(8.96, 3);
    expect(420 * shift(quilt, viewPosition(24, 48), 1, 0.5)).toBeCloseTo(-0.286, 3);
    expect(420 * overscan(quilt)).toBeCloseTo(6.72, 3);
  });
});

describe('[V51] the edges of the frame', () => {
  test('strength fades alike at both sides, smoothly, and is whole inside', () => {
    expect(edgeFade(0, 0.2)).toBe(0.5);
    expect(edgeFade(1, 0.2)).toBe(0.5);
    expect(edgeFade(0.12, 0.2)).toBeCloseTo(0.875, 10);
    for (const u of [0.01, 0.05, 0.07, 0.15]) expect(edgeFade(1 - u, 0.2)).toBeCloseTo(edgeFade(u, 0.2), 10);
    expect(edgeFade(0.2, 0.2)).toBe(1);
    expect(edgeFade(0.5, 0.2)).toBe(1);
  });

  test('the stronger the parallax, the wider it fades: a pair over 8 % of the width, a light field over a third', () => {
    expect(fadeWidth({ sweep: 0.02, convergence: 0.5 })).toBe(0.08);
    expect(fadeWidth({ sweep: 0.106667, convergence: 0.7 })).toBeCloseTo(1 / 3, 3);
    expect(fadeWidth({ sweep: 0.15, convergence: 1 })).toBe(0.5);
  });

  test('[T16] nothing is squeezed or stretched by more than 12 %, whatever its depth and wherever it is', () => {
    for (const sweep of [0.01, 0.03, 0.08, 0.106667, 0.12, 0.15])
      for (const convergence of [0, 0.3, 0.5, 0.7, 1])
        for (const depth of [0, 1]) {
          const place = (i: number) => shift({ sweep, convergence }, 1, depth, i / 500);
          const changes = Array.from({ length: 500 }, (_, i) => Math.abs(place(i + 1) - place(i)) * 500);
          expect(Math.max(...changes), `${sweep} ${convergence} ${depth}`).toBeLessThan(0.12);
        }
  });

  test('the over-scan hides every strip that opens at the left or the right edge', () => {
    for (const convergence of [0.3, 0.5, 0.7]) {
      const parallax = { sweep: 0.15, convergence };
      const inset = overscan(parallax);
      expect(inset).toBeLessThan(0.0265);
      for (const position of [-1, 1]) {
        for (const depth of [0, 1]) {
          expect(shift(parallax, position, depth, 0)).toBeLessThanOrEqual(inset + 1e-12);
          expect(1 + shift(parallax, position, depth, 1)).toBeGreaterThanOrEqual(1 - inset - 1e-12);
        }
      }
    }
  });

  test('the fade never folds the picture: order along a row is kept at every strength that is allowed', () => {
    const parallax = { sweep: 0.15, convergence: 0.3 };
    let before = Number.NEGATIVE_INFINITY;
    for (let u = 0; u <= 1; u += 0.001) {
      const place = u + shift(parallax, 1, 1, u);
      expect(place).toBeGreaterThan(before);
      before = place;
    }
  });
});

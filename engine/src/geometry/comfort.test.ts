import { describe, expect, test } from 'vitest';
import { autoConvergence, comfortOf, windowViolation } from './index.ts';

const samples = (width: number, height: number, depth: (u: number, v: number) => number) => ({
  data: Float32Array.from({ length: width * height }, (_, i) =>
    depth(((i % width) + 0.5) / width, (Math.floor(i / width) + 0.5) / height),
  ),
  width,
  height,
  scale: 1,
});

describe('automatic convergence', () => {
  test('lies on a subject in the middle rather than on what surrounds it', () => {
    const subject = samples(80, 100, (u, v) => (Math.hypot(u - 0.5, v - 0.5) < 0.3 ? 0.6 : 0.1));
    expect(autoConvergence(subject)).toBeCloseTo(0.6, 2);
  });

  test('stays off the ends, so that both sides of the display are used', () => {
    expect(autoConvergence(samples(50, 50, (u) => (u < 0.9 ? 1 : 0)))).toBe(0.7);
    expect(autoConvergence(samples(50, 50, (u) => (u < 0.95 ? 0 : 1)))).toBe(0.3);
  });

  test('of a flat picture is its own depth, so that nothing moves', () => {
    expect(autoConvergence(samples(9, 9, () => 0.5))).toBe(0.5);
    expect(autoConvergence(samples(9, 9, () => 1))).toBe(1);
  });

  test('reads bytes as it reads fractions', () => {
    const ramp = samples(64, 64, (_, v) => v);
    const bytes = { ...ramp, data: Uint8Array.from(ramp.data, (d) => Math.round(d * 255)), scale: 255 };
    expect(autoConvergence(bytes)).toBeCloseTo(autoConvergence(ramp), 2);
  });
});

describe('[V52] comfort', () => {
  const ramp = samples(100, 100, (u) => (u > 0.9 ? 1 : u / 0.9));

  test('tells the disparity that is shown, the one that was wished, and that it was clamped', () => {
    const { clamped, largestDisparityPercent, wishedDisparityPercent } = comfortOf(ramp, 0.5, 14.2, 12);
    expect(clamped).toBe(true);
    expect(largestDisparityPercent).toBeCloseTo(12, 0);
    expect(wishedDisparityPercent).toBeCloseTo(14.2, 0);
    expect(comfortOf(ramp, 0.5, 8, 12).clamped).toBe(false);
  });

  test('finds things that stand before the frame and are cut by it', () => {
    expect(windowViolation(ramp, 0.5)).toBe(0.5);
    expect(
      windowViolation(
        samples(10, 10, (_, v) => v),
        0.52,
      ),
    ).toBe(0.4);
    expect(windowViolation(ramp, 1)).toBe(0);
  });

  test('of a flat picture and of effect 0 is zero', () => {
    expect(
      comfortOf(
        samples(5, 5, () => 0.5),
        0.5,
        8,
        12,
      ),
    ).toEqual({
      largestDisparityPercent: 0,
      wishedDisparityPercent: 0,
      clamped: false,
      windowViolation: 0,
    });
    expect(comfortOf(ramp, 0.5, 0, 12).windowViolation).toBe(0);
  });
});

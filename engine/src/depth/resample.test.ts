import { describe, expect, test } from 'vitest';
import type { Plane } from './plane.ts';
import { averageChannel, resampleCubic, resampleLinear } from './resample.ts';

const row = (...values: number[]): Plane => ({ data: Float32Array.from(values), width: values.length, height: 1 });
const rounded = (plane: Plane) => [...plane.data].map((value) => Math.round(value * 1e4) / 1e4);

// Expected values: cv2.resize of OpenCV 4.6.
describe('resampling as OpenCV does', () => {
  test('linear, larger and smaller', () => {
    expect(rounded(resampleLinear(row(0, 4, 8), 6, 1))).toEqual([0, 1, 3, 5, 7, 8]);
    expect(rounded(resampleLinear(row(0, 1, 2, 3, 4, 5, 6, 7), 3, 1))).toEqual([0.8333, 3.5, 6.1667]);
  });

  test('cubic overshoots beside a step', () => {
    expect(rounded(resampleCubic(row(0, 0, 1, 1), 8, 1))).toEqual([
      0, -0.0352, -0.1055, 0.2266, 0.7734, 1.1055, 1.0352, 1,
    ]);
  });

  test('columns are treated like rows', () => {
    const tall: Plane = { data: Float32Array.of(0, 4, 8), width: 1, height: 3 };
    expect(rounded(resampleLinear(tall, 1, 6))).toEqual([0, 1, 3, 5, 7, 8]);
  });

  test('the same size changes nothing', () => {
    expect(rounded(resampleCubic(row(3, 1, 2), 3, 1))).toEqual([3, 1, 2]);
  });

  test('one sample becomes a flat image', () => {
    expect(rounded(resampleCubic(row(2), 3, 2))).toEqual([2, 2, 2, 2, 2, 2]);
  });
});

describe('averaging a channel', () => {
  const picture = { data: Uint8Array.of(0, 0, 51, 0, 0, 102, 0, 255, 204), width: 3, height: 1 };

  test('weights each pixel by the part of it that is covered', () => {
    expect(rounded(averageChannel(picture, 2, 1, 1))).toEqual([0.4667]);
    expect(rounded(averageChannel(picture, 2, 2, 1))).toEqual([0.2667, 0.6667]);
  });

  test('takes the channel asked for', () => {
    expect(rounded(averageChannel(picture, 1, 3, 1))).toEqual([0, 0, 1]);
    expect(rounded(averageChannel(picture, 0, 3, 1))).toEqual([0, 0, 0]);
  });

  test('interpolates where the picture is smaller', () => {
    expect(averageChannel(picture, 2, 6, 4)).toMatchObject({ width: 6, height: 4 });
  });
});

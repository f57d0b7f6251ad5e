import { beforeAll, expect, test } from 'vitest';
import { createMemory, takeMemory } from '../render/wasm.ts';
import { requireBuilt } from '../testing/built.ts';
import { draw } from '../testing/pictures.ts';
import { frameOf, PictureScaler, planarOf } from '../testing/video-frames.ts';
import type { Picture, Size } from '../types.ts';
import { Scaler } from './scale.ts';

beforeAll(requireBuilt);

/** Returns the mean over the area of each pixel, computed directly. */
function averaged({ data, width, height }: Picture, to: Size): Picture {
  return draw(to.width, to.height, (x, y) => {
    const sums = [0, 0, 0];
    const [left, right] = [(x * width) / to.width, ((x + 1) * width) / to.width];
    const [top, bottom] = [(y * height) / to.height, ((y + 1) * height) / to.height];
    for (let row = Math.floor(top); row < bottom; row++) {
      for (let column = Math.floor(left); column < right; column++) {
        const share =
          (Math.min(right, column + 1) - Math.max(left, column)) * (Math.min(bottom, row + 1) - Math.max(top, row));
        for (let c = 0; c < 3; c++) {
          sums[c] = (sums[c] as number) + share * (data[3 * (row * width + column) + c] as number);
        }
      }
    }
    const area = (right - left) * (bottom - top);
    return [sums[0], sums[1], sums[2]].map((sum) => Math.round((sum as number) / area)) as [number, number, number];
  });
}

/** Scales each channel as a separate plane. */
function scaled(picture: Picture, to: Size): Picture {
  const memory = createMemory();
  const scaler = new Scaler(memory, picture, to);
  const data = new Uint8Array(3 * to.width * to.height);
  for (const [i, plane] of planarOf(picture, 'gbr').entries()) {
    const at = takeMemory(memory, plane.length);
    new Uint8Array(memory.buffer).set(plane, at);
    for (const [pixel, value] of scaler.run(at).entries()) data[3 * pixel + ((i + 1) % 3)] = value;
  }
  return { ...to, data };
}

function largestDifference(a: Picture, b: Picture): number {
  let largest = 0;
  for (let i = 0; i < a.data.length; i++) {
    largest = Math.max(largest, Math.abs((a.data[i] as number) - (b.data[i] as number)));
  }
  return largest;
}

test.each([
  [
    { width: 97, height: 61 },
    { width: 41, height: 23 },
  ],
  [
    { width: 320, height: 180 },
    { width: 160, height: 90 },
  ],
  [
    { width: 321, height: 180 },
    { width: 100, height: 180 },
  ],
  [
    { width: 200, height: 120 },
    { width: 100, height: 120 },
  ],
  [
    { width: 64, height: 64 },
    { width: 64, height: 64 },
  ],
])('from %o to %o each pixel is the mean of what it shows', (from, to) => {
  const frame = frameOf(from, { square: 20, noise: 80 });
  // Halving rounds twice.
  expect(largestDifference(scaled(frame, to), averaged(frame, to))).toBeLessThanOrEqual(1);
});

test('a picture that grows is interpolated between its pixels', () => {
  const ramp = draw(8, 4, (x) => [10 * x, 0, 255]);
  const { data } = scaled(ramp, { width: 32, height: 8 });
  expect(Array.from({ length: 8 }, (_, x) => data[3 * (12 + x)])).toEqual([26, 29, 31, 34, 36, 39, 41, 44]);
  expect([data[0], data[3 * 31]]).toEqual([0, 70]);
});

test('the last row and column of an odd size are left out by a half', () => {
  const frame = frameOf({ width: 33, height: 21 }, { noise: 50 });
  const even = draw(32, 20, (x, y) => {
    const at = 3 * (33 * y + x);
    return [frame.data[at] as number, frame.data[at + 1] as number, frame.data[at + 2] as number];
  });
  const half = { width: 16, height: 10 };
  expect(largestDifference(scaled(frame, half), averaged(even, half))).toBeLessThanOrEqual(1);
});

test('what is small is made of the half of a frame, and shows the same', () => {
  const frame = frameOf({ width: 320, height: 180 }, { square: 60 });
  const scaler = new PictureScaler(frame);
  for (const to of [
    { width: 128, height: 72 },
    { width: 160, height: 90 },
    { width: 256, height: 160 },
  ]) {
    const [made, wanted] = [scaler.scale(frame, to).data, averaged(frame, to).data];
    const sum = made.reduce((total, value, i) => total + Math.abs(value - (wanted[i] as number)), 0);
    expect(sum / made.length).toBeLessThan(0.6);
  }
});

import { expect, test } from 'vitest';
import { createPlane, GRID_HEIGHT, GRID_WIDTH, type Plane } from './plane.ts';
import { finishDepth } from './post-process.ts';

const grid = (value: (x: number, y: number) => number): Plane => ({
  ...createPlane(GRID_WIDTH, GRID_HEIGHT),
  data: Float32Array.from({ length: GRID_WIDTH * GRID_HEIGHT }, (_, i) =>
    value(i % GRID_WIDTH, Math.floor(i / GRID_WIDTH)),
  ),
});
const SIZE = { width: 320, height: 240 };

test('depth steps from one pixel to the next at the outline of the matte, however coarse the estimate', () => {
  const matte = createPlane(SIZE.width, SIZE.height);
  for (let y = 80; y < 160; y++) matte.data.fill(1, y * SIZE.width + 120, y * SIZE.width + 200);
  const blurred = grid((x, y) => Math.exp(-((x - 64) ** 2 + (y - 48) ** 2) / 600));
  const { data } = finishDepth(blurred, SIZE, matte);
  const at = (x: number) => data[120 * SIZE.width + x] as number;
  expect(at(120) - at(119)).toBeGreaterThan(0.06);
  expect(at(120) - at(119)).toBeGreaterThan(3 * (at(119) - at(118)));
});

test('without a matte it is the estimate, enlarged and stretched to 0 … 1', () => {
  const { data } = finishDepth(
    grid((_x, y) => 3 + y),
    SIZE,
    null,
  );
  expect([data[0], data[data.length - 1]]).toEqual([0, 1]);
  expect(data[120 * SIZE.width]).toBeCloseTo(0.5, 2);
});

test('no depth at all becomes all 0.5', () => {
  const { data } = finishDepth(
    grid(() => 7),
    SIZE,
    null,
  );
  expect(data.every((value) => value === 0.5)).toBe(true);
});

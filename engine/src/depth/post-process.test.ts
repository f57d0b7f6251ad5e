import { expect, test } from 'vitest';
import { draw } from '../testing/pictures.ts';
import { createPlane, GRID_HEIGHT, GRID_WIDTH, type Plane } from './plane.ts';
import { finishDepth } from './post-process.ts';

const grid = (value: (x: number, y: number) => number): Plane => ({
  ...createPlane(GRID_WIDTH, GRID_HEIGHT),
  data: Float32Array.from({ length: GRID_WIDTH * GRID_HEIGHT }, (_, i) =>
    value(i % GRID_WIDTH, Math.floor(i / GRID_WIDTH)),
  ),
});
const SIZE = { width: 320, height: 240 };
const grey = draw(SIZE.width, SIZE.height, () => [128, 128, 128]);

test('depth steps from one pixel to the next at the outline of the matte, however coarse the estimate', () => {
  const matte = createPlane(SIZE.width, SIZE.height);
  for (let y = 80; y < 160; y++) matte.data.fill(1, y * SIZE.width + 120, y * SIZE.width + 200);
  const blurred = grid((x, y) => Math.exp(-((x - 64) ** 2 + (y - 48) ** 2) / 600));
  const { data } = finishDepth(blurred, grey, matte, null);
  const at = (x: number) => data[120 * SIZE.width + x] as number;
  expect(at(120) - at(119)).toBeGreaterThan(0.06);
  expect(at(120) - at(119)).toBeGreaterThan(3 * (at(119) - at(118)));
});

test('without a matte it is the estimate, enlarged and stretched to 0 … 1', () => {
  const { data } = finishDepth(
    grid((_x, y) => 3 + y),
    grey,
    null,
    null,
  );
  expect([data[0], data[data.length - 1]]).toEqual([0, 1]);
  expect(data[120 * SIZE.width]).toBeCloseTo(0.5, 2);
});

test('no depth at all becomes all 0.5', () => {
  const { data } = finishDepth(
    grid(() => 7),
    grey,
    null,
    null,
  );
  expect(data.every((value) => value === 0.5)).toBe(true);
});

test('without a matte a depth edge lies at the edge of the colours, though the estimate is blurred', () => {
  const picture = draw(SIZE.width, SIZE.height, (x) => (x < 150 ? [180, 60, 50] : [60, 90, 160]));
  const blurred = grid((x) => 1 / (1 + Math.exp((x - 60) / 5)));
  const rise = (data: Float32Array, from: number, to: number) =>
    (data[120 * SIZE.width + from] as number) - (data[120 * SIZE.width + to] as number);
  const edged = finishDepth(blurred, picture, null, null).data;
  const plain = finishDepth(blurred, grey, null, null).data;
  expect(rise(edged, 148, 151)).toBeGreaterThan(0.2);
  expect(rise(edged, 148, 151)).toBeGreaterThan(4 * rise(plain, 148, 151));
});

test('the sky is far and ends at the outline in the picture, not at the cells of the grid', () => {
  const roof = (x: number) => 60 + Math.abs(x - 160) / 4;
  const picture = draw(SIZE.width, SIZE.height, (x, y) => (y < roof(x) ? [150, 190, 240] : [120, 70, 50]));
  const sky = grid((x, y) => (y < Math.floor(roof(((x + 0.5) * SIZE.width) / GRID_WIDTH) / 10) * 4 ? 1 : 0));
  const { data } = finishDepth(
    grid((_x, y) => y),
    picture,
    null,
    sky,
  );
  for (const x of [20, 77, 160, 201, 300]) {
    const column = (y: number) => data[Math.round(y) * SIZE.width + x] as number;
    expect(column(roof(x) - 4)).toBeLessThan(0.1);
    expect(column(roof(x) + 4)).toBeGreaterThan(0.25);
  }
});

import { expect, it } from 'vitest';
import { gridFor, gridPoints, gridTriangles, POINT_VALUES } from './grid-mesh.ts';

const grid = { columns: 4, rows: 2 };
/** A near pixel at (5, 3) of an 8 × 4 map. */
const depth = { data: new Uint8Array(32).fill(10), width: 8, height: 4 };
depth.data[3 * 8 + 5] = 250;

const pointAt = (points: Uint16Array, column: number, row: number) => {
  const at = (row * (grid.columns + 1) + column) * POINT_VALUES;
  return [...points.subarray(at, at + POINT_VALUES)].map((value) => value / 65_535);
};

it('has square cells, at most so many along the longer side', () => {
  expect(gridFor(960, 1280, 320)).toEqual({ columns: 240, rows: 320 });
  expect(gridFor(100, 50, 320)).toEqual({ columns: 100, rows: 50 });
});

it('spreads its points over the whole picture', () => {
  const points = gridPoints(grid, depth, 'own');
  expect(points.length).toBe(5 * 3 * POINT_VALUES);
  const [u, v, near] = pointAt(points, 4, 2);
  expect([u, v]).toEqual([1, 1]);
  expect(near).toBeCloseTo(10 / 255, 4);
});

it('puts everything near between near points: all four corners of its cell are near', () => {
  const points = gridPoints(grid, depth, 'nearest');
  for (const [column, row] of [
    [2, 1],
    [3, 1],
    [2, 2],
    [3, 2],
  ] as const)
    expect(pointAt(points, column, row)[2]).toBeCloseTo(250 / 255, 4);
  expect(pointAt(points, 0, 0)[2]).toBeCloseTo(10 / 255, 4);
});

it('knows of what is beside a near thing how far it is behind, and of a single surface its own depth', () => {
  const points = gridPoints(grid, depth, 'nearest');
  expect(pointAt(points, 2, 1)[3]).toBeCloseTo(10 / 255, 4);
  expect(pointAt(points, 0, 0).slice(2)).toEqual([10 / 255, 10 / 255]);
  const slope = { data: Uint8Array.from({ length: 32 }, (_, i) => 2 * (i % 8)), width: 8, height: 4 };
  expect(gridPoints(grid, slope, 'nearest')).toEqual(gridPoints(grid, slope, 'own'));
});

it('covers each cell with two triangles of neighbouring points', () => {
  const triangles = gridTriangles(grid);
  expect(triangles.length).toBe(4 * 2 * 6);
  expect([...triangles.slice(0, 6)]).toEqual([0, 5, 1, 1, 5, 6]);
  expect(Math.max(...triangles)).toBe(5 * 3 - 1);
});

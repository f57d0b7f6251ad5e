import { expect, test } from 'vitest';
import { createPlane, GRID_HEIGHT, GRID_WIDTH, type Plane } from './plane.ts';
import { normaliseSpread } from './statistics.ts';
import { standUpright } from './upright.ts';

/** A wall over a ground that begins at row 50: both lean, the ground four times as much. */
const WALL_END = 50;
const scene: Plane = {
  ...createPlane(GRID_WIDTH, GRID_HEIGHT),
  data: normaliseSpread(
    Float32Array.from({ length: GRID_WIDTH * GRID_HEIGHT }, (_, i) => {
      const y = Math.floor(i / GRID_WIDTH);
      return Math.min(y, WALL_END) + 4 * Math.max(0, y - WALL_END);
    }),
  ),
};
const at = (plane: Plane, y: number) => plane.data[y * GRID_WIDTH + 64] as number;
/** Share of the whole rise that the wall takes. */
const lean = (plane: Plane) => (at(plane, 45) - at(plane, 5)) / (at(plane, 90) - at(plane, 5));

test('a wall that leans a little stands, at the depth of its foot, and the ground before it still rises', () => {
  const upright = standUpright(scene);
  expect(lean(upright)).toBeLessThan(0.45 * lean(scene));
  expect(at(upright, 90) - at(upright, 55)).toBeGreaterThan(0.85 * (at(scene, 90) - at(scene, 55)));
});

test('slopes across and flat depth stay as they are', () => {
  const across = { ...scene, data: scene.data.map((_, i) => Math.cos((Math.PI * (i % GRID_WIDTH)) / GRID_WIDTH)) };
  const same = standUpright(across);
  expect(Math.max(...same.data.map((value, i) => Math.abs(value - (across.data[i] as number))))).toBeLessThan(0.01);
  const flat = standUpright({ ...scene, data: scene.data.map(() => 2) });
  expect(Math.max(...flat.data.map((value) => Math.abs(value - 2)))).toBeLessThan(0.01);
});

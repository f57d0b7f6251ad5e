import { expect, it } from 'vitest';
import { tileOfView } from '../formats/layout.ts';
import { matchesPanel, placeIn } from './display.ts';
import { aspectOf, type Packing, partOf } from './footage.ts';

const FULL: Packing = { kind: 'sideBySide', half: false };
const HALF: Packing = { kind: 'sideBySide', half: true };
const QUILT: Packing = { kind: 'quilt', columns: 11, rows: 6, aspect: 0.5625 };

it('finds each view of a quilt where the layout of the file puts it, with pixels left over at top and right', () => {
  const grid = { columns: 11, rows: 6, width: 4096, height: 4096, aspect: 0.5625 };
  for (const view of [0, 1, 10, 11, 40, 65]) {
    const tile = tileOfView(grid, view);
    const [left, top, width, height] = partOf(QUILT, grid, (2 * view) / 65 - 1);
    const pixels = { x: left * 4096, y: top * 4096, width: width * 4096, height: height * 4096 };
    for (const side of ['x', 'y', 'width', 'height'] as const) expect(pixels[side]).toBeCloseTo(tile[side], 6);
  }
  // Beyond the outermost views there is nothing.
  expect(partOf(QUILT, grid, 7)).toEqual(partOf(QUILT, grid, 1));
});

it('shows the left eye at the left and the right eye at the right, each at its own aspect', () => {
  expect([partOf(FULL, { width: 8, height: 4 }, -1)[0], partOf(FULL, { width: 8, height: 4 }, 1)[0]]).toEqual([0, 0.5]);
  expect(partOf({ kind: 'topBottom', half: false }, { width: 8, height: 4 }, 1)).toEqual([0, 0.5, 1, 0.5]);
  expect(aspectOf(FULL, { width: 3840, height: 1080 })).toBeCloseTo(16 / 9);
  expect(aspectOf(HALF, { width: 1920, height: 1080 })).toBeCloseTo(16 / 9);
  expect(aspectOf({ kind: 'topBottom', half: false }, { width: 1920, height: 2160 })).toBeCloseTo(16 / 9);
  expect(aspectOf(QUILT, { width: 4092, height: 4092 })).toBe(0.5625);
});

it('fits all of a picture into the screen or fills the screen with its middle [A95]', () => {
  const screen = { x: 0, y: 0, width: 1000, height: 500 };
  expect(placeIn(screen, 1, 'fit')).toEqual({ x: 250, y: 0, width: 500, height: 500 });
  expect(placeIn(screen, 1, 'fill')).toEqual({ x: 0, y: -250, width: 1000, height: 1000 });
  // Half a screen that is displayed at twice its width.
  expect(placeIn({ ...screen, width: 500 }, 2, 'fit', 2)).toEqual({ x: 0, y: 0, width: 500, height: 500 });
});

it('interlaces only for a panel of exactly these pixels', () => {
  const panel = { screen: { width: 1536, height: 2048 } } as Parameters<typeof matchesPanel>[1];
  expect(matchesPanel({ width: 1536, height: 2048 }, panel)).toBe(true);
  expect(matchesPanel({ width: 1535, height: 2048 }, panel)).toBe(false);
});

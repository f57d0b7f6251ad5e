import { describe, expect, test } from 'vitest';
import { DEVICES, gridOf, panelOf } from './index.ts';
import {
  type Eyes,
  fitInto,
  halfSideBySideLayout,
  halfTopBottomLayout,
  quiltLayout,
  RIGHT_FIRST,
  sideBySideLayout,
  tileOfView,
  tileSize,
  topBottomLayout,
  WIGGLE_FRAMES,
  wiggleLayout,
  wiggleSize,
} from './layout.ts';

const device = (slug: string) => {
  const found = DEVICES.find((one) => one.slug === slug);
  if (!found) throw new Error(`no device ${slug}`);
  return found;
};

describe('[V60] quilts', () => {
  test('view 0 is the bottom left tile, views go right and then up', () => {
    const grid = gridOf(device('looking-glass-portrait'));
    expect(tileOfView(grid, 0)).toEqual({ x: 0, y: 2800, width: 420, height: 560 });
    expect(tileOfView(grid, 7)).toEqual({ x: 2940, y: 2800, width: 420, height: 560 });
    expect(tileOfView(grid, 8)).toEqual({ x: 0, y: 2240, width: 420, height: 560 });
    expect(tileOfView(grid, 47)).toEqual({ x: 2940, y: 0, width: 420, height: 560 });
  });

  test('tiles of every device have the size that its software expects', () => {
    const sizes = DEVICES.filter(({ quilt }) => quilt).map((one) => [one.slug, tileSize(gridOf(one))] as const);
    expect(Object.fromEntries(sizes)).toEqual({
      'looking-glass-portrait': { width: 420, height: 560 },
      'looking-glass-go': { width: 372, height: 682 },
      'looking-glass-16-portrait': { width: 640, height: 1080 },
      'looking-glass-16-landscape': { width: 960, height: 720 },
      'looking-glass-27-portrait': { width: 640, height: 1080 },
      'looking-glass-27-landscape': { width: 960, height: 720 },
      'looking-glass-32-portrait': { width: 744, height: 1364 },
      'looking-glass-32-landscape': { width: 1170, height: 1170 },
      'looking-glass-65': { width: 1024, height: 910 },
      'looking-glass-kiosk': { width: 372, height: 682 },
      'looking-glass-16-gen2': { width: 819, height: 455 },
      'looking-glass-32-gen2': { width: 1638, height: 910 },
      'looking-glass-8.9': { width: 819, height: 455 },
      'looking-glass-15.6': { width: 819, height: 455 },
      'looking-glass-8k': { width: 1638, height: 910 },
    });
  });

  test('7 x 7 views fill 5999 pixels; what does not divide is left over at the top and right', () => {
    const exact = { columns: 7, rows: 7, width: 5999, height: 5999, aspect: 1.77778 };
    expect(tileOfView(exact, 48)).toEqual({ x: 5142, y: 0, width: 857, height: 857 });
    expect(tileOfView(exact, 0)).toEqual({ x: 0, y: 5142, width: 857, height: 857 });
    const spare = { columns: 7, rows: 7, width: 6003, height: 6005, aspect: 1 };
    expect(tileOfView(spare, 0)).toEqual({ x: 0, y: 5148, width: 857, height: 857 });
    expect(tileOfView(spare, 48)).toEqual({ x: 5142, y: 6, width: 857, height: 857 });
    expect(tileOfView(gridOf(device('looking-glass-65')), 71)).toEqual({ x: 7168, y: 2, width: 1024, height: 910 });
  });

  test('a crop of the display’s aspect fills an anamorphic tile, another one is framed in black', () => {
    const grid = { columns: 7, rows: 7, width: 5999, height: 5999, aspect: 1.77778 };
    expect(quiltLayout(grid, { width: 1920, height: 1080 }).view).toEqual({ width: 857, height: 857 });
    const framed = quiltLayout(grid, { width: 1080, height: 1080 });
    expect(framed.view).toEqual({ width: 482, height: 857 });
    expect(framed.cells[0]).toMatchObject({ position: -1, x: 187, y: 5142 });
  });

  test('a device without a grid gets 48 views that lie as its pictures do', () => {
    expect(gridOf(device('plain-3x4'))).toMatchObject({ columns: 8, rows: 6, width: 3360, aspect: 0.75 });
    expect(gridOf(device('3d-tv'))).toMatchObject({ columns: 6, rows: 8, height: 3360, aspect: 1.77778 });
  });
});

describe('pairs', () => {
  test('[V44] full side by side is always twice the crop’s width, the left eye on the left', () => {
    expect(sideBySideLayout({ width: 5120, height: 2560 })).toEqual({
      width: 10240,
      height: 2560,
      view: { width: 5120, height: 2560 },
      cells: [
        { position: -1, x: 0, y: 0 },
        { position: 1, x: 5120, y: 0 },
      ],
    });
  });

  test('[V42] half side by side fills the panel: each eye is framed to the panel’s aspect before it is squeezed', () => {
    const panel = { width: 3840, height: 2160 };
    expect(halfSideBySideLayout(panel, { width: 1600, height: 900 })).toMatchObject({
      view: { width: 1920, height: 2160 },
      cells: [{ x: 0 }, { x: 1920 }],
    });
    // 3:4 in 16:9 is 1620 px wide before squeezing.
    expect(halfSideBySideLayout(panel, { width: 1500, height: 2000 })).toEqual({
      ...panel,
      view: { width: 810, height: 2160 },
      cells: [
        { position: -1, x: 555, y: 0 },
        { position: 1, x: 2475, y: 0 },
      ],
    });
    expect(halfSideBySideLayout(panel, { width: 4000, height: 1000 })).toMatchObject({
      view: { width: 1920, height: 960 },
      cells: [{ y: 600 }, { y: 600 }],
    });
  });

  test('[V43] half top-bottom keeps all columns: each eye is framed to the panel’s aspect before it is squeezed', () => {
    const panel = { width: 1920, height: 1080 };
    expect(halfTopBottomLayout(panel, { width: 1500, height: 2000 })).toEqual({
      ...panel,
      view: { width: 810, height: 540 },
      cells: [
        { position: -1, x: 555, y: 0 },
        { position: 1, x: 555, y: 540 },
      ],
    });
    expect(panelOf(device('3d-tv-passive'))).toEqual(panel);
  });

  test('[V44] full top-bottom is twice the crop’s height, the left eye on top', () => {
    expect(topBottomLayout({ width: 2560, height: 1440 })).toMatchObject({
      width: 2560,
      height: 2880,
      cells: [
        { position: -1, x: 0, y: 0 },
        { position: 1, x: 0, y: 1440 },
      ],
    });
  });

  test('[V42] televisions and projectors get their own pixels, other devices those of a large television', () => {
    expect(panelOf(device('projector-1080p'))).toEqual({ width: 1920, height: 1080 });
    expect(panelOf(device('3d-tv'))).toEqual({ width: 3840, height: 2160 });
    expect(panelOf(device('looking-glass-portrait'))).toEqual({ width: 3840, height: 2160 });
  });

  test('[V39] exchanged eyes lie in the same places', () => {
    const crop = { width: 300, height: 400 };
    const panel = { width: 640, height: 360 };
    const layouts = [
      (eyes?: Eyes) => sideBySideLayout(crop, eyes),
      (eyes?: Eyes) => topBottomLayout(crop, eyes),
      (eyes?: Eyes) => halfSideBySideLayout(panel, crop, eyes),
      (eyes?: Eyes) => halfTopBottomLayout(panel, crop, eyes),
    ];
    for (const layout of layouts) {
      const [plain, swapped] = [layout(), layout(RIGHT_FIRST)];
      expect(swapped.cells.map(({ position }) => position)).toEqual([1, -1]);
      expect(swapped.view).toEqual(plain.view);
      expect(swapped.cells.map(({ x, y }) => [x, y])).toEqual(plain.cells.map(({ x, y }) => [x, y]));
    }
  });
});

test('a wiggle goes from the leftmost camera to the rightmost and back without a jump', () => {
  const { cells, view } = wiggleLayout(wiggleSize({ width: 3000, height: 4000 }));
  expect(view).toEqual({ width: 540, height: 720 });
  expect(cells).toHaveLength(WIGGLE_FRAMES);
  expect(cells[0]?.position).toBe(-1);
  expect(cells[WIGGLE_FRAMES / 2]?.position).toBeCloseTo(1, 12);
  const steps = cells.map(({ position }, i) => Math.abs(position - (cells[(i + 1) % cells.length]?.position ?? 0)));
  expect(Math.max(...steps)).toBeLessThan(0.27);
  expect(wiggleSize({ width: 301, height: 401 }, { even: true })).toEqual({ width: 302, height: 402 });
});

test('a picture keeps its aspect inside a cell that is seen squeezed', () => {
  const cell = { x: 100, y: 0, width: 960, height: 1080 };
  expect(fitInto(cell, 16 / 9, 16 / 9)).toEqual(cell);
  expect(fitInto(cell, 16 / 9, 1)).toEqual({ x: 310, y: 0, width: 540, height: 1080 });
});

import { describe, expect, test } from 'vitest';
import type { Calibration, SubpixelCell } from '../types.ts';
import { cellIndex, lensesOf, lensPhase, lensRow, lensTable } from './index.ts';

const PORTRAIT: Calibration = {
  serial: null,
  screen: { width: 1536, height: 2048 },
  dpi: 324,
  pitch: 52,
  slope: -7,
  center: 0.5,
  invView: true,
  flipImageX: false,
  flipImageY: false,
  flipSubp: false,
  cellPatternMode: 0,
  cells: [],
};
const REAL: Calibration = {
  ...PORTRAIT,
  serial: 'LKG-PORT-19930',
  pitch: 52.58429360652222,
  slope: -7.179160974003201,
  center: 0.46257855394500685,
};
const GO: Calibration = {
  ...PORTRAIT,
  screen: { width: 1440, height: 2560 },
  dpi: 491,
  pitch: 80.7,
  slope: -6.3,
  center: -0.3,
};

/** Returns the view numbers of red, green and blue; `y` counts from the bottom. */
function viewsAt(calibration: Calibration, count: number, x: number, y: number): number[] {
  const table = lensTable(calibration);
  const { columns, offset } = lensRow(table, y);
  return [0, 1, 2].map((channel) =>
    Math.floor(lensPhase((columns[3 * x + channel] as number) + offset, table.invView) * count),
  );
}

describe('the views behind a lens', () => {
  test.each([
    [
      'the template of a Portrait',
      PORTRAIT,
      48,
      { pitch: 244.040883, tilt: -0.19047619 },
      [
        [0, 0, 20, 18, 15],
        [100, 200, 3, 1, 46],
        [768, 1024, 31, 28, 26],
        [1535, 2047, 0, 45, 43],
      ],
    ],
    [
      'a real Portrait',
      REAL,
      48,
      { pitch: 246.904753, tilt: -0.18572272 },
      [
        [0, 0, 18, 16, 13],
        [100, 200, 38, 35, 33],
        [768, 1024, 41, 39, 36],
        [1535, 2047, 23, 20, 18],
      ],
    ],
    [
      'the template of a Go',
      GO,
      66,
      { pitch: 233.749795, tilt: -0.28218695 },
      [
        [0, 0, 41, 38, 34],
        [720, 1280, 48, 45, 41],
      ],
    ],
  ] as const)('are those of %s', (_name, calibration, count, lenses, places) => {
    expect(lensesOf(calibration).pitch).toBeCloseTo(lenses.pitch, 5);
    expect(lensesOf(calibration).tilt).toBeCloseTo(lenses.tilt, 7);
    for (const [x, y, ...views] of places)
      expect([x, y, ...viewsAt(calibration, count, x, y)]).toEqual([x, y, ...views]);
  });

  test('turn around with the display’s own flag, and tilt the other way where the picture is mirrored', () => {
    const upright = viewsAt({ ...PORTRAIT, invView: false }, 48, 768, 1024);
    expect(viewsAt(PORTRAIT, 48, 768, 1024)).toEqual(upright.map((view) => 47 - view));
    expect(lensesOf({ ...PORTRAIT, flipImageX: true }).tilt).toBeCloseTo(0.19047619, 7);
  });

  test('never leave the range: a phase of exactly 0 that is turned around is the last view', () => {
    expect(Math.floor(lensPhase(3, true) * 48)).toBe(47);
    expect(Math.floor(lensPhase(-7, true) * 48)).toBe(47);
    expect(lensPhase(-0.25, false)).toBe(0.75);
    expect(lensPhase(-1e-18, false)).toBeLessThan(1);
  });

  test('have red and blue exchanged where the panel is built that way', () => {
    const [red, green, blue] = viewsAt(PORTRAIT, 48, 100, 200);
    expect(viewsAt({ ...PORTRAIT, flipSubp: true }, 48, 100, 200)).toEqual([blue, green, red]);
  });
});

describe('sub-pixel cells of newer panels', () => {
  test.each([
    [0, [0, 0, 0, 0, 0, 0, 0, 0]],
    [1, [0, 1, 1, 0, 0, 1, 1, 0]],
    [2, [0, 1, 0, 1, 0, 1, 0, 1]],
    [3, [0, 2, 1, 3, 2, 0, 3, 1]],
    [4, [0, 0, 1, 1, 0, 0, 1, 1]],
  ] as const)('pattern %i chooses by column and row', (mode, expected) => {
    const places = [0, 1, 2, 3].flatMap((y) => [0, 1].map((x) => cellIndex(mode, x, y)));
    expect(places).toEqual(expected);
    const below = [0, 1, 2, 3].flatMap((y) => [0, 1].map((x) => cellIndex(mode, x + 6, y + 8)));
    expect(below).toEqual(expected);
  });

  test.each([0, 1, 2, 3, 4] as const)('pattern %i moves each colour to where it is in its cell', (mode) => {
    const cells = Array.from({ length: 4 }, (_, i): SubpixelCell => {
      const x = (i + 1) / 10;
      return [
        [-x, -0.31],
        [-x, 0.28],
        [x, i / 8],
      ];
    });
    const panel: Calibration = {
      ...PORTRAIT,
      screen: { width: 2160, height: 3840 },
      dpi: 283,
      pitch: 44.72,
      slope: -7.45,
      center: 0,
      cellPatternMode: mode,
      cells,
    };
    const { pitch, tilt } = lensesOf(panel);
    for (const [x, y] of [
      [0, 0],
      [1, 0],
      [6, 1],
      [7, 2],
      [2159, 3839],
    ] as const) {
      const cell = cells[cellIndex(mode, x, y)] as SubpixelCell;
      const expected = cell.map(([right, up]) => {
        const a = ((x + 0.5 + right) / 2160 + ((y + 0.5 + up) / 3840) * tilt) * pitch;
        return Math.floor(Math.min(0.999999, 1 - (a - Math.floor(a))) * 66);
      });
      expect([x, y, ...viewsAt(panel, 66, x, y)]).toEqual([x, y, ...expected]);
    }
  });

  test('a panel without cells has stripes', () => {
    expect(viewsAt({ ...PORTRAIT, cellPatternMode: 4 }, 48, 768, 1024)).toEqual([31, 28, 26]);
  });
});

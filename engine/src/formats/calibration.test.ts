import { describe, expect, test } from 'vitest';
import { parseCalibration } from './index.ts';

/** As stored on a Portrait's drive, including fields that only its own software reads. */
const PORTRAIT = {
  configVersion: '1.0',
  serial: 'LKG-PORT-19930',
  pitch: { value: 52.58429360652222 },
  slope: { value: -7.179160974003201 },
  center: { value: 0.46257855394500685 },
  viewCone: { value: 40 },
  invView: { value: 1 },
  verticalAngle: { value: 0 },
  DPI: { value: 324 },
  screenW: { value: 1536 },
  screenH: { value: 2048 },
  flipImageX: { value: 0 },
  flipImageY: { value: 0 },
  flipSubp: { value: 0 },
};
const parse = (fields: object) => parseCalibration(JSON.stringify(fields));
const cell = { ROffsetX: -0.25, ROffsetY: -0.31, GOffsetX: -0.25, GOffsetY: 0.28, BOffsetX: 0.25, BOffsetY: 0 };

describe('visual.json', () => {
  test('gives what the lenses need', () => {
    expect(parse(PORTRAIT)).toEqual({
      serial: 'LKG-PORT-19930',
      screen: { width: 1536, height: 2048 },
      dpi: 324,
      pitch: 52.58429360652222,
      slope: -7.179160974003201,
      center: 0.46257855394500685,
      invView: true,
      flipImageX: false,
      flipImageY: false,
      flipSubp: false,
      cellPatternMode: 0,
      cells: [],
    });
  });

  test('may say less: flips, cells and serial number are missing on older displays; plain numbers and a mark in front', () => {
    const { pitch, slope, center, DPI, screenW, screenH } = PORTRAIT;
    const little = { pitch: pitch.value, slope, center, DPI, screenW, screenH };
    expect(parseCalibration(`\ufeff${JSON.stringify(little)}`)).toMatchObject({
      serial: null,
      invView: false,
      cells: [],
    });
  });

  test('tells the cells of newer panels', () => {
    const cells = [cell, { ...cell, ROffsetX: 0.25 }];
    expect(parse({ ...PORTRAIT, CellPatternMode: { value: 4 }, subpixelCells: cells })).toMatchObject({
      cellPatternMode: 4,
      cells: [
        [
          [-0.25, -0.31],
          [-0.25, 0.28],
          [0.25, 0],
        ],
        [
          [0.25, -0.31],
          [-0.25, 0.28],
          [0.25, 0],
        ],
      ],
    });
    expect(parse({ ...PORTRAIT, CellPatternMode: { value: 0 }, subpixelCells: null })).toMatchObject({ cells: [] });
  });

  test('never lets a serial number become a path', () => {
    for (const serial of ['../../etc/passwd', 'a b', '', 'x'.repeat(80), 7, null])
      expect(parse({ ...PORTRAIT, serial }).serial).toBeNull();
  });

  test.each([
    [
      '[V58] the screen of 250 x 250 that software assumes before it knows the display',
      { screenW: { value: 250 }, screenH: { value: 250 } },
    ],
    ['[V58] a missing pitch', { pitch: undefined }],
    ['a missing screen', { screenH: undefined }],
    ['text for a number', { pitch: { value: '52' } }],
    ['nothing for a number', { DPI: { value: null } }],
    ['a lens along the rows', { slope: { value: 0 } }],
    ['a pitch beyond reason', { pitch: { value: 1e308 } }],
    ['a screen beyond reason', { screenW: { value: 1e9 } }],
    ['half a pixel', { screenW: { value: 1536.5 } }],
    ['an unknown cell pattern', { CellPatternMode: { value: 7 } }],
    ['cells that the pattern needs and the file lacks', { CellPatternMode: { value: 3 }, subpixelCells: [cell] }],
    ['cells that lie far away', { subpixelCells: [{ ...cell, ROffsetX: 400 }] }],
    ['cells that are none', { subpixelCells: ['a'] }],
    ['more cells than any display has', { subpixelCells: Array.from({ length: 1000 }, () => cell) }],
  ])('is refused with %s', (_name, change) => {
    expect(() => parse({ ...PORTRAIT, ...change })).toThrow(expect.objectContaining({ code: 'calibrationInvalid' }));
  });

  test.each(['', 'no JSON', '[]', 'null', '7', `{"pitch":${'9'.repeat(400)}}`, `{"a":"${'x'.repeat(70_000)}"}`])(
    'is refused as %.20s',
    (text) => {
      expect(() => parseCalibration(text)).toThrow(expect.objectContaining({ code: 'calibrationInvalid' }));
    },
  );
});

import { expect, test } from 'vitest';
import type { Picture } from '../types.ts';
import { asOrientation, type Orientation, storedRect, turnUpright, uprightSize } from './orientation.ts';

const ALL: readonly Orientation[] = [1, 2, 3, 4, 5, 6, 7, 8];

/** Builds a picture from letters: `['ab', 'cd']` is 2 x 2. */
function picture(rows: readonly string[]): Picture {
  const data = Uint8Array.from(
    rows.flatMap((row) => [...row].flatMap((letter) => Array(3).fill(letter.charCodeAt(0)))),
  );
  return { data, width: rows[0]?.length ?? 0, height: rows.length };
}

function letters({ data, width, height }: Picture): string[] {
  return Array.from({ length: height }, (_, y) =>
    String.fromCharCode(...Array.from({ length: width }, (_, x) => data[(y * width + x) * 3] as number)),
  );
}

/**
 * How the upright picture abc/def is stored for each orientation (EXIF 2.32, tag 0x0112: position of row 0 and column
 * 0).
 */
const STORED: Record<Orientation, readonly string[]> = {
  1: ['abc', 'def'],
  2: ['cba', 'fed'],
  3: ['fed', 'cba'],
  4: ['def', 'abc'],
  5: ['ad', 'be', 'cf'],
  6: ['cf', 'be', 'ad'],
  7: ['fc', 'eb', 'da'],
  8: ['da', 'eb', 'fc'],
};

test.each(ALL)('orientation %i is turned upright [V19]', (orientation) => {
  expect(letters(turnUpright(picture(STORED[orientation]), orientation))).toEqual(['abc', 'def']);
});

test.each(ALL)(
  'a crop given in upright pixels is cut from the same place under orientation %i [A26]',
  (orientation) => {
    const stored = picture(STORED[orientation]);
    expect(uprightSize(stored, orientation)).toEqual({ width: 3, height: 2 });
    const { x, y, width, height } = storedRect({ x: 1, y: 0, width: 2, height: 1 }, stored, orientation);
    const cut = letters(stored)
      .slice(y, y + height)
      .map((row) => row.slice(x, x + width));
    expect(letters(turnUpright(picture(cut), orientation))).toEqual(['bc']);
  },
);

test.each([0, 9, -1, 1.5, Number.NaN, undefined, '6'])('the impossible orientation %s counts as upright', (value) => {
  expect(asOrientation(value)).toBe(1);
});

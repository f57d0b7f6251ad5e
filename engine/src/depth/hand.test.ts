import { describe, expect, test } from 'vitest';
import { composeLayout, estimateByHand, findContact, insideDistance, ramp } from './hand.ts';
import { GRID_HEIGHT, GRID_WIDTH } from './plane.ts';

const CELLS = GRID_WIDTH * GRID_HEIGHT;
const at = (x: number, y: number) => y * GRID_WIDTH + x;
const NO_SKY = new Uint8Array(CELLS);

/** Returns a matte that is `opacity` within the given columns and rows (inclusive). */
function rectangle(left: number, right: number, top: number, bottom: number, opacity = 1): Float32Array {
  return Float32Array.from({ length: CELLS }, (_, cell) => {
    const x = cell % GRID_WIDTH;
    const y = Math.floor(cell / GRID_WIDTH);
    return x >= left && x <= right && y >= top && y <= bottom ? opacity : 0;
  });
}

describe('the layout', () => {
  test('ground is almost flat down to the knee and linear below', () => {
    expect(ramp(0)).toBe(0);
    expect(ramp(0.38)).toBeCloseTo(0.1, 6);
    expect(ramp(0.69)).toBeCloseTo(0.55, 6);
    expect(ramp(1)).toBeCloseTo(1, 6);
  });

  test('without subject and sky the bottom is near and the sides a little nearer', () => {
    const { data } = composeLayout(new Float32Array(CELLS), NO_SKY);
    const middle = (GRID_WIDTH - 1) / 2;
    expect(((data[at(Math.floor(middle), 0)] as number) + (data[at(Math.ceil(middle), 0)] as number)) / 2).toBeLessThan(
      5e-4,
    );
    expect(data[at(Math.floor(middle), GRID_HEIGHT - 1)]).toBeCloseTo(1, 3);
    expect(data[at(0, GRID_HEIGHT - 1)]).toBeCloseTo(1.06, 6);
  });

  test('a subject stands at the depth of the row where it touches the ground, from head to foot', () => {
    // Rows 12 … 88 are 77 rows; their 97th percentile is row 86.
    const matte = rectangle(40, 80, 12, 88);
    const { data } = composeLayout(matte, NO_SKY);
    const side = 0.06 * 2 * Math.abs(60 / 127 - 0.5);
    const standing = ramp(86 / 96);
    expect(standing).toBeCloseTo(0.8488, 4);
    expect(data[at(60, 48)]).toBeCloseTo(standing + 0.12 + 0.06 + side, 5);
    // The outline is one cell from the outside, so the bulge is the square root of 1/14.
    expect(data[at(60, 12)]).toBeCloseTo(standing + 0.12 + 0.06 * Math.sqrt(1 / 14) + side, 5);
  });

  test('a half-transparent edge is a blend of subject and ground', () => {
    const matte = rectangle(40, 80, 12, 88);
    matte[at(39, 48)] = 0.25;
    const { data } = composeLayout(matte, NO_SKY);
    // Outside the mask there is no contact row, so only the ground contributes.
    expect(data[at(39, 48)]).toBeCloseTo(ramp(48 / 95) + 0.06 * 2 * Math.abs(39 / 127 - 0.5), 5);
  });

  test('sky is as far as it gets, even where the matte says subject', () => {
    const sky = new Uint8Array(CELLS).fill(1, 0, at(0, 20));
    const { data } = composeLayout(rectangle(40, 80, 0, 60), sky);
    expect(data[at(60, 10)]).toBeCloseTo(0.06 * 2 * Math.abs(60 / 127 - 0.5), 6);
  });
});

describe('contact with the ground', () => {
  const mask = (matte: Float32Array) => Uint8Array.from(matte, (value) => (value > 0.5 ? 1 : 0));

  test('specks of 49 cells have none, objects of 50 do', () => {
    expect(Math.max(...findContact(mask(rectangle(0, 6, 0, 6))))).toBe(0);
    expect(findContact(mask(rectangle(0, 9, 10, 14)))[at(0, 10)]).toBeCloseTo(14 / 96, 6);
  });

  test('a thin strap that hangs lower does not count', () => {
    const matte = rectangle(40, 80, 12, 60);
    for (let y = 61; y < 90; y++) matte[at(60, y)] = 1;
    expect(findContact(mask(matte))[at(60, 89)]).toBeCloseTo(60 / 96, 6);
  });

  test('things that touch at a corner only stand for themselves', () => {
    const matte = rectangle(10, 29, 10, 29);
    for (const [cell, value] of rectangle(30, 49, 30, 49).entries()) if (value) matte[cell] = 1;
    const contact = findContact(mask(matte));
    expect(contact[at(20, 20)]).toBeCloseTo(29 / 96, 6);
    expect(contact[at(40, 40)]).toBeCloseTo(49 / 96, 6);
  });
});

test('the distance to the outside is measured along rows and columns, and not to the border of the picture', () => {
  const distance = insideDistance(Uint8Array.from(rectangle(0, 9, 0, GRID_HEIGHT - 1)));
  expect([...distance.subarray(at(0, 50), at(12, 50))]).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]);
  expect(distance[at(0, 0)]).toBe(10);
});

test('a matte of another size is refused', () => {
  const matte = { data: new Float32Array(4), width: 2, height: 2 };
  expect(() => estimateByHand(new Uint8Array(CELLS * 12), matte)).toThrow('512 x 512');
});

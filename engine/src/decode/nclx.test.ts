import { expect, test } from 'vitest';
import { isSrgb, type Nclx, nclxToSrgb } from './nclx.ts';

const P3: Nclx = { primaries: 12, transfer: 13 };
const PQ_2020: Nclx = { primaries: 9, transfer: 16 };
const HLG_2020: Nclx = { primaries: 9, transfer: 18 };

function convert(rgb: readonly number[], nclx: Nclx, max = 1023): number[] {
  return [...nclxToSrgb({ data: Uint16Array.from(rgb), width: 1, height: 1, max }, nclx)];
}

test('BT.709 and unspecified colours are shown as they are, wide and HDR ones are not', () => {
  expect(isSrgb({ primaries: 1, transfer: 13 })).toBe(true);
  expect(isSrgb({ primaries: 2, transfer: 2 })).toBe(true);
  expect(isSrgb({ primaries: 1, transfer: 1 })).toBe(true);
  for (const nclx of [P3, PQ_2020, HLG_2020, { primaries: 1, transfer: 8 }]) expect(isSrgb(nclx)).toBe(false);
});

test('greys stay grey and keep their value when only the primaries are wide', () => {
  for (const grey of [0, 1, 10, 64, 128, 254, 255]) {
    const [r, g, b] = convert([grey, grey, grey], P3, 255);
    expect([r, g, b]).toEqual([r, r, r]);
    expect(Math.abs((r as number) - grey)).toBeLessThanOrEqual(1);
  }
});

test('a Display P3 colour becomes the same colour in sRGB', () => {
  // Display P3 (187, 70, 43) is sRGB (203, 60, 26), according to the CSS Color 4 sample code.
  const [r, g, b] = convert([187, 70, 43], P3, 255) as [number, number, number];
  expect(Math.abs(r - 203)).toBeLessThanOrEqual(2);
  expect(Math.abs(g - 60)).toBeLessThanOrEqual(2);
  expect(Math.abs(b - 26)).toBeLessThanOrEqual(3);
  // Pure P3 green lies outside sRGB: clipped, not wrapped.
  expect(convert([0, 255, 0], P3, 255)).toEqual([0, 255, 0]);
});

test('PQ white of 203 nits is bright, the peak is white, black is black, and tones keep their order', () => {
  // Codes of ST 2084 at 10 bits: 594 ≈ 203 cd/m², 769 ≈ 1000 cd/m².
  const [white] = convert([594, 594, 594], PQ_2020) as [number];
  expect(white).toBeGreaterThan(215);
  expect(white).toBeLessThan(250);
  expect(convert([769, 769, 769], PQ_2020)[0]).toBeGreaterThanOrEqual(254);
  expect(convert([1023, 1023, 1023], PQ_2020)).toEqual([255, 255, 255]);
  expect(convert([0, 0, 0], PQ_2020)).toEqual([0, 0, 0]);
  const tones = Array.from({ length: 120 }, (_, i) => convert([i * 6, i * 6, i * 6], PQ_2020)[0] as number);
  expect(tones).toEqual([...tones].sort((a, b) => a - b));
});

test('HLG reference white (75 % signal) lands where PQ reference white does', () => {
  const hlg = convert([767, 767, 767], HLG_2020)[0] as number;
  const pq = convert([594, 594, 594], PQ_2020)[0] as number;
  expect(Math.abs(hlg - pq)).toBeLessThanOrEqual(3);
});

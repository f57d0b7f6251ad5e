import { expect, test } from 'vitest';
import { float16ToFloat32 } from './float16.ts';

test.each([
  ['one', 0x3c00, 1],
  ['minus two', 0xc000, -2],
  ['a third', 0x3555, 0.333251953125],
  ['the largest', 0x7bff, 65504],
  ['the smallest normal', 0x0400, 2 ** -14],
  ['the smallest subnormal', 0x0001, 2 ** -24],
  ['zero', 0x0000, 0],
  ['infinity', 0x7c00, Number.POSITIVE_INFINITY],
  ['not a number', 0x7e00, Number.NaN],
])('half precision: %s', (_, bits, value) => {
  const misaligned = Uint8Array.of(0, bits & 0xff, bits >> 8).subarray(1);
  expect([...float16ToFloat32(misaligned)]).toEqual([value]);
});

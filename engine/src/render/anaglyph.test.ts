import { describe, expect, test } from 'vitest';
import { anaglyphRows } from './anaglyph.ts';

type Rgb = readonly [number, number, number];

function merged(left: Rgb, right: Rgb): number[] {
  const out = new Uint8Array(3);
  anaglyphRows(
    { kind: 'anaglyph', method: 'dubois', pair: Uint8Array.from([...left, ...right]), width: 1, merged: out },
    0,
    1,
  );
  return [...out];
}

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

describe('the red-cyan anaglyph of Dubois', () => {
  test('leaves every grey as it is, from black to white', () => {
    for (const level of [0, 1, 30, 90, 128, 200, 255]) {
      const grey: Rgb = [level, level, level];
      for (const value of merged(grey, grey)) expect(Math.abs(value - level)).toBeLessThanOrEqual(1);
    }
    expect(merged(WHITE, WHITE)).toEqual([255, 255, 255]);
  });

  test('gives the left eye to red and the right eye to green and blue', () => {
    expect(merged(WHITE, BLACK)).toEqual([255, 0, 0]);
    expect(merged(BLACK, WHITE)).toEqual([0, 255, 255]);
  });

  test('weighs in linear light: golden values of the published weights', () => {
    // Pure red in the left eye: 0.437 in linear light is level 177; in gamma-coded values it would be 111.
    expect(merged([255, 0, 0], BLACK)).toEqual([177, 0, 0]);
    expect(merged([0, 255, 0], BLACK)).toEqual([179, 0, 0]);
    expect(merged(BLACK, [0, 255, 0])).toEqual([0, 226, 0]);
    expect(merged(BLACK, [255, 0, 0])).toEqual([0, 165, 0]);
    expect(merged([0, 0, 128], [0, 0, 128])).toEqual([52, 0, 140]);
    expect(merged([200, 120, 40], [180, 140, 60])).toEqual([155, 154, 0]);
  });
});

import { describe, expect, test } from 'vitest';
import { withLetters } from '../testing/lettering.ts';
import { draw, drawScene } from '../testing/pictures.ts';
import { frameOf } from '../testing/video-frames.ts';
import { findOverlays, flattenOverlays, OVERLAY_SIDE } from './overlays.ts';

const SIZE = { width: OVERLAY_SIDE, height: 480 };
const TEXT = 'THE MAN IN A HAT';

describe('letters over a picture', () => {
  test('[T15] are found where they are, on calm ground and on a busy one', () => {
    for (const ground of [
      drawScene(SIZE.width, SIZE.height),
      frameOf(SIZE, { square: 300, noise: 30 }),
      draw(SIZE.width, SIZE.height, () => [20, 20, 20]),
    ]) {
      const { picture, left, top, width, height } = withLetters(ground, TEXT);
      const [found, ...more] = findOverlays(picture);
      expect(more).toEqual([]);
      expect((found?.left ?? 0) * SIZE.width).toBeCloseTo(left, -1);
      expect((found?.right ?? 0) * SIZE.width).toBeCloseTo(left + width, -1);
      expect((found?.top ?? 0) * SIZE.height).toBeCloseTo(top, -1);
      expect((found?.bottom ?? 0) * SIZE.height).toBeCloseTo(top + height, -1);
    }
  });

  test('are not seen in what is none: a scene, noise, flakes, a fence, checks', () => {
    for (const picture of [
      drawScene(SIZE.width, SIZE.height),
      frameOf(SIZE, { square: 300, noise: 90, flakes: 400 }),
      draw(SIZE.width, SIZE.height, (x) => (x % 24 < 5 ? [240, 240, 240] : [60, 90, 40])),
      draw(SIZE.width, SIZE.height, (x, y) => (((x >> 3) + (y >> 3)) % 2 ? [250, 250, 250] : [10, 10, 10])),
    ])
      expect(findOverlays(picture)).toEqual([]);
  });

  test('lie in one plane, and the depth around them passes smoothly into it', () => {
    const size = { width: 200, height: 100 };
    const depth = new Float32Array(200 * 100).fill(1);
    flattenOverlays(depth, size, [{ left: 0.3, top: 0.8, right: 0.7, bottom: 0.9 }], 0.4);
    for (let y = 80; y < 90; y++) for (let x = 60; x < 140; x++) expect(depth[y * 200 + x]).toBeCloseTo(0.4, 6);
    let steepest = 0;
    for (let x = 1; x < 200; x++)
      steepest = Math.max(steepest, Math.abs((depth[85 * 200 + x] as number) - (depth[85 * 200 + x - 1] as number)));
    expect(steepest).toBeLessThan(0.05);
    expect(depth[85 * 200 + 10]).toBe(1);
    expect(depth[20 * 200 + 100]).toBe(1);
  });
});

import { expect, it } from 'vitest';
import { areaAround, focusOf } from './focus.ts';

/** A grey picture of 60 × 40 pixels with a checked square at `left`. */
function picture(left: number) {
  const [width, height] = [60, 40];
  const data = new Uint8ClampedArray(width * height * 4).fill(128);
  for (let y = 10; y < 30; y++)
    for (let x = left; x < left + 10; x++)
      data.fill((x >> 1) % 2 === 0 ? 250 : 10, (y * width + x) * 4, (y * width + x) * 4 + 3);
  return { data, width, height };
}

it('suggests a crop around what stands out, inside the picture, and its middle where nothing does', () => {
  const size = { width: 600, height: 400 };
  const at = (left: number) => areaAround(focusOf(picture(left)), size, [3, 4]);
  expect(at(2).x).toBeLessThan(20);
  expect(at(48).x).toBeGreaterThan(30);
  for (const { x, y, width, height } of [at(2), at(48)]) {
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(100);
    expect([y, height]).toEqual([0, 100]);
    expect((width / 100) * 600).toBeCloseTo(300);
  }
  const even = focusOf({ data: new Uint8ClampedArray(60 * 40 * 4).fill(90), width: 60, height: 40 });
  expect(areaAround(even, size, [3, 4]).x).toBeCloseTo(25);
});

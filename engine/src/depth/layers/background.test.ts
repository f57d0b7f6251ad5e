import { describe, expect, test } from 'vitest';
import { fillBackground } from './background.ts';

const WIDTH = 60;
const HEIGHT = 12;
const size = { width: WIDTH, height: HEIGHT };

/** A white object of depth 1 in columns 20 to 39, in front of a ground whose grey value is its column. */
function scene(depthOfGround: (x: number) => number = () => 0) {
  const colour = new Uint8Array(3 * WIDTH * HEIGHT);
  const depth = new Float32Array(WIDTH * HEIGHT);
  for (let y = 0, i = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, i++) {
      const near = x >= 20 && x < 40;
      colour.fill(near ? 255 : x, 3 * i, 3 * i + 3);
      depth[i] = near ? 1 : depthOfGround(x);
    }
  }
  return { colour, depth };
}

describe('the background layer', () => {
  test('continues the ground behind the edges of near things, as far as the largest shift uncovers it', () => {
    const { colour, depth } = scene();
    const filled = fillBackground(colour, depth, size, 6);
    const row = 5 * WIDTH;
    const grey = (x: number) => filled.colour[3 * (row + x)];
    // Taken one pixel inside the far side, because its border pixel mixes both sides.
    for (let x = 19; x < 26; x++) expect([x, grey(x)]).toEqual([x, 18]);
    for (let x = 34; x < 41; x++) expect([x, grey(x)]).toEqual([x, 41]);
    for (let x = 27; x < 33; x++) expect([x, grey(x)]).toEqual([x, 255]);
    for (let x = 0; x < 19; x++) expect([x, grey(x)]).toEqual([x, x]);
    expect([...filled.depth.subarray(row + 18, row + 28)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(filled.depth[row + 30]).toBe(1);
  });

  test('shows the farther of two sides where both reach', () => {
    const { colour, depth } = scene((x) => (x < 20 ? 0.2 : 0));
    const filled = fillBackground(colour, depth, size, 30);
    const row = 3 * WIDTH;
    for (let x = 20; x < 40; x++) expect(filled.depth[row + x]).toBe(0);
    expect(filled.colour[3 * (row + 25)]).toBe(41);
  });

  test('touches nothing where no edge tears: a flat picture, a slope', () => {
    const colour = Uint8Array.from({ length: 3 * WIDTH * HEIGHT }, (_, i) => (i * 7) % 256);
    const slope = Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) => (i % WIDTH) / WIDTH);
    const filled = fillBackground(colour, slope, size, 10);
    expect(filled.colour).toEqual(colour);
    expect(filled.depth).toEqual(slope);
  });

  test('smooths what it continued down the columns, more the further it lies from the far side', () => {
    const { colour, depth } = scene();
    for (let y = 0; y < HEIGHT; y++) {
      for (let x = 0; x < 20; x++) colour.fill(y < 6 ? 0 : 200, 3 * (y * WIDTH + x), 3 * (y * WIDTH + x) + 3);
    }
    const { colour: filled } = fillBackground(colour, depth, { width: WIDTH, height: HEIGHT }, 8);
    const difference = (x: number) =>
      Math.abs((filled[3 * (5 * WIDTH + x)] as number) - (filled[3 * (6 * WIDTH + x)] as number));
    expect(difference(18)).toBe(200);
    expect(difference(19)).toBeGreaterThan(difference(20));
    expect(difference(20)).toBeGreaterThan(difference(21));
    expect(difference(27)).toBeLessThan(60);
  });
});

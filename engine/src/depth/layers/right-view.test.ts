import { describe, expect, test } from 'vitest';
import { fillBackground } from './background.ts';
import { type Layer, NEAREST } from './layers.ts';
import { RightView } from './right-view.ts';

const WIDTH = 200;
const HEIGHT = 150;
const size = { width: WIDTH, height: HEIGHT };
/** A thing in front of the ground, and how far right it is in the left eye. */
const [FROM, TO, DISPARITY] = [60, 100, 12];

/** Waves without repetition, 40 … 200. */
const ground = (x: number, y: number) => Math.round(120 + 50 * Math.sin(x / 3 + y / 7) + 30 * Math.sin(x / 11 - y / 5));

/** @param shown what a grey value of the right eye becomes; `lower`: by how many rows its picture is lower */
function scene(shown: (value: number) => number = (value) => value, lower = 0) {
  const colour = new Uint8Array(3 * WIDTH * HEIGHT);
  const depth = new Uint16Array(WIDTH * HEIGHT);
  const right = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let y = 0, i = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, i++) {
      const isNear = x >= FROM && x < TO;
      depth[i] = isNear ? NEAREST : 0;
      colour.fill(isNear ? 90 : ground(x, y), 3 * i, 3 * i + 3);
      const covered = x + DISPARITY >= FROM && x + DISPARITY < TO;
      right.fill(Math.round(shown(covered ? 90 : ground(x, y - lower))), 3 * i, 3 * i + 3);
    }
  }
  const layer: Layer = { ...size, colour, depth };
  return { layer, eye: { colour: right, far: 0, near: DISPARITY / WIDTH } };
}

/** Fills the background with the right eye; returns a grey value of it. */
function filled({ layer, eye }: ReturnType<typeof scene>): (x: number, y: number) => number {
  const right = RightView.of(layer, eye);
  expect(right).not.toBeNull();
  const { colour } = fillBackground(layer.colour, layer.depth, layer, 20 / NEAREST, right);
  return (x, y) => colour[3 * (y * WIDTH + x)] as number;
}

describe('behind near things', () => {
  const hidden = Array.from({ length: DISPARITY - 1 }, (_, i) => TO - DISPARITY + 1 + i);

  test.each([
    ['as bright', 0, undefined],
    ['darker, by another exposure', 0, (value: number) => 0.6 * value + 20],
    ['one row lower', 1, undefined],
  ])('is what the right eye sees there: %s', (_, lower, shown) => {
    const grey = filled(scene(shown, lower));
    for (const y of [20, 75, 130]) {
      for (const x of hidden) {
        const difference = Math.abs(grey(x, y) - ground(x, y));
        expect([x, y, difference, difference <= 2]).toEqual([x, y, difference, true]);
      }
    }
  });

  test('is continued from there where neither eye sees it, and nothing else changes', () => {
    const one = scene();
    const grey = filled(one);
    const alone = fillBackground(one.layer.colour, one.layer.depth, one.layer, 20 / NEAREST);
    const at = (x: number, y: number) => 3 * (y * WIDTH + x);
    for (const y of [20, 75, 130]) {
      // One column further behind than what is seen, smoothed by less than a pixel.
      expect(Math.abs(grey(TO - DISPARITY - 1, y) - ground(TO - DISPARITY + 1, y))).toBeLessThan(12);
      for (let x = 0; x < FROM + 5; x++) expect([x, grey(x, y)]).toEqual([x, alone.colour[at(x, y)]]);
      for (let x = TO + 1; x < WIDTH; x++) expect([x, grey(x, y)]).toEqual([x, one.layer.colour[at(x, y)]]);
    }
  });

  test('is continued as for one picture if near and far are hardly apart in the right eye', () => {
    const { layer, eye } = scene();
    // The eyes are so close to each other that the thing is moved by less than a pixel.
    const right = RightView.of(layer, { colour: layer.colour, far: 0, near: 0.75 / WIDTH });
    expect(right).not.toBeNull();
    const fill = (view: RightView | null) =>
      fillBackground(layer.colour, layer.depth, layer, 20 / NEAREST, view).colour;
    expect(Buffer.from(fill(right)).equals(Buffer.from(fill(null)))).toBe(true);
    expect(Buffer.from(fill(RightView.of(layer, eye))).equals(Buffer.from(fill(null)))).toBe(false);
  });

  test('is made up if the right eye shows other things, or nothing that the left one sees', () => {
    const { layer, eye } = scene((value) => (value * 97) % 256);
    expect(RightView.of(layer, eye)).toBeNull();
    expect(RightView.of(layer, { ...scene().eye, far: 0.9, near: 0.95 })).toBeNull();
  });
});

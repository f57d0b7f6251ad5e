import { describe, expect, test } from 'vitest';
import { frameOf } from '../../testing/video-frames.ts';
import { coloursOf, isCut } from './cuts.ts';
import { brightnessOf, contrastOf, Motion, residualBetween } from './motion.ts';

const size = { width: 160, height: 90 };
const light = (options: Parameters<typeof frameOf>[1]) => brightnessOf(frameOf(size, options).data, size);

function between(before: Parameters<typeof frameOf>[1], now: Parameters<typeof frameOf>[1]) {
  const motion = new Motion(size);
  motion.find(light(now), light(before));
  const residual = new Float32Array(size.width * size.height);
  residualBetween(light(now), light(before), motion.x, motion.y, residual);
  const cut = isCut(coloursOf(frameOf(size, before)), coloursOf(frameOf(size, now)), motion);
  return { motion, residual, cut };
}

const mean = (values: ArrayLike<number>, cells: number[]) =>
  cells.reduce((sum, cell) => sum + (values[cell] as number), 0) / cells.length;
const cellsOf = (inside: (x: number, y: number) => boolean) =>
  Array.from({ length: size.width * size.height }, (_, i) => i).filter((i) =>
    inside(i % size.width, Math.floor(i / size.width)),
  );

describe('motion', () => {
  test('of a square before a still ground: each is where it was', () => {
    const { motion, residual } = between({ square: 60 }, { square: 65 });
    const square = cellsOf((x, y) => x > 67 && x < 93 && y > 32 && y < 58);
    const ground = cellsOf((x) => x < 40 || x > 120);
    expect(mean(motion.x, square)).toBeCloseTo(-5, 0);
    expect(mean(motion.x, ground)).toBeCloseTo(0, 1);
    expect(mean(residual, square)).toBeLessThan(2);
  });

  test('of a slow pan is found finer than a cell', () => {
    const { motion } = between({}, { pan: 1.5 });
    const middle = cellsOf((x, y) => x > 20 && x < 130 && y > 10 && y < 80);
    expect(Math.abs(mean(motion.x, middle) - 1.5)).toBeLessThan(0.25);
    expect(mean(motion.y, middle)).toBeCloseTo(0, 1);
  });

  test('of a fast pan is found across a quarter of the picture', () => {
    const { motion, cut } = between({}, { pan: 36 });
    expect(
      mean(
        motion.x,
        cellsOf((x, y) => x < 110 && y > 10 && y < 80),
      ),
    ).toBeCloseTo(36, 0);
    expect(cut).toBe(false);
  });
});

describe('a cut', () => {
  test('is another place', () => {
    expect(between({ square: 60 }, { square: 60, place: 1 }).cut).toBe(true);
    expect(between({ place: 1 }, { place: 2 }).cut).toBe(true);
    expect(between({ sky: true }, { sky: true, place: 1 }).cut).toBe(true);
    // Same colours from another viewpoint.
    expect(between({}, { pan: 5000 }).cut).toBe(true);
  });

  test('is not a moving thing, a pan, noise, snow or a flash', () => {
    expect(between({ square: 20 }, { square: 50 }).cut).toBe(false);
    expect(between({}, { pan: 20, noise: 30, seed: 4 }).cut).toBe(false);
    expect(between({ flakes: 40, seed: 2 }, { flakes: 40, seed: 3 }).cut).toBe(false);
    expect(between({ square: 60 }, { square: 60, light: 90 }).cut).toBe(false);
  });

  test('a frame that is all white or all black has no contrast to judge by', () => {
    expect(contrastOf(light({ light: 250 }))).toBeLessThan(4);
    expect(contrastOf(light({ light: -250 }))).toBeLessThan(4);
    expect(contrastOf(light({}))).toBeGreaterThan(10);
  });
});

import { expect, it } from 'vitest';
import { overscan, shift } from '../geometry/index.ts';
import { parallaxOf } from './depth-mode.ts';

const size = { width: 960, height: 1280 };

it('does not move at effect 0', () => {
  expect(parallaxOf('quilt', 0, size, 0.5).sweep).toBe(0);
});

it('moves near things left as the view number rises', () => {
  const parallax = parallaxOf('parallax', 100, size, 0.5);
  const near = [-1, 0, 1].map((position) => shift(parallax, position, 1, 0.5));
  expect(near[0]).toBeGreaterThan(near[1] as number);
  expect(near[1]).toBeGreaterThan(near[2] as number);
});

it('shows a light field at its own strength and the swaying picture at half of it', () => {
  const quilt = parallaxOf('quilt', 50, size, 0.5).sweep;
  expect(parallaxOf('parallax', 50, size, 0.5).sweep).toBeCloseTo(quilt / 2);
});

/** The formula of the vertex shader, with the uniforms set by the renderer. */
it('is the same formula in the shader, which is given its factors', () => {
  const parallax = parallaxOf('quilt', 100, size, 0.4);
  for (const position of [-1, -0.3, 0.7])
    for (const depth of [0, 0.5, 1])
      for (const u of [0.02, 0.5, 0.97]) {
        const perDepth = shift(parallax, position, parallax.convergence + 1, 0.5);
        const fade =
          shift(parallax, 1, parallax.convergence + 1, u) / shift(parallax, 1, parallax.convergence + 1, 0.5);
        expect(perDepth * (depth - parallax.convergence) * fade).toBeCloseTo(shift(parallax, position, depth, u), 10);
      }
  expect(overscan(parallax)).toBeLessThan(0.02);
});

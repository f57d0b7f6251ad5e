import { describe, expect, test } from 'vitest';
import { type Layer, NEAREST, sharedBytes, sharedShorts } from './layers.ts';
import { depthEdges, refineDepth } from './refine.ts';

function layer(width: number, height: number, at: (u: number, v: number) => { grey: number; depth: number }): Layer {
  const colour = sharedBytes(3 * width * height);
  const depth = sharedShorts(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const value = at((x + 0.5) / width, (y + 0.5) / height);
      colour.fill(value.grey, 3 * i, 3 * i + 3);
      depth[i] = Math.round(value.depth * NEAREST);
    }
  }
  return { width, height, colour, depth };
}

function refined(source: Layer, target: Layer): Uint16Array {
  target.depth.fill(12345);
  refineDepth({ kind: 'refine', source, edges: depthEdges(source), target }, 0, target.height);
  return target.depth;
}

describe('refining a depth map', () => {
  test('moves its steps to where the picture has its edges, and leaves nothing in between', () => {
    // The map's step can be anywhere between two of its pixels, around 0.5; the picture's edge is at 0.51.
    const source = layer(40, 30, (u) => ({ grey: u < 0.51 ? 30 : 220, depth: u < 0.51 ? 0 : 1 }));
    const picture = layer(400, 300, (u) => ({ grey: u < 0.51 ? 30 : 220, depth: 0 }));
    const depth = refined(source, picture);
    for (const y of [5, 150, 290]) {
      const row = depth.subarray(y * 400, (y + 1) * 400);
      expect(row.every((value) => value === 0 || value === NEAREST)).toBe(true);
      expect(row.indexOf(NEAREST)).toBe(204);
    }
  });

  test('interpolates inside a surface', () => {
    const slope = (u: number, v: number) => ({ grey: 128, depth: 0.2 + 0.3 * u + 0.2 * v });
    const depth = refined(layer(50, 40, slope), layer(173, 111, slope));
    const exact = layer(173, 111, slope).depth;
    for (let y = 4; y < 107; y += 10) {
      for (let x = 4; x < 169; x += 11) {
        const i = y * 173 + x;
        expect(Math.abs((depth[i] as number) - (exact[i] as number))).toBeLessThan(3);
      }
    }
  });

  test('[V57] keeps the sky farthest: no pixel gets a depth that its surround does not have', () => {
    const scene = (u: number, v: number) =>
      v < 0.4 ? { grey: 230 - 20 * u, depth: 0 } : { grey: 60 + 40 * ((u * 20) % 1), depth: 0.5 + 0.5 * v };
    const depth = refined(layer(64, 48, scene), layer(200, 150, scene));
    expect(depth.subarray(0, 200 * 58).every((value) => value === 0)).toBe(true);
  });

  test('[V30] works on the smallest and oddest sizes', () => {
    for (const [w, h, tw, th] of [
      [1, 1, 7, 5],
      [2, 3, 1, 1],
      [249, 324, 83, 108],
      [3, 2, 40, 1],
    ] as const) {
      const scene = (u: number) => ({ grey: 255 * u, depth: u > 0.5 ? 0.9 : 0.1 });
      const depth = refined(layer(w, h, scene), layer(tw, th, scene));
      expect(depth.every((value) => value > 6000 && value < 59000)).toBe(true);
    }
  });

  test('rows may be refined in any order', () => {
    const scene = (u: number, v: number) => ({ grey: 255 * v, depth: Math.hypot(u - 0.5, v - 0.5) < 0.3 ? 1 : u / 3 });
    const source = layer(48, 36, scene);
    const whole = refined(source, layer(160, 120, scene)).slice();
    const target = layer(160, 120, scene);
    const task = { kind: 'refine', source, edges: depthEdges(source), target } as const;
    for (const [from, to] of [
      [90, 120],
      [0, 37],
      [37, 90],
    ] as const)
      refineDepth(task, from, to);
    expect(target.depth).toEqual(whole);
  });
});

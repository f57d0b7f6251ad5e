import { beforeAll, describe, expect, test } from 'vitest';
import { sharedBytes } from '../depth/layers/layers.ts';
import { createStack } from '../depth/layers/stack.ts';
import { DEVICES } from '../formats/index.ts';
import { allowedSweepPercent, comfortOf, fadeWidth, overscan, shift, wishedSweepPercent } from '../geometry/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { draw, encoder, type Rgb } from '../testing/pictures.ts';
import type { DepthMap, Picture } from '../types.ts';
import { drawViews } from './draw.ts';
import { createPool } from './pool.ts';

beforeAll(requireBuilt);

const WIDTH = 720;
const HEIGHT = 540;
/**
 * Depth maps have a lower resolution than pictures: this one in the same proportion as 640 pixels for 12 megapixels.
 */
const MAP = { width: 320, height: 240 };
const CONVERGENCE = 0.3;

interface Scene {
  readonly picture: Picture;
  readonly depth: DepthMap;
}

/** Returns an anti-aliased scene: `cover` is the share of a pixel covered by the near object, on a far ground. */
async function sceneOf(cover: (x: number, y: number) => number, near: Rgb, ground: (x: number, y: number) => Rgb) {
  const picture = draw(WIDTH, HEIGHT, (x, y) => {
    const part = cover(x + 0.5, y + 0.5);
    const far = ground(x, y);
    return [0, 1, 2].map((c) => Math.round(part * (near[c] as number) + (1 - part) * (far[c] as number))) as [
      number,
      number,
      number,
    ];
  });
  const full = draw(WIDTH, HEIGHT, (x, y) => {
    const value = Math.round(255 * cover(x + 0.5, y + 0.5));
    return [value, value, value];
  });
  const { data } = await encoder(full)
    .resize(MAP.width, MAP.height, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const depth: DepthMap = { ...MAP, data: Float32Array.from(data, (value) => value / 255), source: 'basic' };
  return { picture, depth };
}

async function viewOf({ picture, depth }: Scene, position: number, sweep: number): Promise<Uint8Array> {
  const stack = createStack(picture, depth, createPool(0));
  const packed = sharedBytes(3 * WIDTH * HEIGHT);
  drawViews(
    {
      kind: 'views',
      layer: await stack.layer(picture),
      background: await stack.background(picture),
      convergence: CONVERGENCE,
      reaches: Float32Array.of((-position * sweep * WIDTH) / 2),
      corners: Int32Array.of(0, 0),
      inset: overscan({ sweep, convergence: CONVERGENCE }) * WIDTH,
      fade: fadeWidth({ sweep, convergence: CONVERGENCE }),
      packed,
      packedWidth: WIDTH,
    },
    0,
    HEIGHT,
  );
  return packed;
}

/** Returns where a row first becomes brighter than `level` and last becomes darker, with sub-pixel precision. */
function sidesOf(pixels: Uint8Array, y: number, level: number): readonly [number, number] {
  const value = (x: number) => pixels[3 * (y * WIDTH + x)] as number;
  let left = 0;
  while (left < WIDTH && value(left) < level) left++;
  let right = WIDTH - 1;
  while (right >= 0 && value(right) < level) right--;
  const between = (inside: number, outside: number) =>
    inside + ((value(inside) - level) / (value(inside) - value(outside))) * (outside - inside);
  return [between(left, left - 1), between(right, right + 1)];
}

/** Returns how much an outline jumps between rows beyond its own curvature: RMS of second differences, in pixels. */
function roughness(pixels: Uint8Array, rows: readonly [number, number], level: number): number {
  let sum = 0;
  let count = 0;
  for (let y = rows[0] + 1; y < rows[1] - 1; y++) {
    const [above, here, below] = [y - 1, y, y + 1].map((row) => sidesOf(pixels, row, level));
    for (const side of [0, 1] as const) {
      const bend = (above?.[side] ?? 0) - 2 * (here?.[side] ?? 0) + (below?.[side] ?? 0);
      sum += bend * bend;
      count++;
    }
  }
  return Math.sqrt(sum / count);
}

const disc = (x: number, y: number) => {
  const distance = Math.hypot(x - WIDTH / 2, y - HEIGHT / 2);
  return Math.min(1, Math.max(0, 150.5 - distance));
};
const rows = [HEIGHT / 2 - 110, HEIGHT / 2 + 110] as const;
const busy = (x: number, y: number): Rgb => {
  const value = 30 + 80 * (((x >> 2) + (y >> 2)) % 2) + ((7 * x + 13 * y) % 20);
  return [value, value, value];
};

describe('outlines', () => {
  test('[V32] of a person on busy ground are hardly rougher in a view than in the photo', async () => {
    const scene = await sceneOf(disc, [235, 225, 215], busy);
    const before = roughness(scene.picture.data, rows, 180);
    for (const position of [-1, -0.4, 0.4, 1]) {
      const view = await viewOf(scene, position, 0.08);
      expect(roughness(view, rows, 180) - before, `position ${position}`).toBeLessThan(0.45);
    }
  });

  test('[V47] of a cartoon stay smooth at a high strength, and the wish above the budget is told', async () => {
    const scene = await sceneOf(disc, [250, 250, 250], () => [15, 15, 15]);
    const before = roughness(scene.picture.data, rows, 130);
    for (const sweep of [0.05, 0.1, 0.15]) {
      const view = await viewOf(scene, 1, sweep);
      expect(roughness(view, rows, 130) - before, `sweep ${sweep}`).toBeLessThan(0.45);
    }
    const { disparityBudget } = DEVICES.find(({ slug }) => slug === '3d-tv') as (typeof DEVICES)[number];
    const wished = wishedSweepPercent('wiggle', 100, { width: WIDTH, height: HEIGHT });
    expect(allowedSweepPercent(wished, disparityBudget)).toBe(disparityBudget);
    const samples = {
      ...MAP,
      data: Uint16Array.from({ length: MAP.width * MAP.height }, (_, i) => (i % 2) * 65_535),
      scale: 65_535,
    };
    const { clamped, wishedDisparityPercent } = comfortOf(samples, CONVERGENCE, wished, disparityBudget);
    expect({ clamped, wishedDisparityPercent }).toEqual({ clamped: true, wishedDisparityPercent: wished });
  });

  test('of thin rails and strands of hair run through every view without a break', async () => {
    /** A rail 4 pixels wide, and a slanted strand 3 pixels wide. */
    const rail = (x: number) => Math.min(1, Math.max(0, 2.5 - Math.abs(x - 250)));
    const strand = (x: number, y: number) => Math.min(1, Math.max(0, 2 - Math.abs(x - 430 - 0.3 * (y - HEIGHT / 2))));
    const cover = (x: number, y: number) => Math.max(rail(x), strand(x, y));
    const scene = await sceneOf(cover, [240, 240, 240], (x, y) => {
      const value = 40 + 20 * (((x >> 4) + (y >> 4)) % 2);
      return [value, value, value];
    });
    const parallax = { sweep: 0.08, convergence: CONVERGENCE };
    const inset = overscan(parallax);
    for (const position of [-1, -0.5, 0.5, 1]) {
      const view = await viewOf(scene, position, parallax.sweep);
      for (const centre of [() => 250, (y: number) => 430 + 0.3 * (y - HEIGHT / 2)]) {
        let broken = 0;
        for (let y = 20; y < HEIGHT - 20; y++) {
          const u = centre(y + 0.5) / WIDTH;
          const x = ((u + shift(parallax, position, 1, u) - inset) / (1 - 2 * inset)) * WIDTH;
          let brightest = 0;
          for (let dx = -4; dx <= 4; dx++) {
            brightest = Math.max(brightest, view[3 * (y * WIDTH + Math.round(x) + dx)] as number);
          }
          if (brightest < 150) broken++;
        }
        expect(broken, `position ${position}`).toBe(0);
      }
    }
  });
});

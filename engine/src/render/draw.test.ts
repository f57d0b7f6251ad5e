import { beforeAll, describe, expect, test } from 'vitest';
import { sharedBytes } from '../depth/layers/layers.ts';
import { createStack } from '../depth/layers/stack.ts';
import { fadeWidth, overscan, type Parallax, shift } from '../geometry/index.ts';
import { requireBuilt } from '../testing/built.ts';
import { nearSquare } from '../testing/near-square.ts';
import { draw } from '../testing/pictures.ts';
import { drawViews } from './draw.ts';
import { createPool } from './pool.ts';

beforeAll(requireBuilt);

const SIZE = { width: 420, height: 560 };
const POSITIONS = Float32Array.from({ length: 48 }, (_, view) => (2 * view) / 47 - 1);

/** Renders all views, each as a separate picture. */
async function drawn(
  parallax: Parallax,
  { picture, depth } = nearSquare(SIZE.width, SIZE.height),
): Promise<Uint8Array[]> {
  const stack = createStack(picture, depth, createPool(0));
  const bytes = 3 * SIZE.width * SIZE.height;
  const packed = sharedBytes(bytes * POSITIONS.length);
  drawViews(
    {
      kind: 'views',
      layer: await stack.layer(SIZE),
      background: await stack.background(SIZE),
      convergence: parallax.convergence,
      reaches: POSITIONS.map((position) => (-position * parallax.sweep * SIZE.width) / 2),
      corners: Int32Array.from({ length: 96 }, (_, i) => (i % 2 ? SIZE.height * (i >> 1) : 0)),
      inset: overscan(parallax) * SIZE.width,
      fade: fadeWidth(parallax),
      packed,
      packedWidth: SIZE.width,
    },
    0,
    SIZE.height,
  );
  return Array.from(POSITIONS, (_, view) => packed.subarray(view * bytes, (view + 1) * bytes));
}

/** Returns where a row crosses a level, in pixels. */
function crossings(row: Uint8Array, level: number): number[] {
  const found: number[] = [];
  for (let x = 1; x < row.length / 3; x++) {
    const [before, here] = [row[3 * (x - 1)] as number, row[3 * x] as number];
    if (before < level !== here < level) found.push(x - 0.5 + (level - before) / (here - before));
  }
  return found;
}

test('[T16] bars of 14.2 pixels on far ground keep their width within 12 % in every view of a Portrait quilt, up to the edges', async () => {
  const bar = 14.2;
  /** Share of a pixel that is covered by bars, which are as wide as what is between them. */
  const covered = (x: number) => {
    const area = (to: number) => Math.floor(to / (2 * bar)) * bar + Math.min(bar, to % (2 * bar));
    return area(x + 1) - area(x);
  };
  const picture = draw(SIZE.width, SIZE.height, (x) => {
    const grey = Math.round(40 + 180 * covered(x));
    return [grey, grey, grey];
  });
  const { depth } = nearSquare(SIZE.width, SIZE.height);
  for (const convergence of [0.3, 0.5, 0.7]) {
    const views = await drawn({ sweep: 0.08 * (4 / 3), convergence }, { picture, depth });
    const widths = views.flatMap((view) => {
      const edges = crossings(view.subarray(0, 3 * SIZE.width), 130);
      expect(edges.length).toBeGreaterThan(26);
      return edges.slice(1).map((edge, i) => edge - (edges[i] as number));
    });
    expect(Math.max(...widths), `convergence ${convergence}`).toBeLessThan(1.12 * bar);
    expect(Math.min(...widths), `convergence ${convergence}`).toBeGreaterThan(0.88 * bar);
  }
});

describe('the views of a near square', () => {
  const parallax = { sweep: 0.1, convergence: 0.5 };

  test('[V50] show the same background in their filled areas: nothing flickers from view to view', async () => {
    const views = await drawn(parallax);
    const inset = overscan(parallax);
    // Returns the value at which a view shows a point of the far ground, whether visible in the photo or filled.
    const ground = (view: number, u: number, y: number) => {
      const at = (u + shift(parallax, POSITIONS[view] as number, 0, u) - inset) / (1 - 2 * inset);
      const x = at * SIZE.width - 0.5;
      const left = Math.floor(x);
      const row = views[view] as Uint8Array;
      const value = (column: number) => row[3 * (y * SIZE.width + column)] as number;
      return value(left) + (value(left + 1) - value(left)) * (x - left);
    };
    let sum = 0;
    let count = 0;
    let largest = 0;
    for (let y = 220; y < 340; y += 7) {
      // Just inside both sides of the square: hidden in the photo, disoccluded in the outer views.
      for (const [first, last, from, to] of [
        [0, 10, 1 / 3 + 0.001, 1 / 3 + 0.013],
        [37, 47, 2 / 3 - 0.013, 2 / 3 - 0.001],
      ] as const) {
        for (let u = from; u < to; u += 1 / SIZE.width) {
          for (let view = first; view < last; view++) {
            const difference = Math.abs(ground(view, u, y) - ground(view + 1, u, y));
            expect(ground(view, u, y)).toBeLessThan(150);
            sum += difference;
            largest = Math.max(largest, difference);
            count++;
          }
        }
      }
    }
    expect(count).toBeGreaterThan(1500);
    expect(sum / count).toBeLessThan(0.6);
    expect(largest).toBeLessThan(6);
  });

  test('[V51] cover the frame to its edges: no strip is black, and none is smeared', async () => {
    const views = await drawn({ sweep: 0.15, convergence: 0.5 });
    for (const view of views) {
      for (const columns of [
        [0, 1, 2, 3],
        [416, 417, 418, 419],
      ] as const) {
        let smeared = 0;
        for (let y = 0; y < SIZE.height; y++) {
          const values = columns.map((x) => view[3 * (y * SIZE.width + x)] as number);
          expect(Math.min(...values)).toBeGreaterThan(8);
          if (new Set(values).size === 1) smeared++;
        }
        expect(smeared).toBeLessThan(SIZE.height / 8);
      }
    }
  });

  test('all differ from each other', async () => {
    const views = await drawn(parallax);
    expect(new Set(views.map((view) => Buffer.from(view).toString('base64'))).size).toBe(48);
  });
});

import { expect, test } from 'vitest';
import { dilateRows } from './dilate.ts';

/** Returns deterministic noise. */
function noise(count: number): Uint16Array {
  let state = 12345;
  return Uint16Array.from({ length: count }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return state >>> 16;
  });
}

function plainDilation(depth: Uint16Array, width: number, height: number, across: number, down: number): Uint16Array {
  return depth.map((_, i) => {
    const x = i % width;
    const y = Math.floor(i / width);
    let most = 0;
    for (let row = Math.max(0, y - down); row <= Math.min(height - 1, y + down); row++) {
      for (let column = Math.max(0, x - across); column <= Math.min(width - 1, x + across); column++) {
        most = Math.max(most, depth[row * width + column] as number);
      }
    }
    return most;
  });
}

test.each([
  [31, 23, 2, 1],
  [31, 23, 0, 0],
  [17, 9, 13, 6],
  [5, 4, 9, 9],
  [1, 1, 2, 1],
  [64, 40, 3, 0],
  [64, 40, 0, 3],
])(
  'growing near things over %i x %i by %i and %i is the plain maximum of the surround',
  (width, height, across, down) => {
    const depth = noise(width * height);
    const expected = plainDilation(depth, width, height, across, down);
    const out = new Uint16Array(depth.length);
    const task = { kind: 'dilate', source: { width, height, depth }, across, down, depth: out } as const;
    const middle = height >> 1;
    dilateRows(task, middle, height);
    dilateRows(task, 0, middle);
    expect(out).toEqual(expected);
  },
);

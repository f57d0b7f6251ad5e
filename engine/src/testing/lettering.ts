import type { Picture } from '../types.ts';

/** Letters on a grid of 4 x 6, as straight strokes: x and y of both ends. */
const LETTERS: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>> = {
  A: [
    [0, 6, 2, 0],
    [2, 0, 4, 6],
    [1, 4, 3, 4],
  ],
  E: [
    [0, 0, 0, 6],
    [0, 0, 4, 0],
    [0, 3, 3, 3],
    [0, 6, 4, 6],
  ],
  H: [
    [0, 0, 0, 6],
    [4, 0, 4, 6],
    [0, 3, 4, 3],
  ],
  I: [[2, 0, 2, 6]],
  L: [
    [0, 0, 0, 6],
    [0, 6, 4, 6],
  ],
  M: [
    [0, 6, 0, 0],
    [0, 0, 2, 3],
    [2, 3, 4, 0],
    [4, 0, 4, 6],
  ],
  N: [
    [0, 6, 0, 0],
    [0, 0, 4, 6],
    [4, 6, 4, 0],
  ],
  T: [
    [0, 0, 4, 0],
    [2, 0, 2, 6],
  ],
};
/** Width of a letter with its gap, and of its strokes, in cells of the grid. */
const ADVANCE = 6;
const STROKE = 0.55;
const OUTLINE = 1;

/** Where letters were put, in pixels. */
export interface Lettering {
  readonly picture: Picture;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Puts white letters with a dark outline over a picture, as a subtitle: in the middle, near the bottom.
 * @param letters of A E H I L M N T and spaces
 * @param high height of the letters, as a share of that of the picture
 */
export function withLetters({ data, width, height }: Picture, letters: string, high = 0.06): Lettering {
  const cell = (high * height) / 6;
  const across = cell * (ADVANCE * letters.length - 2);
  const left = Math.round((width - across) / 2);
  const top = Math.round(0.88 * height);
  const out = Uint8Array.from(data);
  for (let y = Math.floor(top - 2 * cell); y < Math.min(height, top + 8 * cell); y++) {
    for (let x = Math.max(0, Math.floor(left - 2 * cell)); x < Math.min(width, left + across + 2 * cell); x++) {
      const [u, v] = [(x + 0.5 - left) / cell, (y + 0.5 - top) / cell];
      const away = distanceTo(letters, u, v) * cell;
      const ink = Math.min(1, Math.max(0, STROKE * cell - away + 0.5));
      const edge = Math.min(1, Math.max(0, OUTLINE * cell - away + 0.5));
      for (let c = 0, at = 3 * (y * width + x); c < 3; c++, at++) {
        const dark = (out[at] as number) * (1 - edge) + 8 * edge;
        out[at] = Math.round(dark * (1 - ink) + 252 * ink);
      }
    }
  }
  const [w, h] = [Math.round(across), Math.round(6 * cell)];
  return { picture: { data: out, width, height }, left, top, width: w, height: h };
}

/** Returns the distance of a point to the next stroke, in cells. */
function distanceTo(letters: string, u: number, v: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  const first = Math.max(0, Math.floor(u / ADVANCE) - 1);
  for (let i = first; i < Math.min(letters.length, first + 3); i++) {
    for (const [ax, ay, bx, by] of LETTERS[letters[i] as string] ?? []) {
      const [px, py, dx, dy] = [u - ADVANCE * i - ax, v - ay, bx - ax, by - ay];
      const t = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
      nearest = Math.min(nearest, Math.hypot(px - t * dx, py - t * dy));
    }
  }
  return nearest;
}

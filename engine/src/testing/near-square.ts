import type { DepthMap, Picture } from '../types.ts';
import { draw } from './pictures.ts';

/** A bright square in front of a darker, patterned ground: its position in a view shows the direction of the shift. */
export interface NearSquare {
  readonly picture: Picture;
  readonly depth: DepthMap;
}

/**
 * The square covers the middle third horizontally and the middle quarter vertically; its depth is 1, the ground's 0.
 */
export function nearSquare(width: number, height: number): NearSquare {
  const inSquare = (u: number, v: number) => Math.abs(u - 0.5) < 1 / 6 && Math.abs(v - 0.5) < 1 / 8;
  const picture = draw(width, height, (x, y) => {
    const u = (x + 0.5) / width;
    const v = (y + 0.5) / height;
    if (inSquare(u, v)) return [245, 245, 245];
    // Waves of several lengths, so that the ground does not resemble a shifted copy of itself.
    const wave = Math.sin(31 * u + 9 * v) + Math.sin(67 * u - 23 * v) + Math.sin(43 * v + 5 * u * u);
    return [70 + 18 * wave, 75 + 15 * wave, 65 + 12 * wave];
  });
  const across = Math.round(width / 2);
  const down = Math.round(height / 2);
  const data = new Float32Array(across * down);
  for (let y = 0, i = 0; y < down; y++) {
    for (let x = 0; x < across; x++, i++) data[i] = inSquare((x + 0.5) / across, (y + 0.5) / down) ? 1 : 0;
  }
  return { picture, depth: { data, width: across, height: down, source: 'basic' } };
}

/** Pixels of a decoded file. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly channels: number;
}

/**
 * Returns the column of the centre of the bright area within `area` (in one channel), relative to the area's left edge.
 */
export function squareColumn(
  { data, width, channels }: Pixels,
  area: { x: number; y: number; width: number; height: number },
  channel = 1,
): number {
  let sum = 0;
  let count = 0;
  for (let y = area.y; y < area.y + area.height; y++) {
    for (let x = area.x; x < area.x + area.width; x++) {
      // Partially bright outline pixels are weighted, for sub-pixel accuracy.
      const share = Math.min(1, Math.max(0, ((data[(y * width + x) * channels + channel] as number) - 130) / 100));
      sum += share * (x + 0.5 - area.x);
      count += share;
    }
  }
  if (count === 0) throw new Error('no bright square in this area');
  return sum / count;
}

import type { Layer } from './layers.ts';

/**
 * Grows near things over their surround (a running maximum). The pixels along an outline mix both sides; moved with the
 * near side they stay an outline, left on the far side they would be a ghost of it.
 */
export interface DilateRows {
  readonly kind: 'dilate';
  readonly source: Pick<Layer, 'width' | 'height' | 'depth'>;
  /** Pixels to each side. */
  readonly across: number;
  readonly down: number;
  /** Written; not the source's own array. */
  readonly depth: Uint16Array;
}

export function dilateRows({ source, across, down, depth }: DilateRows, from: number, to: number): void {
  const { width, height } = source;
  const column = new Uint16Array(width);
  const ahead = new Uint16Array(width + 2 * across);
  const behind = new Uint16Array(width + 2 * across);
  for (let y = from; y < to; y++) {
    column.fill(0);
    for (let row = Math.max(0, y - down); row <= Math.min(height - 1, y + down); row++) {
      const at = row * width;
      for (let x = 0; x < width; x++) {
        const value = source.depth[at + x] as number;
        if (value > (column[x] as number)) column[x] = value;
      }
    }
    slidingMaximum(column, across, ahead, behind, depth.subarray(y * width, (y + 1) * width));
  }
}

/** Van Herk's running maximum: the same few steps a pixel for every radius. */
function slidingMaximum(
  row: Uint16Array,
  radius: number,
  ahead: Uint16Array,
  behind: Uint16Array,
  out: Uint16Array,
): void {
  const window = 2 * radius + 1;
  const length = row.length + 2 * radius;
  const last = row.length - 1;
  for (let i = 0; i < length; i++) {
    const value = row[Math.min(last, Math.max(0, i - radius))] as number;
    const before = i % window === 0 ? 0 : (ahead[i - 1] as number);
    ahead[i] = value > before ? value : before;
  }
  for (let i = length - 1; i >= 0; i--) {
    const value = row[Math.min(last, Math.max(0, i - radius))] as number;
    const after = (i + 1) % window === 0 || i === length - 1 ? 0 : (behind[i + 1] as number);
    behind[i] = value > after ? value : after;
  }
  for (let x = 0; x < row.length; x++) {
    const left = behind[x] as number;
    const right = ahead[x + window - 1] as number;
    out[x] = left > right ? left : right;
  }
}

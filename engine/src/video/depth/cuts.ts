import type { Picture } from '../../types.ts';

/** Histogram levels per colour channel. */
const LEVELS = 4;
const MIDDLE = 128;
/** A new shot has different colours, and details that match the previous one under no motion … */
const OTHER_COLOURS = 0.2;
const UNLIKE = 0.6;
/** … or, if colours are similar, details that match even less, with incoherent motion. */
const TORN = 1.1;
const NOTHING_ALIKE = 0.55;

/** Returns a colour histogram, as shares, normalised to medium brightness: a flash does not change it. */
export function coloursOf({ data }: Picture): Float32Array {
  const bins = new Float32Array(LEVELS ** 3);
  const light = MIDDLE - medianGreen(data);
  const share = 3 / data.length;
  for (let i = 0; i < data.length; i += 3) {
    const bin = level(data[i] as number, light) * LEVELS + level(data[i + 1] as number, light);
    const all = bin * LEVELS + level(data[i + 2] as number, light);
    bins[all] = (bins[all] as number) + share;
  }
  return bins;
}

function medianGreen(data: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (let i = 1; i < data.length; i += 3) {
    const value = data[i] as number;
    counts[value] = (counts[value] as number) + 1;
  }
  let value = 0;
  for (let passed = 0; value < 255; value++) {
    passed += counts[value] as number;
    if (passed >= data.length / 6) break;
  }
  return value;
}

function level(value: number, light: number): number {
  return Math.min(LEVELS - 1, Math.max(0, (value + light) >> 6));
}

/**
 * Returns whether a new shot starts. A pan keeps its colours, a flash its details, noise keeps both colours and
 * positions; a cut keeps none of them.
 */
export function isCut(
  before: Float32Array,
  now: Float32Array,
  { likeness, roughness }: { readonly likeness: number; readonly roughness: number },
): boolean {
  let different = 0;
  for (let i = 0; i < now.length; i++) different += Math.abs((now[i] as number) - (before[i] as number)) / 2;
  if (different > OTHER_COLOURS) return likeness < UNLIKE;
  return likeness < NOTHING_ALIKE && roughness > TORN;
}

import type { Picture } from '../../types.ts';

/** Levels of each colour that the histogram tells apart. */
const LEVELS = 4;
/** A new shot has other colours than the one before and does not fit onto it … */
const OTHER_COLOURS = 0.2;
const UNLIKE = 0.5;
/** … or has so little in common with it that the colours do not matter. */
const NOTHING_ALIKE = 0.15;

/** Shares of the colours of a picture. */
export function coloursOf({ data }: Picture): Float32Array {
  const bins = new Float32Array(LEVELS ** 3);
  const share = 3 / data.length;
  for (let i = 0; i < data.length; i += 3) {
    const bin =
      (((data[i] as number) >> 6) * LEVELS + ((data[i + 1] as number) >> 6)) * LEVELS + ((data[i + 2] as number) >> 6);
    bins[bin] = (bins[bin] as number) + share;
  }
  return bins;
}

/**
 * Whether a new shot begins. A pan keeps its colours and fits once its motion is known; a flash changes all colours and
 * fits; a cut does neither.
 * @param likeness of the frame and the one before, laid over it by the motion: 1 the same, 0 nothing in common
 */
export function isCut(before: Float32Array, now: Float32Array, likeness: number): boolean {
  let different = 0;
  for (let i = 0; i < now.length; i++) different += Math.abs((now[i] as number) - (before[i] as number)) / 2;
  return likeness < NOTHING_ALIKE || (likeness < UNLIKE && different > OTHER_COLOURS);
}

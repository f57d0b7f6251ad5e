import {
  allowedSweepPercent,
  LARGEST_SWEEP_PERCENT,
  type Parallax,
  type ViewSet,
  wishedSweepPercent,
} from '../geometry/index.ts';

/** `parallax` and `quilt` show one view, `anaglyph` and `sideBySide` a stereo pair. */
export type DepthMode = 'parallax' | 'quilt' | 'anaglyph' | 'sideBySide';

/**
 * Flat screens need half the disparity of a light-field display; a quilt sweep shows exactly what the frame will get.
 */
const VIEW_SET: Record<DepthMode, ViewSet> = {
  parallax: 'wiggle',
  quilt: 'views',
  anaglyph: 'pair',
  sideBySide: 'pair',
};

/**
 * Returns the parallax parameters of a picture of this size in a mode at an effect percent.
 * @param budget of the device, percent of the width
 */
export function parallaxOf(
  mode: DepthMode,
  strength: number,
  size: { width: number; height: number },
  convergence: number,
  budget = LARGEST_SWEEP_PERCENT,
): Parallax {
  const wished = wishedSweepPercent(VIEW_SET[mode], strength, size);
  return { sweep: allowedSweepPercent(wished, budget) / 100, convergence };
}

/** Returns the view set of a device's own format. */
export const viewSetOf = (format: string): ViewSet =>
  format === 'quilt' || format === 'native' ? 'views' : format === 'wiggle' ? 'wiggle' : 'pair';

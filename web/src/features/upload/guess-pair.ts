import type { PairLayout } from '@framelift/contract/formats';
import { comparedSize, halvesMatch, layoutOf, pairOfName, possiblePackings } from '@framelift/engine/formats';
import type { Size } from '../../ui/crop/crop-rect.ts';

/** Aspect of two upright or square pictures beside each other, and of few other photos. */
const WIDE = 2;

/**
 * Returns how a picture may hold two eyes: its halves are alike. The server looks closer, and finds which eye comes first.
 * A telling name or a shape that ordinary photos do not have is enough for eyes that are less alike. One of a hundred
 * ordinary photos is asked about in vain, and one of twenty-five panoramas.
 *
 * @param image of the file, upright
 */
export function guessPair(image: CanvasImageSource, whole: Size, name: string): PairLayout | null {
  const canvas = document.createElement('canvas');
  const aspect = whole.width / whole.height;
  for (const packing of possiblePackings(aspect)) {
    Object.assign(canvas, comparedSize(packing));
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return null;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const grey = new Uint8Array(canvas.width * canvas.height);
    for (let i = 0; i < grey.length; i++)
      grey[i] = 0.3 * (data[4 * i] ?? 0) + 0.59 * (data[4 * i + 1] ?? 0) + 0.11 * (data[4 * i + 2] ?? 0);
    const isLikely = pairOfName(name)?.packing === packing || (packing === 'sideBySide' && aspect >= WIDE);
    if (halvesMatch(grey, packing, isLikely)) return layoutOf(packing, false);
  }
  return null;
}

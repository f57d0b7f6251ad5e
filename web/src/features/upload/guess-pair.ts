import type { PairLayout } from '@framelift/contract/formats';
import { comparedSize, halvesMatch, layoutOf, pairOfName, possiblePackings } from '@framelift/engine/formats';
import type { Size } from '../../ui/crop/crop-rect.ts';

/**
 * Returns how a picture may hold two eyes: its halves are alike. The server looks closer, and finds which eye comes first.
 * One of a hundred ordinary photos is asked about in vain, and six of seven pairs, or all that have a telling name, are.
 *
 * @param image of the file, upright
 */
export function guessPair(image: CanvasImageSource, whole: Size, name: string): PairLayout | null {
  const canvas = document.createElement('canvas');
  for (const packing of possiblePackings(whole.width / whole.height)) {
    Object.assign(canvas, comparedSize(packing));
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (!context) return null;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const grey = new Uint8Array(canvas.width * canvas.height);
    for (let i = 0; i < grey.length; i++)
      grey[i] = 0.3 * (data[4 * i] ?? 0) + 0.59 * (data[4 * i + 1] ?? 0) + 0.11 * (data[4 * i + 2] ?? 0);
    if (halvesMatch(grey, packing, pairOfName(name)?.packing === packing)) return layoutOf(packing, false);
  }
  return null;
}

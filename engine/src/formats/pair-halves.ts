/** Comparison of the two halves of a picture or frame at a small size: do they show the same scene? */
import type { Size } from '../types.ts';

/** Shapes of screens and cinema, in which pairs are squeezed: 4:3, 16:9 and 2.2 … 2.5. Other pairs are whole. */
export function isSqueezedAcross(aspect: number): boolean {
  return (aspect > 1.25 && aspect < 1.42) || (aspect > 1.6 && aspect < 1.9) || (aspect > 2.2 && aspect < 2.5);
}

/** As above; 9:16 is a squeezed pair of portrait videos. */
export function isSqueezedDown(aspect: number): boolean {
  return aspect > 1.25 || (aspect > 0.55 && aspect < 0.58);
}

/** Returns whether a pair of this packing is squeezed, by the shape of the whole. */
export function isSqueezed(packing: 'sideBySide' | 'topBottom', aspect: number): boolean {
  return packing === 'topBottom' ? isSqueezedDown(aspect) : isSqueezedAcross(aspect);
}

/** As above, for a picture: nothing but films has the shape of cinema, and 2.4 are two pictures of 6:5. */
export function isSqueezedPicture(packing: 'sideBySide' | 'topBottom', aspect: number): boolean {
  return isSqueezed(packing, aspect) && (packing === 'topBottom' || aspect < 2);
}

/** Columns and rows of half a frame in which its two halves are compared, and of the blocks compared one by one. */
const COMPARED: Size = { width: 96, height: 54 };
const BLOCK: Size = { width: 16, height: 9 };
/** Largest shift between two eyes, in compared columns. */
const LARGEST_SHIFT = 16;
/** Least likeness of two eyes, by how much it must exceed that of other rows of them, and least contrast to tell. */
const ALIKE = { untold: 0.7, named: 0.5 };
const MORE_ALIKE = { untold: 0.2, named: 0.1 };
const CONTRAST = 6;

/** Size to which a frame is scaled before its halves are compared. */
export function comparedSize(packing: 'sideBySide' | 'topBottom'): Size {
  const { width, height } = COMPARED;
  return packing === 'sideBySide' ? { width: 2 * width, height } : { width, height: 2 * height };
}

/**
 * Returns whether the halves of a grey frame of `comparedSize` show the same scene, with shifts along the rows; null if
 * the frame has too little contrast to tell. A pattern that repeats itself is not taken for a pair.
 *
 * @param named whether the name says so, too: then less likeness is enough
 */
export function halvesMatch(grey: Uint8Array, packing: 'sideBySide' | 'topBottom', named = false): boolean | null {
  const stride = comparedSize(packing).width;
  const other = packing === 'sideBySide' ? COMPARED.width : COMPARED.width * COMPARED.height;
  const half = (from: number) =>
    Float32Array.from({ length: COMPARED.width * COMPARED.height }, (_, i) => {
      const y = Math.floor(i / COMPARED.width);
      return grey[from + y * stride + (i % COMPARED.width)] as number;
    });
  const [left, right] = [half(0), half(other)];
  const alike = likeness(left, right, 0);
  if (alike === null) return null;
  const byChance = Math.max(...[1, 2, 3, 4].map((k) => likeness(left, right, k * BLOCK.height) ?? 1));
  const kind = named ? 'named' : 'untold';
  return alike >= ALIKE[kind] && alike - byChance >= MORE_ALIKE[kind];
}

/**
 * Returns the mean correlation of the blocks of `a` with the most similar part of `b` in the same rows (moved down by
 * `rows`, around the edge), weighted by their contrast; null without contrast.
 */
function likeness(a: Float32Array, b: Float32Array, rows: number): number | null {
  const { width, height } = COMPARED;
  const samples = BLOCK.width * BLOCK.height;
  let [sum, weights] = [0, 0];
  for (let top = 0; top < height; top += BLOCK.height)
    for (let left = 0; left < width; left += BLOCK.width) {
      let [best, weight] = [0, 0];
      for (let shift = -LARGEST_SHIFT; shift <= LARGEST_SHIFT; shift++) {
        if (left + shift < 0 || left + shift + BLOCK.width > width) continue;
        let [sa, sb, ab, aa, bb] = [0, 0, 0, 0, 0];
        for (let y = top; y < top + BLOCK.height; y++) {
          const row = ((y + rows) % height) * width + shift;
          for (let x = left; x < left + BLOCK.width; x++) {
            const p = a[y * width + x] as number;
            const q = b[row + x] as number;
            sa += p;
            sb += q;
            ab += p * q;
            aa += p * p;
            bb += q * q;
          }
        }
        const [va, vb] = [aa - (sa * sa) / samples, bb - (sb * sb) / samples];
        weight = va;
        if (va > 0 && vb > 0) best = Math.max(best, (ab - (sa * sb) / samples) / Math.sqrt(va * vb));
      }
      sum += best * weight;
      weights += weight;
    }
  return weights / (width * height) < CONTRAST ** 2 ? null : sum / weights;
}

/** Depth that a picture brings with it: measured by the camera, or seen by its two eyes. */
import type { Plane } from '../../depth/plane.ts';
import type { DepthMap, Rect, Size } from '../../types.ts';
import type { PictureHeader } from '../header.ts';
import { openHeif } from '../libheif.ts';
import { type Orientation, uprightSize } from '../orientation.ts';
import { heicDepth, portraitJpegDepth } from './apple.ts';
import { googleDepth } from './google.ts';
import { mpfPictures } from './mpf.ts';
import { cutDepth, fits } from './nearness.ts';
import { multiPictureDepth, stereoJpegDepth, unmarkedPairDepth } from './pair.ts';

export interface EmbeddedDepth {
  /**
   * The part of the upright picture that the depth is of, from its top left corner: all of it, or, where the picture is
   * an unmarked pair side by side, the left eye's half.
   */
  readonly size: Size;
  /**
   * The depth of a crop (upright pixels within `size`), upright, stretched to 0 … 1.
   *
   * @returns null when there is none to speak of in this crop
   */
  cut(crop: Rect): DepthMap | null;
}

interface Found {
  /** Of the whole picture as stored, larger is nearer, of any range. */
  readonly nearness: Plane;
  readonly stored: Size;
  readonly orientation: Orientation;
}

/**
 * Looks for depth in the file itself: portrait-mode HEIC and JPEG, Google's depth photos, stereo pairs (MPO, JPS, side by
 * side). For ordinary pictures only headers are read. Whatever is damaged, lying or of another shape is no depth: a
 * picture is never refused for what it carries besides its pixels.
 */
export async function findEmbeddedDepth(bytes: Uint8Array, header: PictureHeader): Promise<EmbeddedDepth | null> {
  const found = await find(bytes, header).catch(() => null);
  if (!found || !fits(found.nearness, found.stored)) return null;
  const size = uprightSize(found.stored, found.orientation);
  return {
    size,
    cut(crop) {
      const inside = crop.x + crop.width <= size.width && crop.y + crop.height <= size.height;
      return inside ? cutDepth(found.nearness, crop, found.stored, found.orientation) : null;
    },
  };
}

async function find(bytes: Uint8Array, header: PictureHeader): Promise<Found | null> {
  const { type, stored, orientation, heif } = header;
  if (heif) {
    const depth = type === 'image/heic' && heif.hasDepth ? heicDepth(openHeif(bytes)) : null;
    // What is still to be turned is the map alone: the picture's size is given upright.
    return depth && { ...depth, stored: uprightSize(stored, depth.orientation) };
  }
  if (type === 'image/jpeg') {
    const pictures = mpfPictures(bytes);
    const nearness =
      (await stereoJpegDepth(bytes, header)) ??
      (await multiPictureDepth(pictures)) ??
      (await portraitJpegDepth(pictures)) ??
      (await googleDepth(bytes));
    if (nearness) return { nearness, stored, orientation };
  }
  const half = await unmarkedPairDepth(bytes, header);
  return half && { nearness: half, orientation, stored: { ...stored, width: Math.floor(stored.width / 2) } };
}

/** Depth embedded in a picture file: a depth map from the camera, or a stereo pair. */
import { cropProblem } from '../../geometry/index.ts';
import type { Crop, DepthMap, Size } from '../../types.ts';
import type { PictureHeader } from '../header.ts';
import { openHeif } from '../libheif.ts';
import { type Orientation, uprightSize } from '../orientation.ts';
import { heicDepth, portraitJpegDepth } from './apple.ts';
import { googleDepth } from './google.ts';
import { mpfPictures } from './mpf.ts';
import { cutDepth, type FoundPlane, fits } from './nearness.ts';
import { multiPictureDepth, pairDepth, spatialPhotoDepth } from './pair.ts';

export interface EmbeddedDepth {
  /** A part of the map, or of the second eye's picture, is missing or damaged in the file. */
  readonly incomplete: boolean;
  /**
   * Returns the depth of a crop of the picture that `size` covers, edited as the crop asks, stretched to 0 … 1. A
   * border gets the depth of the edge beside it.
   *
   * @returns null when the depth is flat or unusable in this crop
   */
  cut(crop: Crop): DepthMap | null;
  /**
   * Returns the disparity at depth 0 and 1 of a crop, as shares of the width of the eye; null for depth that was not
   * measured from two eyes, and for a crop in which `cut` returns null.
   */
  disparity(crop: Crop): { readonly far: number; readonly near: number } | null;
}

interface Found {
  /** Nearness of the whole picture as stored: larger is nearer, any range. */
  readonly nearness: FoundPlane;
  readonly stored: Size;
  readonly orientation: Orientation;
}

/**
 * Looks for depth in the file itself: portrait-mode HEIC and JPEG, Google's depth photos, stereo pairs (spatial photos,
 * MPO, and those with `header.stereo`). For ordinary pictures only headers are read. Depth data that no decoder reads, is inconsistent or of another shape
 * is ignored: a picture is never rejected because of its auxiliary data.
 *
 * @param isFlat the member says that it is no stereo pair
 */
export async function findEmbeddedDepth(
  bytes: Uint8Array,
  header: PictureHeader,
  isFlat = false,
): Promise<EmbeddedDepth | null> {
  const found = await find(bytes, header, isFlat).catch(() => null);
  if (!found || !fits(found.nearness, found.stored)) return null;
  const size = uprightSize(found.stored, found.orientation);
  const cut = (crop: Crop) =>
    cropProblem(crop, size) !== 'cropOutsidePicture' && found.nearness.usable !== false
      ? cutDepth(found.nearness, crop, found.stored, found.orientation)
      : null;
  return {
    incomplete: found.nearness.incomplete,
    cut: (crop) => cut(crop)?.map ?? null,
    disparity(crop) {
      const { trusted, width } = found.nearness;
      const range = trusted ? cut(crop) : null;
      return range && { far: range.low / width, near: range.high / width };
    },
  };
}

async function find(bytes: Uint8Array, header: PictureHeader, isFlat: boolean): Promise<Found | null> {
  const { type, stored, orientation, heif } = header;
  if (heif) {
    const ofEyes = isFlat ? null : await spatialPhotoDepth(bytes, header).catch(() => null);
    if (ofEyes) return { nearness: ofEyes, stored, orientation };
    const depth = type === 'image/heic' && heif.hasDepth ? heicDepth(openHeif(bytes, heif.item)) : null;
    // `depth.orientation` applies to the map only: the picture's size is already upright.
    return depth && { ...depth, stored: uprightSize(stored, depth.orientation) };
  }
  const ofEyes = await pairDepth(bytes, header);
  if (ofEyes) return { nearness: ofEyes, stored, orientation };
  if (type === 'image/jpeg') {
    const pictures = mpfPictures(bytes);
    const nearness =
      (isFlat ? null : await multiPictureDepth(pictures)) ??
      (await portraitJpegDepth(pictures)) ??
      (await googleDepth(bytes));
    if (nearness) return { nearness, stored, orientation };
  }
  return null;
}

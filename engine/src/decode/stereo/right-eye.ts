import { cropProblem, type Ground, isEdited } from '../../geometry/index.ts';
import type { Crop, Picture } from '../../types.ts';
import { mpfPictures } from '../embedded/mpf.ts';
import { multiPictureEyes } from '../embedded/pair.ts';
import { heifHeader, readHeader } from '../header.ts';
import { openHeif } from '../libheif.ts';
import { type OpenPicture, openHeader } from '../open.ts';

/** Opens the right eye's picture of an opened picture that is the left one; null if there is none. */
async function openRightEye({ bytes, header }: OpenPicture): Promise<OpenPicture | null> {
  const { stereo, type, orientation, heif } = header;
  // Turned eyes would be moved down or exchanged.
  if (orientation !== 1) return null;
  if (stereo) return openHeader(bytes, { ...header, stereo: { ...stereo, left: stereo.right, right: stereo.left } });
  if (heif?.eyes) return openHeader(bytes, heifHeader(openHeif(bytes, heif.eyes.right), bytes));
  const eyes = type === 'image/jpeg' ? await multiPictureEyes(mpfPictures(bytes)) : null;
  if (!eyes) return null;
  const [, right] = eyes;
  const rightHeader = await readHeader(right);
  return openHeader(right, { ...rightHeader, orientation: 1 });
}

export interface RightEye {
  /** As large as the crop. */
  readonly picture: Picture;
  /** Disparity of the crop's farthest and nearest point: how far right they are in the left eye, as a share of its width. */
  readonly far: number;
  readonly near: number;
}

/**
 * Cuts the part of the right eye's picture that belongs to a crop of the left one, moved so that what lies in the plane of
 * the display has no disparity: as far as the photograph reaches beyond the crop. A crop of the whole width stays as the
 * photographer had it. Null if a part of it is missing: a drawn eye is whole.
 *
 * @param crop of the left eye's picture
 * @param range disparity at depth 0 and 1, as shares of the whole width
 * @param inPlane depth in the plane of the display
 */
export async function cutRightEye(
  left: OpenPicture,
  crop: Crop,
  range: { readonly far: number; readonly near: number },
  inPlane: number,
  ground?: Ground,
): Promise<RightEye | null> {
  if (isEdited(crop)) return null;
  const right = await openRightEye(left);
  if (!right || right.size.width !== left.size.width || right.size.height !== left.size.height) return null;
  const { width } = left.size;
  const wanted = Math.round((range.far + inPlane * (range.near - range.far)) * width);
  const x = Math.min(width - crop.width, Math.max(0, crop.x - wanted));
  const moved = { ...crop, x };
  if (cropProblem(moved, right.size) !== null) return null;
  const { incomplete, ...picture } = await right.cut(moved, ground);
  if (incomplete) return null;
  const share = (disparity: number) => (disparity * width - (crop.x - x)) / crop.width;
  return { picture, far: share(range.far), near: share(range.near) };
}

import { quantile } from '../../depth/statistics.ts';
import type { Size } from '../../types.ts';
import { sharp, UNTRUSTED } from '../decoder.ts';
import type { PictureHeader } from '../header.ts';
import { type HeifFile, openHeif } from '../libheif.ts';
import { assertDecodable } from '../limits.ts';
import { type Eye, greyOf, readEyes, resizedGrey, workingSize } from '../stereo/eyes.ts';
import { matchPair } from '../stereo/match.ts';
import { DISPARITY, type MpfPicture } from './mpf.ts';
import { type FoundPlane, fits } from './nearness.ts';

/** Long side at which eyes are matched. */
const WORKING_SIDE = 640;
/** Smallest accepted consistency of a marked pair; below it the marking is assumed to be wrong. */
const LEAST_CONSISTENT = 0.35;
/** Smallest disparity range in pixels that is accepted as depth. */
const LEAST_RANGE = 1.5;

/** Returns the first two views of a stereo multi-picture file; null for other files. */
export async function multiPictureEyes(
  pictures: readonly MpfPicture[],
): Promise<readonly [left: Uint8Array, right: Uint8Array, size: Size] | null> {
  const [left, right] = pictures.filter(({ type }) => type === DISPARITY);
  if (!left || !right) return null;
  const size = await sizeOf(left.bytes);
  return fits(await sizeOf(right.bytes), size) ? [left.bytes, right.bytes, size] : null;
}

/** Returns the nearness of the first view as stored, from the first two views of a stereo multi-picture file. */
export async function multiPictureDepth(pictures: readonly MpfPicture[]): Promise<FoundPlane | null> {
  const eyes = await multiPictureEyes(pictures);
  if (!eyes) return null;
  const [left, right, size] = eyes;
  const at = workingSize(size, WORKING_SIDE);
  return depthOf(await greyOf(left, at), await greyOf(right, at));
}

/** Returns the nearness of the left eye's picture as stored, from a picture that holds both eyes. */
export async function pairDepth(bytes: Uint8Array, { stereo }: PictureHeader): Promise<FoundPlane | null> {
  return stereo && depthOf(...(await readEyes(bytes, stereo, WORKING_SIDE)));
}

/** Returns the nearness of the left eye's picture of a spatial photo, a HEIC with both eyes. */
export async function spatialPhotoDepth(bytes: Uint8Array, { heif }: PictureHeader): Promise<FoundPlane | null> {
  return heif?.eyes ? depthOf(await heifEye(heif), await heifEye(openHeif(bytes, heif.eyes.right))) : null;
}

async function heifEye(heif: HeifFile): Promise<Eye> {
  const { samples, incomplete } = heif.decode({ x: 0, y: 0, ...heif.size });
  const size = workingSize(heif.size, WORKING_SIDE);
  const green = new Uint8Array(samples.width * samples.height);
  for (let i = 0; i < green.length; i++) green[i] = ((samples.data[3 * i + 1] as number) * 255) / samples.max;
  return { ...size, data: await resizedGrey({ ...heif.size, data: green }, size), incomplete };
}

function depthOf(left: Eye, right: Eye): FoundPlane | null {
  const match = matchPair(left, right);
  if (!match || match.consistent < LEAST_CONSISTENT) return null;
  const { disparity, trusted } = match;
  const known = disparity.filter((_, i) => trusted[i] === 1);
  if (quantile(known, 0.99) - quantile(known, 0.01) < LEAST_RANGE) return null;
  const incomplete = left.incomplete || right.incomplete;
  return { data: disparity, width: left.width, height: left.height, trusted, incomplete };
}

async function sizeOf(bytes: Uint8Array): Promise<Size> {
  const { width, height } = await sharp(bytes, UNTRUSTED).metadata();
  assertDecodable({ width, height });
  return { width, height };
}

import type { Sharp } from 'sharp';
import { createPlane, type Plane } from '../../depth/plane.ts';
import { normaliseRange, quantile } from '../../depth/statistics.ts';
import { toUpright } from '../../geometry/index.ts';
import type { Crop, DepthMap, Size } from '../../types.ts';
import { type Decoded, decodeRaster, sharp, UNTRUSTED } from '../decoder.ts';
import { type Orientation, storedPoint, uprightSize } from '../orientation.ts';
import { sniffContainer } from '../sniff.ts';

/** Largest depth map that is decoded, in pixels; cameras write less than one megapixel. */
const MAX_PIXELS = 25_000_000;
/**
 * Limits of the result's long side. Smaller maps are upscaled to the minimum, so that rounding keeps the crop's aspect.
 */
const LEAST_SIDE = 256;
const LARGEST_SIDE = 640;
/** A map whose aspect differs by more than this does not belong to the picture. */
const ASPECT_TOLERANCE = 0.05;
/** A map with a smaller fraction of finite samples is unusable. */
const LEAST_FINITE = 0.5;
/** A truncated map of which a larger share is missing is worse than an estimate. */
const MOST_MISSING = 0.5;
/** A crop that spans less than this fraction of the map's range is too flat to stretch. */
const LEAST_RANGE = 0.04;
/** A crop of which a smaller part was measured takes its range from all of it. */
const LEAST_MEASURED = 0.1;

/** A depth map found in a file; `incomplete` when a part of it is missing or damaged there. */
export interface FoundPlane extends Plane {
  readonly incomplete: boolean;
  /** False when too much of it is missing; true by default. */
  readonly usable?: boolean;
  /** 1 where a sample was measured; those filled in between do not stretch the range. All by default. */
  readonly trusted?: Uint8Array;
}

/**
 * Decodes the samples (0 … 1) of a greyscale picture as stored, without colour management.
 *
 * @throws any sharp error when nothing can be decoded
 */
export async function decodeSamples(bytes: Uint8Array): Promise<FoundPlane | null> {
  const container = sniffContainer(bytes);
  if (container !== 'jpeg' && container !== 'png') return null;
  const { width, height, depth } = await sharp(bytes, UNTRUSTED).metadata();
  if (width * height > MAX_PIXELS) return null;
  const { value, incomplete } = await decodeFirstChannel(bytes, depth === 'ushort');
  if (!incomplete) return { ...value, incomplete };
  const missing = continueDown(value);
  return { ...value, incomplete, usable: missing <= MOST_MISSING };
}

/**
 * Replaces the rows without content at the bottom of a truncated map by the last row with content, in place.
 *
 * @returns the share of the rows that were replaced
 */
export function continueDown({ data, width, height }: Plane): number {
  let rows = height;
  while (rows > 1 && data.subarray((rows - 1) * width, rows * width).every((value, _, row) => value === row[0])) rows--;
  for (let y = rows; y < height; y++) data.copyWithin(y * width, (rows - 1) * width, rows * width);
  return 1 - rows / height;
}

/**
 * Decodes the first channel (0 … 1) of a picture as stored, without colour management.
 *
 * @param wide the picture has more than 8 bits per sample
 * @param longest maximum length of the longer side in pixels; a larger picture is scaled down
 */
export function decodeFirstChannel(bytes: Uint8Array, wide: boolean, longest?: number): Promise<Decoded<Plane>> {
  const read = async (decoder: Sharp): Promise<Plane> => {
    if (longest) decoder.resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true });
    const { data, info } = await decoder
      .removeAlpha()
      .toColourspace(wide ? 'rgb16' : 'srgb')
      .extractChannel(0)
      .raw({ depth: wide ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const samples = wide ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
    const max = wide ? 65_535 : 255;
    return { data: Float32Array.from(samples, (sample) => sample / max), width: info.width, height: info.height };
  };
  return decodeRaster(bytes, read, { ignoreIcc: true });
}

/** Returns whether a map has the aspect of its picture. */
export function fits(map: Size, picture: Size): boolean {
  return Math.abs((map.width * picture.height) / (map.height * picture.width) - 1) <= ASPECT_TOLERANCE;
}

/**
 * Returns the depth of a crop. `nearness` covers the whole picture as stored; larger is nearer, any range.
 * Non-finite values count as farthest.
 *
 * @param crop of the upright picture, edited as it asks
 * @param stored size of the picture as stored
 * @returns the depth, and the values of the map that become 0 and 1; null when the map or its part in the crop is flat, or when most samples are not finite
 */
export function cutDepth(
  nearness: FoundPlane,
  crop: Crop,
  stored: Size,
  orientation: Orientation,
): { readonly map: DepthMap; readonly low: number; readonly high: number } | null {
  const numbers = nearness.data.filter(Number.isFinite);
  if (numbers.length < nearness.data.length * LEAST_FINITE) return null;
  const least = quantile(numbers, 0.005);
  const range = quantile(numbers, 0.995) - least;
  if (!(range > 0)) return null;

  const upright = uprightSize(stored, orientation);
  const source = orientation >= 5 ? nearness.height / upright.width : nearness.width / upright.width;
  const long = Math.max(crop.width, crop.height);
  const side = Math.min(LARGEST_SIDE, long, Math.max(LEAST_SIDE, Math.round(long * source)));
  const width = Math.max(1, Math.round((crop.width * side) / long));
  const height = Math.max(1, Math.round((crop.height * side) / long));
  const factor = Math.floor((long * source) / side);
  const plane = average({ ...nearness, data: nearness.data.map((v) => (Number.isFinite(v) ? v : least)) }, factor);

  const out = createPlane(width, height);
  const { trusted } = nearness;
  const measured = new Uint8Array(width * height).fill(1);
  for (let y = 0, i = 0; y < height; y++) {
    const down = crop.y + ((y + 0.5) * crop.height) / height;
    for (let x = 0; x < width; x++, i++) {
      const across = crop.x + ((x + 0.5) * crop.width) / width;
      const [u, v] = toUpright([across, down], upright, crop);
      const [column, row] = storedPoint(u / upright.width, v / upright.height, orientation);
      out.data[i] = sample(plane, column * plane.width - 0.5, row * plane.height - 0.5);
      if (trusted)
        measured[i] = trusted[
          nearest(row, nearness.height) * nearness.width + nearest(column, nearness.width)
        ] as number;
    }
  }
  const known = out.data.filter((_, i) => measured[i] === 1);
  const ranged = known.length < LEAST_MEASURED * out.data.length ? out.data : known;
  const [low, high] = [quantile(ranged, 0.005), quantile(ranged, 0.995)];
  if (high - low < range * LEAST_RANGE) return null;
  const within = trusted ? out.data.map((value) => Math.min(high, Math.max(low, value))) : out.data;
  return { map: { ...out, data: normaliseRange(within), source: 'embedded' }, low, high };
}

/** Returns the index of the sample at a share of the length. */
function nearest(share: number, length: number): number {
  return Math.min(length - 1, Math.max(0, Math.floor(share * length)));
}

/** Averages blocks of `factor` x `factor` samples; incomplete blocks at the right and bottom are dropped. */
function average(plane: Plane, factor: number): Plane {
  if (factor < 2) return plane;
  const out = createPlane(Math.floor(plane.width / factor), Math.floor(plane.height / factor));
  for (let y = 0, i = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++, i++) {
      let sum = 0;
      for (let v = 0; v < factor; v++) {
        const from = (y * factor + v) * plane.width + x * factor;
        for (let u = 0; u < factor; u++) sum += plane.data[from + u] as number;
      }
      out.data[i] = sum / (factor * factor);
    }
  }
  return out;
}

/** Samples bilinearly; coordinates outside the plane are clamped to its border. */
function sample({ data, width, height }: Plane, x: number, y: number): number {
  const left = Math.min(width - 1, Math.max(0, Math.floor(x)));
  const top = Math.min(height - 1, Math.max(0, Math.floor(y)));
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const across = Math.min(1, Math.max(0, x - left));
  const down = Math.min(1, Math.max(0, y - top));
  const upper = (data[top * width + left] as number) * (1 - across) + (data[top * width + right] as number) * across;
  const lower =
    (data[bottom * width + left] as number) * (1 - across) + (data[bottom * width + right] as number) * across;
  return upper * (1 - down) + lower * down;
}

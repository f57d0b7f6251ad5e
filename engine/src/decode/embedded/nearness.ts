import { createPlane, type Plane } from '../../depth/plane.ts';
import { normaliseRange, quantile } from '../../depth/statistics.ts';
import type { DepthMap, Rect, Size } from '../../types.ts';
import { sharp, UNTRUSTED } from '../decoder.ts';
import { type Orientation, storedPoint, uprightSize } from '../orientation.ts';
import { sniffContainer } from '../sniff.ts';

/** Largest depth map that is decoded; cameras write less than one megapixel. */
const MAX_PIXELS = 25_000_000;
/** Long side of the result. Smaller maps are enlarged to the least one, so that rounding keeps the crop's aspect. */
const LEAST_SIDE = 256;
const LARGEST_SIDE = 640;
/** A map whose aspect is off by more is not of this picture. */
const ASPECT_TOLERANCE = 0.05;
/** Where fewer samples are numbers the map says nothing. */
const LEAST_FINITE = 0.5;
/** A crop with less than this share of the whole's range holds no depth worth stretching. */
const LEAST_RANGE = 0.04;

/**
 * A grey picture's samples, 0 … 1, as the file stores them.
 *
 * @throws anything that sharp says about damaged pixels
 */
export async function decodeSamples(bytes: Uint8Array): Promise<Plane | null> {
  const container = sniffContainer(bytes);
  if (container !== 'jpeg' && container !== 'png') return null;
  const options = { ...UNTRUSTED, ignoreIcc: true };
  const { width, height, depth } = await sharp(bytes, options).metadata();
  if (width * height > MAX_PIXELS) return null;
  const wide = depth === 'ushort';
  const { data } = await sharp(bytes, options)
    .removeAlpha()
    .toColourspace(wide ? 'rgb16' : 'srgb')
    .extractChannel(0)
    .raw({ depth: wide ? 'ushort' : 'uchar' })
    .toBuffer({ resolveWithObject: true });
  const samples = wide ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const max = wide ? 65_535 : 255;
  return { data: Float32Array.from(samples, (sample) => sample / max), width, height };
}

/** True when a map has the aspect of the picture it came with. */
export function fits(map: Size, picture: Size): boolean {
  return Math.abs((map.width * picture.height) / (map.height * picture.width) - 1) <= ASPECT_TOLERANCE;
}

/**
 * The depth of a crop, upright. `nearness` covers the whole picture as stored, larger is nearer, of any range; values
 * that are not finite count as farthest.
 *
 * @param crop upright pixels of the picture
 * @param stored size of the picture as stored
 * @returns null when the map or its part in the crop is flat, or mostly no numbers at all
 */
export function cutDepth(nearness: Plane, crop: Rect, stored: Size, orientation: Orientation): DepthMap | null {
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
  for (let y = 0, i = 0; y < height; y++) {
    const v = (crop.y + ((y + 0.5) * crop.height) / height) / upright.height;
    for (let x = 0; x < width; x++, i++) {
      const u = (crop.x + ((x + 0.5) * crop.width) / width) / upright.width;
      const [column, row] = storedPoint(u, v, orientation);
      out.data[i] = sample(plane, column * plane.width - 0.5, row * plane.height - 0.5);
    }
  }
  if (quantile(out.data, 0.995) - quantile(out.data, 0.005) < range * LEAST_RANGE) return null;
  return { ...out, data: normaliseRange(out.data), source: 'embedded' };
}

/** Averages squares of `factor` samples; those left over at the far sides are dropped. */
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

/** Bilinear, with the border's samples beyond it. */
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

import type { Ratio, Rect, Size } from '../../ui/crop/crop-rect.ts';

/** A position in fractions (0 … 1) of width and height. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Share of the middle in the focus: a photo of even texture is cropped around its centre. */
const CENTRE_WEIGHT = 0.35;

/**
 * Returns where the subject of a small picture seems to be: the centre of its contrast and of colours of skin, drawn
 * towards the middle.
 */
export function focusOf({ data, width, height }: Pick<ImageData, 'data' | 'width' | 'height'>): Point {
  const light = new Float32Array(width * height);
  for (let i = 0; i < light.length; i++) {
    const [r, g, b] = [data[i * 4] as number, data[i * 4 + 1] as number, data[i * 4 + 2] as number];
    light[i] = 0.3 * r + 0.59 * g + 0.11 * b;
  }
  let [sum, sumX, sumY] = [0, 0, 0];
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const edge =
        Math.abs((light[i + 1] as number) - (light[i - 1] as number)) +
        Math.abs((light[i + width] as number) - (light[i - width] as number));
      // Squared, so that one clear outline outweighs a field of grass.
      const weight = edge * edge * (isSkin(data, i * 4) ? 4 : 1);
      sum += weight;
      sumX += weight * (x + 0.5);
      sumY += weight * (y + 0.5);
    }
  }
  if (sum === 0) return { x: 0.5, y: 0.5 };
  const towardsCentre = (value: number) => CENTRE_WEIGHT * 0.5 + (1 - CENTRE_WEIGHT) * value;
  return { x: towardsCentre(sumX / sum / width), y: towardsCentre(sumY / sum / height) };
}

/** Light and dark skin: red leads, blue is least. */
function isSkin(data: ArrayLike<number>, at: number): boolean {
  const [r, g, b] = [data[at] as number, data[at + 1] as number, data[at + 2] as number];
  return r > 60 && r > g && g > b && r - b > 25 && r - g < 90;
}

/** Returns the largest area of a ratio, in percent of the picture, around a point as far as the picture allows. */
export function areaAround(focus: Point, source: Size, [ratioWidth, ratioHeight]: Ratio): Rect {
  const ratio = ((ratioWidth / ratioHeight) * source.height) / source.width;
  const width = Math.min(100, 100 * ratio);
  const height = Math.min(100, 100 / ratio);
  const from = (centre: number, length: number) => Math.min(100 - length, Math.max(0, centre * 100 - length / 2));
  return { x: from(focus.x, width), y: from(focus.y, height), width, height };
}

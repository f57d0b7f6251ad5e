/**
 * Moves the edges of coarse maps to those of the picture: a joint bilateral filter at a middle size, then joint
 * bilateral enlargement. Both are weighted means over neighbours of a similar colour, so texture cannot become relief.
 */
import type { Picture } from '../types.ts';
import { boxMean } from './box-mean.ts';
import { createPlane, type Plane } from './plane.ts';
import { averageChannel, resampleCubic, resampleLinear } from './resample.ts';

/** Long side at which edges are found; distances below are in its pixels. */
const FILTER_SIDE = 256;
const RADIUS = 12;
const STRIDE = 4;
/** Standard deviation of the distance of neighbours. */
const NEARNESS = 8;
/** Standard deviations of the difference of colours (each channel 0 … 255) and of the matte. */
const COLOUR = 20;
const MATTE = 0.3;
/** Share of the mean depth of the rows that the filter leaves alone: it would bend open ground at its edges. */
const ROW_SHARE = 0.6;
/** Exponents in the table of weights, and its steps for 1. */
const MOST = 8;
const STEPS = 64;
const WEIGHTS = Float32Array.from({ length: MOST * STEPS + 1 }, (_, i) => Math.exp(-i / STEPS));

/** Red, green, blue and matte, scaled so that a difference of one standard deviation is 1 / sqrt(2). */
type Guide = readonly [Float32Array, Float32Array, Float32Array, Float32Array];

/** Enlarges a depth map and a soft map of the sky (or null) to the size of the picture, with its edges. */
export function followEdges(
  coarse: Plane,
  sky: Plane | null,
  matte: Plane | null,
  picture: Picture,
): { depth: Plane; sky: Plane | null } {
  const scale = Math.min(1, FILTER_SIDE / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const guide = guideOf(picture, matte, width, height);
  const smooth = resampleCubic(coarse, width, height);
  const rows = rowTrend(smooth);
  const maps = [subtract(smooth, rows), ...(sky ? [resampleLinear(sky, width, height)] : [])];
  const [relief, edge] = filter(maps, guide) as [Plane, Plane | undefined];
  for (let i = 0; i < relief.data.length; i++) {
    relief.data[i] = (relief.data[i] as number) + (rows[Math.floor(i / width)] as number);
  }
  const full = guideOf(picture, matte, picture.width, picture.height);
  const [depth, share] = enlarge(edge ? [relief, edge] : [relief], guide, full, picture) as [Plane, Plane | undefined];
  return { depth, sky: share ?? null };
}

function guideOf(picture: Picture, matte: Plane | null, width: number, height: number): Guide {
  const colour = 255 / (Math.SQRT2 * COLOUR);
  const channel = (c: 0 | 1 | 2) => averageChannel(picture, c, width, height).data.map((value) => value * colour);
  const opacity = matte ? resampleLinear(matte, width, height).data : new Float32Array(width * height);
  return [channel(0), channel(1), channel(2), opacity.map((value) => value / (Math.SQRT2 * MATTE))];
}

/** The part of the depth that belongs to the rows, smooth from row to row. */
function rowTrend({ data, width, height }: Plane): Float32Array {
  const means = createPlane(1, height);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let i = y * width; i < (y + 1) * width; i++) sum += data[i] as number;
    means.data[y] = (ROW_SHARE * sum) / width;
  }
  return boxMean(boxMean(means, RADIUS), RADIUS).data;
}

function subtract(plane: Plane, rows: Float32Array): Plane {
  const { data, width } = plane;
  return { ...plane, data: data.map((value, i) => value - (rows[Math.floor(i / width)] as number)) };
}

/** Replaces each sample by the mean of its neighbours, weighted by nearness and likeness. */
function filter(maps: readonly Plane[], [red, green, blue, opacity]: Guide): Plane[] {
  const { width, height } = maps[0] as Plane;
  const values = maps.map(({ data }) => data);
  const sums = maps.map(() => new Float32Array(width * height));
  const total = new Float32Array(width * height);
  for (let dy = -RADIUS; dy <= RADIUS; dy += STRIDE) {
    for (let dx = -RADIUS; dx <= RADIUS; dx += STRIDE) {
      const distance = (dx * dx + dy * dy) / (2 * NEARNESS * NEARNESS);
      const top = Math.max(0, -dy);
      const bottom = Math.min(height, height - dy);
      const left = Math.max(0, -dx);
      const right = Math.min(width, width - dx);
      for (let y = top; y < bottom; y++) {
        for (let i = y * width + left; i < y * width + right; i++) {
          const j = i + dy * width + dx;
          const r = (red[i] as number) - (red[j] as number);
          const g = (green[i] as number) - (green[j] as number);
          const b = (blue[i] as number) - (blue[j] as number);
          const m = (opacity[i] as number) - (opacity[j] as number);
          const exponent = distance + r * r + g * g + b * b + m * m;
          if (exponent >= MOST) continue;
          const weight = WEIGHTS[(exponent * STEPS) | 0] as number;
          total[i] = (total[i] as number) + weight;
          for (let k = 0; k < values.length; k++) {
            const sum = sums[k] as Float32Array;
            sum[i] = (sum[i] as number) + weight * ((values[k] as Float32Array)[j] as number);
          }
        }
      }
    }
  }
  return sums.map((sum) => ({ data: sum.map((value, i) => value / (total[i] as number)), width, height }));
}

/** Enlarges maps: each sample is the mean of the four around it, weighted by nearness and likeness. */
function enlarge(maps: readonly Plane[], small: Guide, full: Guide, { width, height }: Picture): Plane[] {
  const { width: across, height: down } = maps[0] as Plane;
  if (across === width && down === height) return [...maps];
  const out = maps.map(() => createPlane(width, height));
  for (let y = 0; y < height; y++) {
    const v = Math.min(down - 1, Math.max(0, ((y + 0.5) * down) / height - 0.5));
    const top = Math.floor(v);
    for (let x = 0; x < width; x++) {
      const u = Math.min(across - 1, Math.max(0, ((x + 0.5) * across) / width - 0.5));
      const left = Math.floor(u);
      const i = y * width + x;
      let total = 0;
      for (let corner = 0; corner < 4; corner++) {
        const column = left + (corner & 1);
        const row = top + (corner >> 1);
        const near = (1 - Math.abs(u - column)) * (1 - Math.abs(v - row));
        if (near <= 0) continue;
        const j = row * across + column;
        let exponent = 0;
        for (let c = 0; c < 4; c++) {
          const difference = ((full[c] as Float32Array)[i] as number) - ((small[c] as Float32Array)[j] as number);
          exponent += difference * difference;
        }
        const weight = near * (WEIGHTS[Math.min(MOST * STEPS, exponent * STEPS) | 0] as number);
        total += weight;
        for (let k = 0; k < maps.length; k++) {
          const data = (out[k] as Plane).data;
          data[i] = (data[i] as number) + weight * ((maps[k] as Plane).data[j] as number);
        }
      }
      for (const { data } of out) data[i] = (data[i] as number) / total;
    }
  }
  return out;
}

import type { Picture, Size } from '../types.ts';
import { type Component, findComponents } from './components.ts';

/** A line of letters or a logo that was put over a picture, as shares of its width and height. */
export interface Overlay {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Long side at which overlays are looked for. */
export const OVERLAY_SIDE = 640;
/** What lies around a line of letters and moves with it, in heights of the line. */
const PADDING = 0.35;
/** Over so much around it the depth passes into that of the picture: a share of the width, and heights of the line. */
const EASE_ACROSS = 0.12;
const EASE_DOWN = 1.5;
/** Overlays lie in these shares of the height at the top and at the bottom; signs in the scene often do not. */
const TOP = 0.22;
const BOTTOM = 0.38;
/** Widest stroke, as a share of the shorter side. */
const STROKE = 0.016;
/** Smallest contrast of a stroke to what is around it, and its smallest brightness, of 255. */
const CONTRAST = 70;
const BRIGHT = 140;
/** Bits of a channel by which the colours of strokes are told apart, and the most colours that are looked at. */
const BITS = 4;
const MOST_COLOURS = 3;
/** Fewest pixels of a colour inside strokes. */
const FEWEST_CORES = 24;
/** Distance from its colour, of 255 and in each channel, at which a pixel still belongs to a stroke. */
const ALIKE = 60;
/** Height of a line of letters, as a share of the height of the picture. */
const LOWEST = 0.014;
const HIGHEST = 0.16;
/** Letters of one line are at most so far apart, in heights of the line. */
const GAP = 1.5;
/** Share of a line that its strokes cover. */
const LEAST_INK = 0.1;
const MOST_INK = 0.65;
/** Mean deviation of the colours inside the strokes of a line, of 255: paint is even, things are not. */
const UNEVEN = 5.2;
/** Strokes that cross a row of a line: at least, and per height of the line. */
const FEWEST_STROKES = 5;
const LEAST_STROKES = 0.55;
/** Share of a line's ink in parts that stand on its base, within a share of its height. */
const ALIGNED = 0.55;
const BASE = 0.16;

/**
 * Finds subtitles, captions, logos and dates that were put over a picture: lines of thin, bright strokes of one even
 * colour that stand on a common base, near the top or the bottom.
 * @param picture about `OVERLAY_SIDE` long
 */
export function findOverlays({ data, width, height }: Picture): Overlay[] {
  const found: Overlay[] = [];
  for (const [from, to] of [
    [0, Math.round(TOP * height)],
    [Math.round((1 - BOTTOM) * height), height],
  ] as const) {
    const band = { data: data.subarray(3 * from * width, 3 * to * width), width, height: to - from };
    for (const { left, top, right, bottom } of linesIn(band, { width, height })) {
      found.push({
        left: left / width,
        top: (from + top) / height,
        right: (right + 1) / width,
        bottom: (from + bottom + 1) / height,
      });
    }
  }
  return found;
}

/**
 * Moves overlays to a depth, that of the plane of the display, where letters stand straight. What is around them bends
 * towards it smoothly: a step would tear the picture.
 * @param depth changed in place
 */
export function flattenOverlays(depth: Float32Array, size: Size, overlays: readonly Overlay[], plane: number): void {
  const shares = shareOfOverlays(overlays, size);
  for (let i = 0; i < depth.length; i++) {
    depth[i] = (depth[i] as number) + (plane - (depth[i] as number)) * (shares[i] as number);
  }
}

/** Returns for each pixel how much it belongs to an overlay: 1 within, falling to 0 around it. */
export function shareOfOverlays(overlays: readonly Overlay[], { width, height }: Size): Float32Array {
  const shares = new Float32Array(width * height);
  for (const { left, top, right, bottom } of overlays) {
    const line = (bottom - top) * height;
    const padding = PADDING * line;
    const across = { from: left * width - padding, to: right * width + padding, ease: EASE_ACROSS * width };
    const down = { from: top * height - padding, to: bottom * height + padding, ease: EASE_DOWN * line };
    const last = Math.min(height, Math.ceil(down.to + down.ease));
    for (let y = Math.max(0, Math.floor(down.from - down.ease)); y < last; y++) {
      const inRow = shareWithin(y + 0.5, down);
      for (let x = 0, i = y * width; x < width; x++, i++) {
        shares[i] = Math.max(shares[i] as number, inRow * shareWithin(x + 0.5, across));
      }
    }
  }
  return shares;
}

/** Returns 1 from `from` to `to`, and less over `ease` before and after, down to 0. */
function shareWithin(at: number, { from, to, ease }: { from: number; to: number; ease: number }): number {
  const t = Math.min(1, Math.max(0, 1 - Math.max(from - at, at - to) / ease));
  return t * t * (3 - 2 * t);
}

function linesIn(band: Picture, whole: Size): Component[] {
  const { data, width, height } = band;
  const radius = Math.max(2, Math.round((STROKE * Math.min(whole.width, whole.height)) / 2));
  const strokes = brightStrokes(band, radius);
  const lines: Component[] = [];
  for (const [red, green, blue] of commonColours(strokes, band)) {
    const mask = new Uint8Array(width * height);
    for (let i = 0; i < mask.length; i++) {
      if (strokes[i] === 0) continue;
      const distance = Math.max(
        Math.abs((data[3 * i] as number) - red),
        Math.abs((data[3 * i + 1] as number) - green),
        Math.abs((data[3 * i + 2] as number) - blue),
      );
      if (distance <= ALIKE) mask[i] = 1;
    }
    const { list } = findComponents(widened(mask, width, height, 2 * radius), width, height, 8);
    const parts = list.map((part) => ({ ...part, left: part.left + 2 * radius, right: part.right - 2 * radius }));
    for (const line of joinNeighbours(parts)) if (isLettering(line, mask, band, whole)) lines.push(line);
  }
  return lines;
}

/** Marks what is thinner than a stroke and brighter than everything around it. */
function brightStrokes({ data, width, height }: Picture, radius: number): Uint8Array {
  const value = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < value.length; i++, at += 3) {
    value[i] = (77 * (data[at] as number) + 150 * (data[at + 1] as number) + 29 * (data[at + 2] as number)) >> 8;
  }
  const darkest = lowestAround(value, width, height, radius);
  for (let i = 0; i < darkest.length; i++) darkest[i] = 255 - (darkest[i] as number);
  // 255 less the highest of the lowest: the picture without its thin bright parts.
  const without = lowestAround(darkest, width, height, radius);
  return value.map((here, i) => (here >= BRIGHT && here + (without[i] as number) - 255 >= CONTRAST ? 1 : 0));
}

/** Returns the colours that the inside of strokes has most often. */
function commonColours(strokes: Uint8Array, { data, width }: Picture): [number, number, number][] {
  const shift = 8 - BITS;
  const bins = new Map<number, { count: number; sum: [number, number, number] }>();
  for (let i = width; i < strokes.length - width; i++) {
    if (!isInside(strokes, i, width)) continue;
    const [red, green, blue] = [data[3 * i] as number, data[3 * i + 1] as number, data[3 * i + 2] as number];
    const key = ((red >> shift) << (2 * BITS)) | ((green >> shift) << BITS) | (blue >> shift);
    const bin = bins.get(key) ?? { count: 0, sum: [0, 0, 0] };
    bin.count++;
    bin.sum[0] += red;
    bin.sum[1] += green;
    bin.sum[2] += blue;
    bins.set(key, bin);
  }
  return [...bins.values()]
    .filter(({ count }) => count >= FEWEST_CORES)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_COLOURS)
    .map(({ count, sum }) => [sum[0] / count, sum[1] / count, sum[2] / count]);
}

/** Joins parts of the same line. */
function joinNeighbours(lines: Component[]): Component[] {
  const rest = [...lines].sort((a, b) => a.left - b.left);
  for (let i = 0; i < rest.length; i++) {
    for (let j = i + 1; j < rest.length; j++) {
      const a = rest[i] as Component;
      const b = rest[j] as Component;
      const high = Math.max(a.bottom - a.top, b.bottom - b.top) + 1;
      const common = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) + 1;
      if (common < 0.6 * high || b.left - a.right > GAP * high) continue;
      rest[i] = {
        ...a,
        left: Math.min(a.left, b.left),
        right: Math.max(a.right, b.right),
        top: Math.min(a.top, b.top),
        bottom: Math.max(a.bottom, b.bottom),
      };
      rest.splice(j, 1);
      j = i;
    }
  }
  return rest;
}

function isLettering(line: Component, mask: Uint8Array, { data, width }: Picture, whole: Size): boolean {
  const across = line.right - line.left + 1;
  const high = line.bottom - line.top + 1;
  if (high < LOWEST * whole.height || high > HIGHEST * whole.height || across < 1.5 * high) return false;
  const cut = new Uint8Array(across * high);
  for (let y = 0; y < high; y++) {
    const from = (line.top + y) * width + line.left;
    cut.set(mask.subarray(from, from + across), y * across);
  }
  let ink = 0;
  let begun = 0;
  for (let i = 0; i < cut.length; i++) {
    if (cut[i] === 0) continue;
    ink++;
    if (i % across === 0 || cut[i - 1] === 0) begun++;
  }
  const share = ink / cut.length;
  const perRow = begun / high;
  if (perRow < FEWEST_STROKES || perRow * high < LEAST_STROKES * across) return false;
  if (share < LEAST_INK || share > MOST_INK) return false;
  return standing(cut, across, high) >= ALIGNED && evenness(line, mask, data, width) <= UNEVEN;
}

/** Returns the share of the ink in parts that stand on the base of the line and are not specks. */
function standing(cut: Uint8Array, width: number, height: number): number {
  const { list } = findComponents(cut, width, height, 8);
  const bottoms = list.flatMap(({ bottom, area }) => Array.from({ length: area }, () => bottom)).sort((a, b) => a - b);
  const base = bottoms[bottoms.length >> 1] as number;
  let sum = 0;
  for (const { area, top, bottom } of list)
    if (Math.abs(bottom - base) <= Math.max(1, BASE * height) && bottom - top + 1 >= 0.35 * height) sum += area;
  return sum / bottoms.length;
}

/** Whether a pixel lies inside its stroke: at its border colours are mixed. */
function isInside(strokes: Uint8Array, i: number, width: number): boolean {
  return (
    strokes[i] === 1 &&
    strokes[i - 1] === 1 &&
    strokes[i + 1] === 1 &&
    strokes[i - width] === 1 &&
    strokes[i + width] === 1
  );
}

/** Returns the mean deviation of the colours inside the strokes from their median. */
function evenness(line: Component, strokes: Uint8Array, data: Uint8Array, width: number): number {
  const inside: number[] = [];
  for (let y = Math.max(1, line.top); y < line.bottom; y++)
    for (let x = Math.max(1, line.left); x < line.right; x++) {
      if (isInside(strokes, y * width + x, width)) inside.push(y * width + x);
    }
  if (inside.length < FEWEST_CORES / 2) return Number.POSITIVE_INFINITY;
  let deviation = 0;
  for (let c = 0; c < 3; c++) {
    const values = Uint8Array.from(inside, (i) => data[3 * i + c] as number).sort();
    const median = values[values.length >> 1] as number;
    deviation += values.reduce((sum, value) => sum + Math.abs(value - median), 0) / values.length;
  }
  return deviation / 3;
}

/** Returns the lowest value within a square around each pixel. */
function lowestAround(value: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const rows = new Uint8Array(value.length);
  for (let y = 0; y < height; y++) {
    const at = y * width;
    for (let x = 0; x < width; x++) {
      let lowest = 255;
      const end = at + Math.min(width - 1, x + radius);
      for (let k = at + Math.max(0, x - radius); k <= end; k++) {
        const here = value[k] as number;
        if (here < lowest) lowest = here;
      }
      rows[at + x] = lowest;
    }
  }
  const out = new Uint8Array(value.length).fill(255);
  for (let y = 0; y < height; y++) {
    const to = y * width;
    for (let k = Math.max(0, y - radius); k <= Math.min(height - 1, y + radius); k++) {
      const from = k * width;
      for (let x = 0; x < width; x++) {
        const here = rows[from + x] as number;
        if (here < (out[to + x] as number)) out[to + x] = here;
      }
    }
  }
  return out;
}

/** Widens the set cells of a mask to both sides. */
function widened(mask: Uint8Array, width: number, height: number, radius: number): Uint8Array {
  const out = new Uint8Array(mask.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (mask[y * width + x] === 0) continue;
      out.fill(1, y * width + Math.max(0, x - radius), y * width + Math.min(width, x + radius + 1));
    }
  }
  return out;
}

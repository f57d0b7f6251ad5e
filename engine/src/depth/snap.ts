import { type Component, findComponents } from './components.ts';
import { SMALLEST_OBJECT } from './hand.ts';
import { maskOf, type Plane } from './plane.ts';
import { median, quantile, standardDeviation } from './statistics.ts';

/** Fraction of an object's own relief that is kept; the rest is replaced by its median. */
const KEPT_RELIEF = 0.6;
/** Smallest step between an object and its immediate surroundings, in standard deviations of the picture's depth. */
const LEAST_STEP = 0.3;
/**
 * A subject twice as tall as wide is upright, like a person: its head is as near as its feet. From one and a half on it
 * begins to be, so that nothing jumps in a video when somebody lifts an arm.
 */
const STOUT = 1.5;
const SLENDER = 2;
/**
 * Opacity (upper quartile) of a subject at which the matte is unsure of it, and at which it is sure. Where there is no
 * subject, it finds patches of light and shade, which must not leap out of the picture.
 */
const UNSURE = 0.7;
const SURE = 0.9;
/** Pixels required for a reliable median. */
const ENOUGH = 50;

/**
 * Makes each subject of the matte one coherent object that is never behind its immediate surroundings, so that depth
 * edges coincide with the outline of the matte; the less, the less sure the matte is of it. A slender one keeps only its
 * relief within each row.
 * @param depth Relative inverse depth, larger is nearer, any range.
 * @param matte Subject matte of the same size, 0 … 1.
 */
export function snapToMatte(depth: Plane, matte: Plane): Plane {
  const { width, height } = depth;
  const mask = maskOf(matte.data);
  const { labels, list } = findComponents(mask, width, height, 8);
  const step = LEAST_STEP * standardDeviation(depth.data);
  const out = depth.data.slice();
  for (const component of list) {
    if (component.area < SMALLEST_OBJECT * width * height) continue;
    const { own, surround } = medians(depth, mask, labels, component);
    const lift = Math.max(0, surround + step - own);
    const shape = (component.bottom - component.top + 1) / (component.right - component.left + 1);
    const slender = Math.min(1, Math.max(0, (shape - STOUT) / (SLENDER - STOUT)));
    const means = meansOfRows(depth, labels, component);
    const trust = Math.min(1, Math.max(0, (opacityOf(matte, labels, component) - UNSURE) / (SURE - UNSURE)));
    for (let y = component.top; y <= component.bottom; y++) {
      for (let i = y * width + component.left; i <= y * width + component.right; i++) {
        if (labels[i] !== component.label) continue;
        const here = depth.data[i] as number;
        const relief = here - own - slender * ((means[y - component.top] as number) - own);
        out[i] = here + trust * (own + KEPT_RELIEF * relief + lift - here);
      }
    }
  }
  return { ...depth, data: out };
}

/** Returns the mean depth of a component in each of its rows. */
function meansOfRows(depth: Plane, labels: Int32Array, { label, left, top, right, bottom }: Component): Float32Array {
  const means = new Float32Array(bottom - top + 1);
  for (let y = top; y <= bottom; y++) {
    let [sum, count] = [0, 0];
    for (let i = y * depth.width + left; i <= y * depth.width + right; i++) {
      if (labels[i] !== label) continue;
      sum += depth.data[i] as number;
      count++;
    }
    means[y - top] = count > 0 ? sum / count : 0;
  }
  return means;
}

/** Returns the upper quartile of the opacity of a component: its soft outline does not count. */
function opacityOf({ data, width }: Plane, labels: Int32Array, { label, area, left, top, right, bottom }: Component) {
  const own = new Float32Array(area);
  let count = 0;
  for (let y = top; y <= bottom; y++) {
    for (let i = y * width + left; i <= y * width + right; i++) {
      if (labels[i] === label) own[count++] = data[i] as number;
    }
  }
  return quantile(own, 0.75);
}

/** Returns the median depth of a component's interior and of the surrounding band that belongs to no component. */
function medians(depth: Plane, mask: Uint8Array, labels: Int32Array, component: Component) {
  const { width, height } = depth;
  const side = Math.max(3, Math.floor(width / 30));
  // Only the component's bounding box, extended by the window size, has to be examined.
  const left = Math.max(0, component.left - side);
  const top = Math.max(0, component.top - side);
  const boxWidth = Math.min(width - 1, component.right + side) - left + 1;
  const boxHeight = Math.min(height - 1, component.bottom + side) - top + 1;
  const member = new Uint8Array(boxWidth * boxHeight);
  for (let y = 0; y < boxHeight; y++) {
    const row = (top + y) * width + left;
    for (let x = 0; x < boxWidth; x++) member[y * boxWidth + x] = labels[row + x] === component.label ? 1 : 0;
  }
  const nearby = countInSquare(member, boxWidth, boxHeight, side);
  const possible = countInSquare(new Uint8Array(member.length).fill(1), boxWidth, boxHeight, side);

  const inner = new Float32Array(component.area);
  const whole = new Float32Array(component.area);
  const ring = new Float32Array(member.length - component.area);
  let innerCount = 0;
  let wholeCount = 0;
  let ringCount = 0;
  for (let y = 0; y < boxHeight; y++) {
    for (let x = 0; x < boxWidth; x++) {
      const cell = y * boxWidth + x;
      const at = (top + y) * width + left + x;
      const value = depth.data[at] as number;
      if (member[cell]) {
        whole[wholeCount++] = value;
        if (nearby[cell] === possible[cell]) inner[innerCount++] = value;
      } else if (nearby[cell] && !mask[at]) {
        ring[ringCount++] = value;
      }
    }
  }
  const own = innerCount > ENOUGH ? median(inner.subarray(0, innerCount)) : median(whole);
  return { own, surround: ringCount > ENOUGH ? median(ring.subarray(0, ringCount)) : own };
}

/**
 * Counts the cells of `mask` in the side x side square around each cell (for an even side, one further to the left and
 * up); cells beyond the image count as 0. Comparing the count with the area or with 0 gives erosion and dilation.
 */
function countInSquare(mask: Uint8Array, width: number, height: number, side: number): Uint16Array {
  const before = Math.floor(side / 2);
  const after = side - before;
  const across = new Uint16Array(mask.length);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    let count = 0;
    for (let x = 0; x < Math.min(after - 1, width); x++) count += mask[start + x] as number;
    for (let x = 0; x < width; x++) {
      if (x + after - 1 < width) count += mask[start + x + after - 1] as number;
      if (x - before - 1 >= 0) count -= mask[start + x - before - 1] as number;
      across[start + x] = count;
    }
  }
  const out = new Uint16Array(mask.length);
  const counts = new Uint16Array(width);
  const add = (row: number, sign: 1 | -1) => {
    for (let x = 0; x < width; x++) counts[x] = (counts[x] as number) + sign * (across[row * width + x] as number);
  };
  for (let y = 0; y < Math.min(after - 1, height); y++) add(y, 1);
  for (let y = 0; y < height; y++) {
    if (y + after - 1 < height) add(y + after - 1, 1);
    if (y - before - 1 >= 0) add(y - before - 1, -1);
    out.set(counts, y * width);
  }
  return out;
}

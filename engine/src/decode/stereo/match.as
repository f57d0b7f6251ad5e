// Dense stereo by semi-global matching (Hirschmueller 2008), compiled to WebAssembly with SIMD: sixteen disparities are
// processed per register, which is twenty times as fast as JavaScript. match.ts writes the two pictures and reads the
// disparities; `allocate` lays out the memory.
//
// A pixel x of the left eye with disparity d corresponds to x - d in the right one: larger is nearer.

/** Half the census window, across and down: 9 x 7 pixels, 31 pairs of opposite ones. */
const RADIUS_X: i32 = 4;
const RADIUS_Y: i32 = 3;
const PAIRS: i32 = 31;
/** Penalties on a path for a neighbour whose disparity differs by one pixel, and by more. */
const SMALL_STEP: u8 = 7;
const LARGE_STEP: i32 = 60;
/**
 * A brightness step makes a large disparity step more likely: this many grey levels halve its penalty, down to the
 * minimum.
 */
const HALVING_JUMP: i32 = 12;
const LEAST_LARGE_STEP: i32 = 22;
/** Cost outside the other eye's picture: that of a random match. */
const OUTSIDE: u8 = 15;
/** Cost of padding levels in the last register, too high to be ever chosen. */
const NEVER: u8 = 120;
/**
 * Padding in bytes before and after the levels of a path's state, for the neighbours of the first and the last level.
 */
const MARGIN: i32 = 16;
const UNKNOWN: f32 = -32768;

/** End of the allocated memory. */
let top: usize = 0;
let width: i32 = 0;
let height: i32 = 0;
let count: i32 = 0;
/** `count` rounded up to a multiple of 16. */
let levels: i32 = 0;
/** Brightness of the two eyes, one byte per pixel. */
export let left: usize = 0;
export let right: usize = 0;
/** Result: one f32 per pixel of the left eye. */
export let disparity: usize = 0;

let leftCensus: usize = 0;
let rightCensus: usize = 0;
let padded: usize = 0;
/** Costs (u8 per pixel and level), and their u16 sums over the paths. */
let costs: usize = 0;
let sums: usize = 0;
/**
 * States of the three paths from the previous row, for the previous and the current row; then two alternating states of
 * the path along the row.
 */
let states: usize = 0;
let leasts: usize = 0;
let rightBest: usize = 0;
let rightLeast: usize = 0;
let best: usize = 0;

/** Allocates the memory for pictures of this size and `depths` disparity levels. */
export function allocate(across: i32, down: i32, depths: i32): void {
  width = across;
  height = down;
  count = depths;
  levels = (depths + 15) & ~15;
  const pixels = across * down;
  top = 64;
  left = take(pixels);
  right = take(pixels);
  disparity = take(pixels * 4);
  leftCensus = take(pixels * 4);
  rightCensus = take(pixels * 4);
  padded = take((across + 2 * RADIUS_X) * (down + 2 * RADIUS_Y));
  costs = take(pixels * levels);
  sums = take(pixels * levels * 2);
  states = take((6 * width + 2) * stride());
  leasts = take(6 * width + 2);
  rightBest = take(width * 4);
  rightLeast = take(width * 4);
  best = take(width * 4);
  const pages = i32((top + 65535) >> 16);
  const held = memory.size();
  if (pages > held && memory.grow(pages - held) < 0) unreachable();
}

function take(bytes: usize): usize {
  const at = top;
  top = (top + bytes + 15) & ~15;
  return at;
}

/** Must be called once both pictures are written. */
export function prepare(): void {
  census(left, leftCensus);
  census(right, rightCensus);
}

/**
 * Computes the census signature of each pixel: which of two opposite neighbours is brighter. It is invariant to
 * exposure, which differs between the lenses of real pairs.
 */
function census(grey: usize, out: usize): void {
  const across = width + 2 * RADIUS_X;
  for (let y = 0; y < height + 2 * RADIUS_Y; y++) {
    const from = grey + min(height - 1, max(0, y - RADIUS_Y)) * width;
    const to = padded + y * across;
    memory.fill(to, load<u8>(from), RADIUS_X);
    memory.copy(to + RADIUS_X, from, width);
    memory.fill(to + RADIUS_X + width, load<u8>(from + width - 1), RADIUS_X);
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const centre = padded + (y + RADIUS_Y) * across + x + RADIUS_X;
      let bits: i32 = 0;
      for (let v = 0; v <= RADIUS_Y; v++) {
        for (let u = v === 0 ? 1 : -RADIUS_X; u <= RADIUS_X; u++) {
          const offset = v * across + u;
          bits = (bits << 1) | i32(load<u8>(centre - offset) > load<u8>(centre + offset));
        }
      }
      store<i32>(out + ((y * width + x) << 2), bits);
    }
  }
}

/** Returns the mismatch when the right eye's picture is `rows` lower: a sum over a grid of pixels. */
export function misfit(first: i32, rows: i32): f64 {
  let sum: f64 = 0;
  for (let y = 10; y < height - 10; y += 8) {
    const there = rightCensus + (((y + rows) * width) << 2);
    for (let x = 5; x < width; x += 9) {
      const here = load<i32>(leftCensus + ((y * width + x) << 2));
      let least = PAIRS;
      for (let k = max(0, x - first - width + 1), end = min(count, x - first + 1); k < end; k++)
        least = min(least, popcnt(here ^ load<i32>(there + ((x - first - k) << 2))));
      sum += least;
    }
  }
  return sum;
}

/**
 * Fills `disparity` with sub-pixel values, starting at `first`, or `UNKNOWN` where the left-right consistency check
 * fails. `rows`: how many rows the right eye's picture is lower.
 *
 * @returns number of known pixels
 */
export function match(first: i32, rows: i32): i32 {
  fillCosts(first, rows);
  memory.fill(sums, 0, usize(width * height * levels * 2));
  sweep(1);
  sweep(-1);
  let known = 0;
  for (let y = 0; y < height; y++) known += choose(y, first);
  return known;
}

function fillCosts(first: i32, rows: i32): void {
  let at = costs;
  for (let y = 0; y < height; y++) {
    const row = leftCensus + ((y * width) << 2);
    const there = rightCensus + ((min(height - 1, max(0, y + rows)) * width) << 2);
    for (let x = 0; x < width; x++, at += levels) {
      const here = load<i32>(row + (x << 2));
      for (let k = 0; k < count; k++) {
        const column = x - first - k;
        const cost = u32(column) < u32(width) ? u8(popcnt(here ^ load<i32>(there + (column << 2)))) : OUTSIDE;
        store<u8>(at + k, cost);
      }
      memory.fill(at + count, NEVER, levels - count);
    }
  }
}

// @ts-ignore: decorator
@inline
function stride(): i32 {
  return levels + 2 * MARGIN;
}

/**
 * Aggregates costs along half of the eight paths: those running with the rows and down (direction 1), or against the
 * rows and up (-1).
 */
function sweep(direction: i32): void {
  const size = stride();
  memory.fill(states, 255, usize((6 * width + 2) * size));
  let above = 0;
  let now = 3 * width;
  const beside = 6 * width;
  for (let row = 0; row < height; row++) {
    const y = direction === 1 ? row : height - 1 - row;
    for (let column = 0; column < width; column++) {
      const x = direction === 1 ? column : width - 1 - column;
      const pixel = y * width + x;
      const grey = i32(load<u8>(left + pixel));
      const turn = column & 1;
      if (column === 0) begin(pixel, beside + turn);
      else proceed(pixel, beside + 1 - turn, beside + turn, price(grey, pixel - direction));
      for (let path = 0; path < 3; path++) {
        const from = x + (path - 1) * direction;
        const state = now + path * width + x;
        if (row === 0 || from < 0 || from >= width) begin(pixel, state);
        else proceed(pixel, above + path * width + from, state, price(grey, (y - direction) * width + from));
      }
    }
    const swap = above;
    above = now;
    now = swap;
  }
}

// @ts-ignore: decorator
@inline
function price(grey: i32, neighbour: i32): u8 {
  const jump = abs(grey - i32(load<u8>(left + neighbour)));
  return u8(max(LEAST_LARGE_STEP, (LARGE_STEP * HALVING_JUMP) / (HALVING_JUMP + jump)));
}

/** Starts a path at this pixel: its state is the pixel's own costs. */
// @ts-ignore: decorator
@inline
function begin(pixel: i32, state: i32): void {
  const to = states + state * stride() + MARGIN;
  const cost = costs + pixel * levels;
  let least = i8x16.splat(-1);
  for (let k = 0; k < levels; k += 16) {
    const value = v128.load(cost + k);
    v128.store(to + k, value);
    least = v128.min<u8>(least, value);
    addTo(pixel, k, value);
  }
  store<u8>(leasts + state, smallest(least));
}

/** Continues a path from a neighbour. Values stay small because the neighbour's minimum is subtracted at each step. */
// @ts-ignore: decorator
@inline
function proceed(pixel: i32, before: i32, state: i32, largeStep: u8): void {
  const from = states + before * stride() + MARGIN;
  const to = states + state * stride() + MARGIN;
  const cost = costs + pixel * levels;
  const base = load<u8>(leasts + before);
  const off = i8x16.splat(base);
  const jump = i8x16.splat(base + largeStep);
  const step = i8x16.splat(SMALL_STEP);
  let least = i8x16.splat(-1);
  for (let k = 0; k < levels; k += 16) {
    const same = v128.min<u8>(v128.load(from + k), jump);
    const beside = v128.min<u8>(v128.load(from + k - 1), v128.load(from + k + 1));
    const cheapest = v128.min<u8>(same, i8x16.add_sat_u(beside, step));
    const value = i8x16.add_sat_u(v128.load(cost + k), i8x16.sub_sat_u(cheapest, off));
    v128.store(to + k, value);
    least = v128.min<u8>(least, value);
    addTo(pixel, k, value);
  }
  store<u8>(leasts + state, smallest(least));
}

// @ts-ignore: decorator
@inline
function addTo(pixel: i32, k: i32, value: v128): void {
  const at = sums + ((pixel * levels + k) << 1);
  v128.store(at, i16x8.add(v128.load(at), i16x8.extend_low_i8x16_u(value)));
  v128.store(at + 16, i16x8.add(v128.load(at + 16), i16x8.extend_high_i8x16_u(value)));
}

// @ts-ignore: decorator
@inline
function smallest(value: v128): u8 {
  let v = v128.min<u8>(value, i8x16.shuffle(value, value, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  v = v128.min<u8>(v, i8x16.shuffle(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3));
  v = v128.min<u8>(v, i8x16.shuffle(v, v, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1));
  v = v128.min<u8>(v, i8x16.shuffle(v, v, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0));
  return i8x16.extract_lane_u(v, 0);
}

/**
 * Selects the best level of each pixel of a row if it passes the left-right consistency check. Returns the number of
 * known pixels.
 */
function choose(y: i32, first: i32): i32 {
  memory.fill(rightLeast, 255, width << 2);
  for (let x = 0; x < width; x++) {
    const at = sums + (((y * width + x) * levels) << 1);
    let least: u32 = u32.MAX_VALUE;
    let chosen = 0;
    for (let k = 0; k < count; k++) {
      const sum = u32(load<u16>(at + (k << 1)));
      if (sum < least) {
        least = sum;
        chosen = k;
      }
      const there = x - first - k;
      if (u32(there) < u32(width) && sum < load<u32>(rightLeast + (there << 2))) {
        store<u32>(rightLeast + (there << 2), sum);
        store<i32>(rightBest + (there << 2), k);
      }
    }
    store<i32>(best + (x << 2), chosen);
  }
  let known = 0;
  for (let x = 0; x < width; x++) {
    const k = load<i32>(best + (x << 2));
    const there = x - first - k;
    const out = disparity + ((y * width + x) << 2);
    if (u32(there) >= u32(width) || abs(load<i32>(rightBest + (there << 2)) - k) > 1) {
      store<f32>(out, UNKNOWN);
      continue;
    }
    store<f32>(out, f32(first + k) + fraction(sums + (((y * width + x) * levels) << 1), k));
    known++;
  }
  return known;
}

/** Returns the sub-pixel offset of the minimum: the vertex of a parabola through the three sums. */
function fraction(at: usize, k: i32): f32 {
  if (k === 0 || k === count - 1) return 0;
  const before = f32(load<u16>(at + ((k - 1) << 1)));
  const here = f32(load<u16>(at + (k << 1)));
  const after = f32(load<u16>(at + ((k + 1) << 1)));
  const bend = before + after - 2 * here;
  return bend <= 0 ? 0 : (before - after) / (2 * bend);
}

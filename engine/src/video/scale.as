// Scales a plane of a picture: sums rows of the source by weight, then averages each sum along the row. AssemblyScript,
// compiled to WebAssembly with SIMD; scale.ts fills in the weights. Sources may be anywhere in the memory, which may be
// shared; up to 32 bytes past their end are read.

/** Bytes of the scaled plane. */
export let target: usize = 0;
/** Per column and per row of the target: its first source index (i32) and the weights (f32) from there on. */
export let columnStarts: usize = 0;
export let columnShares: usize = 0;
export let rowStarts: usize = 0;
export let rowShares: usize = 0;

/** f32 per byte of a source row. */
let sums: usize = 0;
let inWidth: usize = 0;
let outWidth: i32 = 0;
let outHeight: i32 = 0;
let columnTaps: i32 = 0;
let rowTaps: i32 = 0;

export function allocate(sourceWidth: i32, width: i32, height: i32, taps: i32, tapsDown: i32): void {
  inWidth = <usize>sourceWidth;
  outWidth = width;
  outHeight = height;
  columnTaps = taps;
  rowTaps = tapsDown;
  // First laid out from 0 to get the size: the memory may be shared, and only `grow` returns which part is ours.
  const from = memory.grow(<i32>((layOut(0) + 65535) >> 16));
  if (from < 0) unreachable();
  layOut(<usize>from << 16);
}

function layOut(start: usize): usize {
  const w = <usize>outWidth;
  const h = <usize>outHeight;
  let at = start;
  target = at;
  at = align(at + w * h + 32);
  columnStarts = at;
  at = align(at + w * 4);
  columnShares = at;
  at = align(at + w * <usize>columnTaps * 4);
  rowStarts = at;
  at = align(at + h * 4);
  rowShares = at;
  at = align(at + h * <usize>rowTaps * 4);
  sums = at;
  return align(at + inWidth * 4 + 64);
}

// @ts-ignore: decorator
@inline
function align(at: usize): usize {
  return (at + 15) & ~15;
}

/** Scales the plane at `source`. */
export function scale(source: usize): void {
  for (let y = 0; y < outHeight; y++) {
    const share = rowShares + <usize>(y * rowTaps) * 4;
    let row = source + <usize>load<i32>(rowStarts + <usize>y * 4) * inWidth;
    begin(row, load<f32>(share));
    for (let tap = 1; tap < rowTaps; tap++) {
      row += inWidth;
      const part = load<f32>(share + <usize>tap * 4);
      if (part != 0) add(row, part);
    }
    finish(target + <usize>(y * outWidth));
  }
}

// @ts-ignore: decorator
@inline
function widen(low: v128): v128 {
  return f32x4.convert_i32x4_u(low);
}

/** Initialises the sum with a weighted row. */
function begin(row: usize, share: f32): void {
  const factor = f32x4.splat(share);
  let to = sums;
  for (let at = row, end = row + inWidth; at < end; at += 16, to += 64) {
    const bytes = v128.load(at);
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    v128.store(to, f32x4.mul(factor, widen(i32x4.extend_low_i16x8_u(low))), 0);
    v128.store(to, f32x4.mul(factor, widen(i32x4.extend_high_i16x8_u(low))), 16);
    v128.store(to, f32x4.mul(factor, widen(i32x4.extend_low_i16x8_u(high))), 32);
    v128.store(to, f32x4.mul(factor, widen(i32x4.extend_high_i16x8_u(high))), 48);
  }
}

/** Adds a weighted row to the sum. */
function add(row: usize, share: f32): void {
  const factor = f32x4.splat(share);
  let to = sums;
  for (let at = row, end = row + inWidth; at < end; at += 16, to += 64) {
    const bytes = v128.load(at);
    const low = i16x8.extend_low_i8x16_u(bytes);
    const high = i16x8.extend_high_i8x16_u(bytes);
    v128.store(to, f32x4.add(v128.load(to, 0), f32x4.mul(factor, widen(i32x4.extend_low_i16x8_u(low)))), 0);
    v128.store(to, f32x4.add(v128.load(to, 16), f32x4.mul(factor, widen(i32x4.extend_high_i16x8_u(low)))), 16);
    v128.store(to, f32x4.add(v128.load(to, 32), f32x4.mul(factor, widen(i32x4.extend_low_i16x8_u(high)))), 32);
    v128.store(to, f32x4.add(v128.load(to, 48), f32x4.mul(factor, widen(i32x4.extend_high_i16x8_u(high)))), 48);
  }
}

/** Averages the sum along the row, rounds, and writes one row of the target. */
function finish(to: usize): void {
  let share = columnShares;
  for (let x = 0; x < outWidth; x++) {
    let from = sums + <usize>load<i32>(columnStarts + (<usize>x << 2)) * 4;
    let sum: f32 = 0.5;
    for (let tap = 0; tap < columnTaps; tap++, share += 4, from += 4) sum += load<f32>(from) * load<f32>(share);
    store<u8>(to + <usize>x, <i32>sum);
  }
}

/** Halves the plane at `source`, averaging 2 x 2 values; sixteen results at a time. */
export function halve(source: usize): void {
  const mask = i16x8.splat(0xff);
  for (let y = 0; y < outHeight; y++) {
    let at = source + <usize>(2 * y) * inWidth;
    let to = target + <usize>(y * outWidth);
    for (let end = to + <usize>outWidth; to < end; at += 32, to += 16) {
      const first = i8x16.avgr_u(v128.load(at), v128.load(at + inWidth));
      const second = i8x16.avgr_u(v128.load(at, 16), v128.load(at + inWidth, 16));
      const even = i8x16.narrow_i16x8_u(v128.and(first, mask), v128.and(second, mask));
      const odd = i8x16.narrow_i16x8_u(i16x8.shr_u(first, 8), i16x8.shr_u(second, 8));
      v128.store(to, i8x16.avgr_u(even, odd));
    }
  }
}

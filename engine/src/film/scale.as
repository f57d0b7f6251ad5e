// Scales one row of a picture at a time: rows of the source are added up, each with its share, and the sum is then
// averaged along the row. AssemblyScript, compiled to WebAssembly with SIMD; scale.ts fills in the rows and the shares.

/** RGB bytes of a row of the source. */
export let source: usize = 0;
/** RGB bytes of another one, for `halve`. */
export let second: usize = 0;
/** RGB bytes of the finished row. */
export let target: usize = 0;
/** Per pixel of the target: its first pixel of the source (i32) and `taps` shares (f32) from there on. */
export let starts: usize = 0;
export let shares: usize = 0;

/** f32 per byte of the source row. */
let sums: usize = 0;
let bytes: usize = 0;
let outPixels: i32 = 0;
let taps: i32 = 0;

export function allocate(sourcePixels: i32, targetPixels: i32, tapCount: i32): void {
  bytes = <usize>sourcePixels * 3;
  outPixels = targetPixels;
  taps = tapCount;
  let at: usize = 64;
  source = at;
  at = align(at + bytes + 16);
  second = at;
  at = align(at + bytes + 16);
  target = at;
  at = align(at + <usize>targetPixels * 3 + 16);
  starts = at;
  at = align(at + <usize>targetPixels * 4);
  shares = at;
  at = align(at + <usize>(targetPixels * tapCount) * 4);
  sums = at;
  at = align(at + bytes * 4 + 64 + <usize>tapCount * 12);
  const pages = <i32>((at + 65535) >> 16);
  const held = memory.size();
  if (pages > held && memory.grow(pages - held) < 0) unreachable();
}

// @ts-ignore: decorator
@inline
function align(at: usize): usize {
  return (at + 15) & ~15;
}

// @ts-ignore: decorator
@inline
function widen(low: v128): v128 {
  return f32x4.convert_i32x4_u(low);
}

/** Begins a sum with the source row. */
export function begin(share: f32): void {
  const factor = f32x4.splat(share);
  let to = sums;
  for (let at = source, end = source + bytes; at < end; at += 16, to += 64) {
    const row = v128.load(at);
    const low = i16x8.extend_low_i8x16_u(row);
    const high = i16x8.extend_high_i8x16_u(row);
    v128.store(to, f32x4.mul(factor, widen(i32x4.extend_low_i16x8_u(low))), 0);
    v128.store(to, f32x4.mul(factor, widen(i32x4.extend_high_i16x8_u(low))), 16);
    v128.store(to, f32x4.mul(factor, widen(i32x4.extend_low_i16x8_u(high))), 32);
    v128.store(to, f32x4.mul(factor, widen(i32x4.extend_high_i16x8_u(high))), 48);
  }
}

/** Adds the source row to the sum. */
export function add(share: f32): void {
  const factor = f32x4.splat(share);
  let to = sums;
  for (let at = source, end = source + bytes; at < end; at += 16, to += 64) {
    const row = v128.load(at);
    const low = i16x8.extend_low_i8x16_u(row);
    const high = i16x8.extend_high_i8x16_u(row);
    v128.store(to, f32x4.add(v128.load(to, 0), f32x4.mul(factor, widen(i32x4.extend_low_i16x8_u(low)))), 0);
    v128.store(to, f32x4.add(v128.load(to, 16), f32x4.mul(factor, widen(i32x4.extend_high_i16x8_u(low)))), 16);
    v128.store(to, f32x4.add(v128.load(to, 32), f32x4.mul(factor, widen(i32x4.extend_low_i16x8_u(high)))), 32);
    v128.store(to, f32x4.add(v128.load(to, 48), f32x4.mul(factor, widen(i32x4.extend_high_i16x8_u(high)))), 48);
  }
}

/** Averages the sum along the row, rounds, and writes the target row. A store touches the pixel after its own. */
export function finish(): void {
  let share = shares;
  let to = target;
  for (let x = 0; x < outPixels; x++, to += 3) {
    let from = sums + <usize>load<i32>(starts + (<usize>x << 2)) * 12;
    let sum = f32x4.mul(v128.load(from), v128.load32_splat(share));
    share += 4;
    for (let tap = 1; tap < taps; tap++, share += 4) {
      from += 12;
      sum = f32x4.add(sum, f32x4.mul(v128.load(from), v128.load32_splat(share)));
    }
    const whole = i32x4.trunc_sat_f32x4_u(f32x4.add(sum, f32x4.splat(0.5)));
    const short = i16x8.narrow_i32x4_s(whole, whole);
    v128.store32_lane(to, i8x16.narrow_i16x8_u(short, short), 0);
  }
}

/**
 * Writes the target row as the mean of pairs of pixels of the source row and of the one in `lower`, which may be the
 * same: four pixels at a time.
 */
export function halve(lower: usize): void {
  let to = target;
  const end = target + <usize>outPixels * 3;
  const below = lower - source;
  for (let at = source; to < end; at += 24, to += 12) {
    const first = i8x16.avgr_u(v128.load(at), v128.load(at + below));
    const second = i8x16.avgr_u(v128.load(at, 12), v128.load(at + below, 12));
    // Even pixels of the 24 bytes, then odd ones.
    const even = v128.shuffle<u8>(first, second, 0, 1, 2, 6, 7, 8, 16, 17, 18, 22, 23, 24, 0, 0, 0, 0);
    const odd = v128.shuffle<u8>(first, second, 3, 4, 5, 9, 10, 11, 19, 20, 21, 25, 26, 27, 0, 0, 0, 0);
    v128.store(to, i8x16.avgr_u(even, odd));
  }
}

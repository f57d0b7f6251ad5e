// The row warp: one row of a picture with its depth becomes the same row of every view.
//
// AssemblyScript, compiled to WebAssembly with SIMD by build.mjs: a pixel's three channels travel in one register,
// which makes this loop about three times as fast as the same code in JavaScript. The memory is laid out by
// `allocate`; warp.ts writes the row into it and reads the views from it.
//
// The model: pixel centres of the source lie at `x = i + 0.5` and move to `(x - inset) * zoom + shift * zoom` with
// `shift = reach * effect[i]`. Neighbours form segments in which position and colour are interpolated. Where the shift
// jumps by a pixel or more the surface is torn: the row falls into runs, and each run keeps EDGE pixels of its own
// beyond its last centre. A view's pixel is the exact average of the part of the source that it shows (differences of
// an integral of the row, so no samples are counted), and what no run covers is shown from the background layer.

/** How far a torn surface reaches beyond its last pixel centre; measured on stereo pairs (half a pixel loses 0.5 dB). */
const EDGE: f32 = 0.7;
/** A shift that jumps by this many source pixels between neighbours tears the surface; less than 1 keeps runs monotone. */
const TEAR: f32 = 1;
/** Passes that find which background pixel a hole shows; its shift is nearly constant there, so two settle it. */
const PASSES: i32 = 2;
/** Rows may begin at any byte of a machine word, see `RowWarp`. */
const LARGEST_SKEW: usize = 7;
/** Boundaries before and after the view that a run may write to before it is known to have left the view. */
const BEYOND: usize = 16;
/** Source pixels; well above the spacing of f32 at the largest coordinate, 4096. */
const SLIVER: f32 = 0.004;

let width: i32 = 0;
let backWidth: i32 = 0;
/** RGB bytes of the row, from `colourSkew` bytes on. */
export let colour: usize = 0;
export let colourSkew: i32 = 0;
/** f32 per pixel: signed nearness, to be multiplied by a view's reach. */
export let effect: usize = 0;
/** Two rows of f32 per pixel between which `effect` can be interpolated, see `mixEffect`. */
export let effectRows: usize = 0;
/** Two rows of the background layer (RGB bytes) that are mixed by `backMix`, and the f32 effect of the nearer one. */
export let backUpper: usize = 0;
export let backLower: usize = 0;
export let backEffect: usize = 0;
/** f32 per view: pixels of shift per unit of effect. */
export let reaches: usize = 0;
/** The views' rows, RGB bytes: one every `pitch` bytes, beginning i32 `skews` bytes later. */
export let rows: usize = 0;
export let pitch: i32 = 0;
export let skews: usize = 0;

/** Running integral of the row over half pixels: four f32 (R, G, B, unused) each. */
let integrals: usize = 0;
/** Where each pixel centre of the row lies in the view. */
let positions: usize = 0;
/** Runs, from left to right in the source: first pixel, and the ends of what they cover in the view. */
let runFirst: usize = 0;
let runStart: usize = 0;
let runStop: usize = 0;
/** The runs in the order of their starts. */
let runOrder: usize = 0;
/** For one run: the source coordinate that is shown at each pixel boundary of the view. */
let shown: usize = 0;
/** One view's row with four bytes a pixel: a store may touch its right neighbour's first byte otherwise. */
let canvas: usize = 0;

/** Lays out the memory for rows of `pixels`, a background of `backPixels` across and `views` views. */
export function allocate(pixels: i32, backPixels: i32, views: i32): void {
  width = pixels;
  backWidth = backPixels;
  let at: usize = 64;
  const n = <usize>pixels;
  const b = <usize>backPixels;
  colour = at;
  at = align(at + n * 3 + LARGEST_SKEW + 4);
  effect = at;
  at = align(at + n * 4);
  effectRows = at;
  at = align(at + 2 * align(n * 4));
  backUpper = at;
  at = align(at + b * 3 + 4);
  backLower = at;
  at = align(at + b * 3 + 4);
  backEffect = at;
  at = align(at + b * 4);
  reaches = at;
  at = align(at + <usize>views * 4);
  skews = at;
  at = align(at + <usize>views * 4);
  integrals = at;
  at = align(at + (2 * n + 2) * 16);
  positions = at;
  at = align(at + n * 4 + 16);
  runFirst = at;
  at = align(at + (n + 1) * 4);
  runStart = at;
  at = align(at + n * 4);
  runStop = at;
  at = align(at + n * 4);
  runOrder = at;
  at = align(at + n * 4);
  shown = at + 4 * BEYOND;
  at = align(at + (n + 1) * 4 + 8 * BEYOND);
  canvas = at;
  at = align(at + n * 4);
  rows = at;
  pitch = <i32>align(n * 3 + LARGEST_SKEW);
  at = align(at + <usize>views * <usize>pitch + 16);
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
function unpack(at: usize): v128 {
  return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(at))));
}

// @ts-ignore: decorator
@inline
function mix(a: v128, b: v128, share: f32): v128 {
  return f32x4.add(a, f32x4.mul(f32x4.splat(share), f32x4.sub(b, a)));
}

/** Added to a small float, it leaves the nearest whole number in the lowest bits: far cheaper than a conversion. */
const ROUNDING: f32 = 12582912; // 1.5 * 2^23

/** Rounds, limits to bytes and writes four of them. */
// @ts-ignore: decorator
@inline
function put(at: usize, value: v128): void {
  const rounding = f32x4.splat(ROUNDING);
  const whole = i32x4.sub(f32x4.add(value, rounding), rounding);
  const short = i16x8.narrow_i32x4_s(whole, whole);
  v128.store32_lane(at, i8x16.narrow_i16x8_u(short, short), 0);
}

/** Integral of the row from 0 to `source` (pixels). */
// @ts-ignore: decorator
@inline
function integral(source: f32): v128 {
  const halves = source * 2;
  // The whole part; where `halves` is whole it may be one less, and the interpolation below gives the same.
  const cell = reinterpret<i32>(halves - 0.5 + ROUNDING) - reinterpret<i32>(ROUNDING);
  const at = integrals + (<usize>cell << 4);
  return mix(v128.load(at), v128.load(at, 16), halves - <f32>cell);
}

// @ts-ignore: decorator
@inline
function f32At(base: usize, index: i32): f32 {
  return load<f32>(base + (<usize>index << 2));
}

// @ts-ignore: decorator
@inline
function i32At(base: usize, index: i32): i32 {
  return load<i32>(base + (<usize>index << 2));
}

/**
 * Integrates the row. A pixel is two halves, a quarter of its slope darker and brighter than it: their mean is the pixel
 * itself, so an unmoved row stays as it is, and a row moved by half a pixel is the Catmull-Rom interpolation.
 */
function integrate(): void {
  let sum = f32x4.splat(0);
  v128.store(integrals, sum);
  const row = colour + <usize>colourSkew;
  let left = unpack(row);
  let here = left;
  for (let i = 0; i < width; i++) {
    const right = i + 1 < width ? unpack(row + <usize>(i + 1) * 3) : here;
    const slope = f32x4.mul(f32x4.sub(right, left), f32x4.splat(0.0625));
    const half = f32x4.mul(here, f32x4.splat(0.5));
    const at = integrals + (<usize>i << 5);
    sum = f32x4.add(sum, f32x4.sub(half, slope));
    v128.store(at, sum, 16);
    sum = f32x4.add(sum, f32x4.add(half, slope));
    v128.store(at, sum, 32);
    left = here;
    here = right;
  }
  // The coordinate `width` itself looks one entry further.
  v128.store(integrals + (<usize>width << 5), sum, 16);
}

// @ts-ignore: decorator
@inline
function setF32(base: usize, index: i32, value: f32): void {
  store<f32>(base + (<usize>index << 2), value);
}

// @ts-ignore: decorator
@inline
function setI32(base: usize, index: i32, value: i32): void {
  store<i32>(base + (<usize>index << 2), value);
}

/** Sets `effect` between row `upper` (0 or 1) of `effectRows` and the other one, at `share` of the way. */
export function mixEffect(upper: i32, share: f32): void {
  const pitch = align(<usize>width * 4);
  const first = effectRows + (upper == 0 ? 0 : pitch);
  const second = effectRows + (upper == 0 ? pitch : 0);
  for (let at: usize = 0; at < pitch; at += 16) {
    v128.store(effect + at, mix(v128.load(first + at), v128.load(second + at), share));
  }
}

/** Places the pixels of the row in a view, tears it into runs and returns their number. */
function tearRow(reach: f32, zoom: f32, inset: f32): i32 {
  const scale = f32x4.splat(reach * zoom);
  const spacing = f32x4.splat(zoom);
  let centre = f32x4(0.5, 1.5, 2.5, 3.5);
  for (let i = 0; i < width; i += 4) {
    const four = <usize>i << 2;
    const unmoved = f32x4.mul(f32x4.sub(centre, f32x4.splat(inset)), spacing);
    v128.store(positions + four, f32x4.add(unmoved, f32x4.mul(scale, v128.load(effect + four))));
    centre = f32x4.add(centre, f32x4.splat(4));
  }
  // The picture's own borders are not torn: the outermost pixels keep their width.
  const border = <f32>0.5 * zoom;
  setI32(runFirst, 0, 0);
  setF32(runStart, 0, f32At(positions, 0) - border);
  let runs = 1;
  const tear = f32x4.splat(TEAR * zoom);
  for (let i = 1; i < width; i += 4) {
    const at = positions + (<usize>i << 2);
    const jump = f32x4.abs(f32x4.sub(f32x4.sub(v128.load(at), v128.load(at - 4)), spacing));
    const torn = i32x4.bitmask(f32x4.ge(jump, tear));
    if (torn == 0) continue;
    for (let lane = 0; lane < 4 && i + lane < width; lane++) {
      if ((torn >> lane) & 1) tearAt(i + lane, runs++, EDGE * zoom);
    }
  }
  setI32(runFirst, runs, width);
  setF32(runStop, runs - 1, f32At(positions, width - 1) + border);
  return runs;
}

/** Begins a run at a pixel and ends the one before it. */
function tearAt(pixel: i32, run: i32, edge: f32): void {
  setF32(runStop, run - 1, f32At(positions, pixel - 1) + edge);
  setI32(runFirst, run, pixel);
  setF32(runStart, run, f32At(positions, pixel) - edge);
}

/** Shows the background layer wherever a pixel of the view is not covered by a single run. */
function fillHoles(runs: i32, reach: f32, zoom: f32, inset: f32, backMix: f32): void {
  // Nearly sorted already, so that insertion is the fastest sort.
  for (let run = 0; run < runs; run++) {
    const start = f32At(runStart, run);
    let place = run;
    while (place > 0 && f32At(runStart, i32At(runOrder, place - 1)) > start) {
      setI32(runOrder, place, i32At(runOrder, place - 1));
      place--;
    }
    setI32(runOrder, place, run);
  }
  let covered: f32 = 0;
  let coveredBy = -1;
  const end = <f32>width;
  for (let place = 0; place <= runs && covered < end; place++) {
    const run = place < runs ? i32At(runOrder, place) : -1;
    const start = run < 0 ? end : min<f32>(end, f32At(runStart, run));
    const from = <i32>covered;
    const to = <i32>ceil<f32>(start);
    if (to > from) {
      const left = coveredBy < 0 ? Infinity : f32At(effect, i32At(runFirst, coveredBy + 1) - 1);
      const right = run < 0 ? Infinity : f32At(effect, i32At(runFirst, run));
      fill(from, to, min<f32>(<f32>left, <f32>right), reach, zoom, inset, backMix);
    }
    if (run >= 0) {
      const stop = f32At(runStop, run);
      if (stop > covered) {
        covered = stop;
        coveredBy = run;
      }
    }
  }
}

/** Fills the pixels `from` to `to` of the canvas from the background, beginning the search at the farther neighbour. */
function fill(from: i32, to: i32, far: f32, reach: f32, zoom: f32, inset: f32, backMix: f32): void {
  const perPixel = <f32>backWidth / <f32>width;
  const last = <f32>(backWidth - 1);
  const start = far == Infinity ? <f32>0 : far;
  for (let x = from; x < to; x++) {
    const unmoved = (<f32>x + <f32>0.5) / zoom + inset;
    let source = unmoved - reach * start;
    for (let pass = 0; pass < PASSES; pass++) {
      const column = max<f32>(0, min<f32>(last, source * perPixel));
      source = unmoved - reach * f32At(backEffect, <i32>column);
    }
    const column = max<f32>(0, min<f32>(last, source * perPixel - 0.5));
    const whole = <i32>column;
    const next = min<i32>(whole + 1, backWidth - 1);
    const share = column - <f32>whole;
    const upper = mix(unpack(backUpper + <usize>whole * 3), unpack(backUpper + <usize>next * 3), share);
    const lower = mix(unpack(backLower + <usize>whole * 3), unpack(backLower + <usize>next * 3), share);
    put(canvas + (<usize>x << 2), mix(upper, lower, backMix));
  }
}

// @ts-ignore: decorator
@inline
function mean(leftIntegral: v128, rightIntegral: v128, length: f32): v128 {
  return f32x4.mul(f32x4.sub(rightIntegral, leftIntegral), f32x4.splat(<f32>1 / length));
}

/** Lays the end of a run over the part of a pixel that it covers. A sliver too thin to have an average is left out. */
function cover(target: usize, leftIntegral: v128, rightIntegral: v128, length: f32, share: f32): void {
  if (length < SLIVER) return;
  put(target, mix(unpack(target), mean(leftIntegral, rightIntegral, length), share));
}

/** Draws a run: every pixel of the view that it covers becomes the average of what it shows of the source. */
function drawRun(run: i32): void {
  const start = f32At(runStart, run);
  const stop = min<f32>(f32At(runStop, run), <f32>width);
  if (stop <= 0 || start >= <f32>width) return;
  const first = i32At(runFirst, run);
  const last = i32At(runFirst, run + 1) - 1;
  project(first, last, start, f32At(runStop, run));

  let left = max<f32>(0, start);
  let leftSource = start < 0 ? load<f32>(shown) : <f32>first;
  let leftIntegral = integral(leftSource);
  let boundary = <i32>left + 1;
  const lastBoundary = <i32>stop;
  let target = canvas + (<usize>(boundary - 1) << 2);
  for (; boundary <= lastBoundary; boundary++, target += 4) {
    const right = <f32>boundary;
    const rightSource = f32At(shown, boundary);
    const rightIntegral = integral(rightSource);
    const length = rightSource - leftSource;
    if (right - left == 1) put(target, mean(leftIntegral, rightIntegral, length));
    else cover(target, leftIntegral, rightIntegral, length, right - left);
    leftIntegral = rightIntegral;
    leftSource = rightSource;
    left = right;
  }
  if (stop > left) {
    const rightSource = <f32>(last + 1);
    cover(target, leftIntegral, integral(rightSource), rightSource - leftSource, stop - left);
  }
}

/** Finds the source coordinate that a run shows at every pixel boundary of the view. */
function project(first: i32, last: i32, start: f32, stop: f32): void {
  const end = <f32>width;
  projectSegment(start, f32At(positions, first), <f32>first, 0.5);
  let i = first;
  while (i < last && f32At(positions, i + 1) < 0) i++;
  const one = f32x4.splat(1);
  for (; i + 4 <= last && f32At(positions, i) < end; i += 4) {
    const place = positions + (<usize>i << 2);
    const at = v128.load(place);
    const next = v128.load(place, 4);
    const boundary = f32x4.add(f32x4.floor(at), one);
    const source = f32x4.add(
      f32x4.add(f32x4.splat(<f32>i), f32x4(0.5, 1.5, 2.5, 3.5)),
      f32x4.div(f32x4.sub(boundary, at), f32x4.sub(next, at)),
    );
    const rounding = f32x4.splat(ROUNDING);
    const index = i32x4.sub(f32x4.add(boundary, rounding), rounding);
    // A segment without a boundary writes to the first one after it, which the segment there overwrites.
    setF32(shown, i32x4.extract_lane(index, 0), f32x4.extract_lane(source, 0));
    setF32(shown, i32x4.extract_lane(index, 1), f32x4.extract_lane(source, 1));
    setF32(shown, i32x4.extract_lane(index, 2), f32x4.extract_lane(source, 2));
    setF32(shown, i32x4.extract_lane(index, 3), f32x4.extract_lane(source, 3));
    if (v128.any_true(f32x4.ge(next, f32x4.add(boundary, one)))) {
      for (let k = i; k < i + 4; k++) projectSegment(f32At(positions, k), f32At(positions, k + 1), <f32>k + 0.5, 1);
    }
  }
  for (; i < last && f32At(positions, i) < end; i++) {
    projectSegment(f32At(positions, i), f32At(positions, i + 1), <f32>i + 0.5, 1);
  }
  projectSegment(f32At(positions, last), stop, <f32>last + 0.5, 0.5);
}

/** Notes the source coordinates at the boundaries in a part of a run, from `at` (not included) to `next`. */
function projectSegment(at: f32, next: f32, source: f32, length: f32): void {
  const end = min<f32>(next, <f32>width);
  for (let boundary = max<f32>(0, floor<f32>(at) + 1); boundary <= end; boundary += 1) {
    setF32(shown, <i32>boundary, source + (length * (boundary - at)) / (next - at));
  }
}

/** Copies the canvas without its fourth bytes. Stores write beyond what they copy, into what is written next. */
function writeRow(to: usize): void {
  let from = canvas;
  const end = canvas + (<usize>width << 2);
  for (; from + 16 <= end; from += 16, to += 12) {
    const four = v128.load(from);
    v128.store(to, v128.shuffle<u8>(four, four, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 0, 0, 0, 0));
  }
  for (; from < end; from += 4, to += 3) store<u32>(to, load<u32>(from));
}

/**
 * Draws the row as seen by each of the views.
 * `zoom` and `inset`: the over-scan (see geometry). `backMix`: share of the lower background row.
 */
export function warp(views: i32, zoom: f32, inset: f32, backMix: f32): void {
  integrate();
  for (let view = 0; view < views; view++) {
    const reach = f32At(reaches, view);
    const runs = tearRow(reach, zoom, inset);
    fillHoles(runs, reach, zoom, inset, backMix);
    // The painter's order of a row: when near things move right, of two pixels that fall together the left one is
    // nearer, and the other way round. So near wins without a depth buffer.
    if (reach > 0) for (let run = runs - 1; run >= 0; run--) drawRun(run);
    else for (let run = 0; run < runs; run++) drawRun(run);
    writeRow(rows + <usize>(view * pitch + i32At(skews, view)));
  }
}

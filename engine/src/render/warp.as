// Row warp: converts one row of a picture with its depth to the same row of every view.
//
// AssemblyScript, compiled to WebAssembly with SIMD by build.mjs. The samples of a row are stored in planes, one per
// channel, so that a register holds four neighbouring pixels. Stills are RGB rows, which `warp` splits and interleaves
// again; videos are planes, which `drawVideo` reads and writes in place in the shared memory. `allocate` lays out the
// working memory of a row, separately for each instance.
//
// Model: pixel centres of the source are at `x = i + 0.5` and move to `(x - inset) * zoom + shift * zoom` with
// `shift = reach * effect[i]`. Neighbours form segments in which position and colour are interpolated. Where the shift
// jumps by a pixel or more the surface is torn: the row is split into runs, and each run extends EDGE pixels beyond its
// last centre. A view's pixel is the exact average of the part of the source that it shows (differences of an integral
// of the row, without sampling), and what no run covers is filled from the background layer.

/** Extension of a torn surface beyond its last pixel centre; measured on stereo pairs (half a pixel loses 0.5 dB). */
const EDGE: f32 = 0.7;
/** Jump of the shift between neighbours, in source pixels, that tears the surface; less than 1 keeps runs monotone. */
const TEAR: f32 = 1;
/** Iterations to find the background pixel shown in a hole; its shift is nearly constant there, so two suffice. */
const PASSES: i32 = 2;
/** Rows may start at any byte of a machine word, see `RowWarp`. */
const LARGEST_SKEW: usize = 7;
/** Boundaries before and after the view that a run may write to before it is known to have left the view. */
const BEYOND: usize = 16;
/** In source pixels; well above the spacing of f32 at the largest coordinate, 4096. */
const SLIVER: f32 = 0.004;
/** Maximum number of channels. */
const CHANNELS: i32 = 3;

let width: i32 = 0;
let backWidth: i32 = 0;
/** Number of planes of a row, and their channels in the three-channel background: the first one and the step. */
let planes: i32 = 0;
let channel: i32 = 0;
let channelStep: i32 = 1;
/** EDGE and TEAR in pixels of these planes. */
let edgeWidth: f32 = EDGE;
let tearWidth: f32 = TEAR;
/** RGB bytes of the row of a still, starting at byte `colourSkew`. */
export let colour: usize = 0;
export let colourSkew: i32 = 0;
/** f32 per pixel: signed nearness, to be multiplied by a view's reach. */
export let effect: usize = 0;
/** Two rows of f32 per pixel between which `effect` is interpolated. */
let effectRows: usize = 0;
/**
 * Two rows of the background layer (three bytes per pixel) blended by `backMix`, and the f32 effect of the nearest one.
 */
export let backUpper: usize = 0;
export let backLower: usize = 0;
export let backEffect: usize = 0;
/** f32 per view: shift in pixels per unit of effect. */
export let reaches: usize = 0;
/** The views' rows of a still, RGB bytes: one every `pitch` bytes, offset by the i32 in `skews`. */
export let rows: usize = 0;
export let pitch: i32 = 0;
export let skews: usize = 0;
/**
 * For videos, per pixel: index of the depth cell to the left (i32), weight of the next cell (f32), and the edge fade.
 */
export let cells: usize = 0;
export let shares: usize = 0;
export let fades: usize = 0;
/** Edge fade per pixel of the background. */
export let backFades: usize = 0;
/** For videos: x and y (i32) of each view's corner in the packed picture; y in rows of the `writeTo` layout. */
export let corners: usize = 0;

/** Running integrals of the planes over half pixels, f32, `integralPitch` bytes each. */
let integrals: usize = 0;
let integralPitch: usize = 0;
/** Position of each pixel centre of the row in the view. */
let positions: usize = 0;
/** Runs, from left to right in the source: first pixel, and start and end of their coverage in the view. */
let runFirst: usize = 0;
let runStart: usize = 0;
let runStop: usize = 0;
/** Indices of the runs, sorted by start. */
let runOrder: usize = 0;
/** For one run: the source coordinate shown at each pixel boundary of the view. */
let shown: usize = 0;
/** Row of the first plane of the current view; the rows of the other planes follow every `canvasPitch` bytes. */
let canvas: usize = 0;
let canvasPitch: usize = 0;
/** Drawing buffer for the planes of a still's view. */
let easel: usize = 0;

/**
 * Allocates the memory for rows of `pixels` in `planeCount` planes, a background `backPixels` wide and `views` views.
 * `coarseness`: width of one pixel in pixels of the picture's finest plane.
 */
export function allocate(pixels: i32, backPixels: i32, views: i32, planeCount: i32, coarseness: f32): void {
  width = pixels;
  backWidth = backPixels;
  planes = planeCount;
  edgeWidth = EDGE / coarseness;
  tearWidth = TEAR / coarseness;
  const n = <usize>pixels;
  const b = <usize>backPixels;
  // Laid out from 0 first for the size: the memory may be shared, and only `grow` returns which part is ours.
  const bytes = layOut(0, n, b, <usize>views);
  const from = memory.grow(<i32>((bytes + 65535) >> 16));
  if (from < 0) unreachable();
  layOut(<usize>from << 16, n, b, <usize>views);
}

function layOut(start: usize, n: usize, b: usize, views: usize): usize {
  let at = start;
  colour = at;
  at = align(at + n * 3 + LARGEST_SKEW + 16);
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
  at = align(at + views * 4);
  skews = at;
  at = align(at + views * 4);
  corners = at;
  at = align(at + views * 8);
  cells = at;
  at = align(at + n * 4);
  shares = at;
  at = align(at + n * 4);
  fades = at;
  at = align(at + n * 4);
  backFades = at;
  at = align(at + b * 4);
  integrals = at;
  integralPitch = align((2 * n + 2) * 4 + 16);
  at += integralPitch * CHANNELS;
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
  easel = at;
  canvasPitch = align(n);
  at += canvasPitch * CHANNELS;
  rows = at;
  pitch = <i32>align(n * 3 + LARGEST_SKEW);
  return align(at + views * <usize>pitch + 16);
}

// @ts-ignore: decorator
@inline
function align(at: usize): usize {
  return (at + 15) & ~15;
}

/** Loads four bytes, `step` apart, as f32. */
// @ts-ignore: decorator
@inline
function four(at: usize, step: usize): v128 {
  if (step == 1) {
    const bytes = v128.load32_zero(at);
    return f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes)));
  }
  const bytes = v128.load(at);
  const zero = i32x4.splat(0);
  return f32x4.convert_i32x4_u(
    v128.shuffle<u8>(bytes, zero, 0, 16, 16, 16, 3, 16, 16, 16, 6, 16, 16, 16, 9, 16, 16, 16),
  );
}

// @ts-ignore: decorator
@inline
function mix(a: v128, b: v128, share: v128): v128 {
  return f32x4.add(a, f32x4.mul(share, f32x4.sub(b, a)));
}

/** Adding it to a small float puts the nearest integer into the lowest bits: much cheaper than a conversion. */
const ROUNDING: f32 = 12582912; // 1.5 * 2^23

/** Rounds four values, clamps them to bytes and stores them. */
// @ts-ignore: decorator
@inline
function put(at: usize, value: v128): void {
  const rounding = f32x4.splat(ROUNDING);
  const whole = i32x4.sub(f32x4.add(value, rounding), rounding);
  const short = i16x8.narrow_i32x4_s(whole, whole);
  v128.store32_lane(at, i8x16.narrow_i16x8_u(short, short), 0);
}

// @ts-ignore: decorator
@inline
function putOne(at: usize, value: f32): void {
  const whole = reinterpret<i32>(value + ROUNDING) - reinterpret<i32>(ROUNDING);
  store<u8>(at, max<i32>(0, min<i32>(255, whole)));
}

/** Values of a table at four places, each interpolated between entry `cells` and the next one with weight `share`. */
// @ts-ignore: decorator
@inline
function between(table: usize, cells: v128, share: v128): v128 {
  const places = i32x4.add(i32x4.splat(<i32>table), i32x4.shl(cells, 2));
  return betweenPairs(
    <usize>i32x4.extract_lane(places, 0),
    <usize>i32x4.extract_lane(places, 1),
    <usize>i32x4.extract_lane(places, 2),
    <usize>i32x4.extract_lane(places, 3),
    share,
  );
}

/** Values interpolated between the two f32 at each of four addresses. */
// @ts-ignore: decorator
@inline
function betweenPairs(a: usize, b: usize, c: usize, d: usize, share: v128): v128 {
  let first = v128.load64_zero(a);
  first = v128.load64_lane(b, first, 1);
  let second = v128.load64_zero(c);
  second = v128.load64_lane(d, second, 1);
  const low = v128.shuffle<f32>(first, second, 0, 2, 4, 6);
  return mix(low, v128.shuffle<f32>(first, second, 1, 3, 5, 7), share);
}

/** Converts four source coordinates from pixels to half pixels, clamped to the row. NaN becomes a border. */
// @ts-ignore: decorator
@inline
function halvesOf(source: v128): v128 {
  const inside = f32x4.pmin(f32x4.splat(<f32>width), f32x4.pmax(f32x4.splat(0), source));
  return f32x4.add(inside, inside);
}

/**
 * Returns their integer part, still with `ROUNDING`. May be one less for integers: interpolation gives the same result.
 */
// @ts-ignore: decorator
@inline
function roundedDown(halves: v128): v128 {
  return f32x4.add(f32x4.sub(halves, f32x4.splat(0.5)), f32x4.splat(ROUNDING));
}

/** Integrals of a row from 0 to four source coordinates (pixels). */
// @ts-ignore: decorator
@inline
function integralsAt(table: usize, source: v128): v128 {
  const halves = halvesOf(source);
  const rounded = roundedDown(halves);
  const rounding = f32x4.splat(ROUNDING);
  return between(table, i32x4.sub(rounded, rounding), f32x4.sub(halves, f32x4.sub(rounded, rounding)));
}

/** Integral of a row from 0 to `source` (pixels). */
// @ts-ignore: decorator
@inline
function integral(table: usize, source: f32): f32 {
  const halves = source * 2;
  const cell = reinterpret<i32>(halves - 0.5 + ROUNDING) - reinterpret<i32>(ROUNDING);
  const at = table + (<usize>cell << 2);
  const here = load<f32>(at);
  return here + (halves - <f32>cell) * (load<f32>(at, 4) - here);
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

/**
 * Integrates a row of one channel, whose bytes are `step` apart. Splits each pixel into two halves, darker and brighter
 * by a quarter of its slope: their mean is the pixel itself, so an unmoved row stays unchanged, and a row moved by half
 * a pixel equals Catmull-Rom interpolation. Reads up to 16 bytes beyond the row.
 */
// @ts-ignore: decorator
@inline
function integrateRow(row: usize, step: usize, table: usize): void {
  store<f32>(table, 0);
  const zero = f32x4.splat(0);
  const whole = width & ~3;
  let sum: f32 = 0;
  let here = four(row, step);
  // Only lane 3 is used: the pixel to the left.
  let before = v128.shuffle<f32>(here, here, 0, 0, 0, 0);
  let to = table + 4;
  for (let x = 0; x < whole; x += 4, to += 32) {
    let next = four(row + <usize>(x + 4) * step, step);
    if (x + 4 >= width) next = v128.shuffle<f32>(here, here, 3, 3, 3, 3);
    const left = v128.shuffle<f32>(before, here, 3, 4, 5, 6);
    const right = v128.shuffle<f32>(here, next, 1, 2, 3, 4);
    const slope = f32x4.mul(f32x4.sub(right, left), f32x4.splat(0.0625));
    const pairs = f32x4.add(here, v128.shuffle<f32>(zero, here, 3, 4, 5, 6));
    const running = f32x4.add(pairs, v128.shuffle<f32>(zero, pairs, 2, 3, 4, 5));
    const ends = f32x4.add(f32x4.splat(sum), running);
    const middles = f32x4.sub(ends, f32x4.add(f32x4.mul(here, f32x4.splat(0.5)), slope));
    v128.store(to, v128.shuffle<f32>(middles, ends, 0, 4, 1, 5));
    v128.store(to, v128.shuffle<f32>(middles, ends, 2, 6, 3, 7), 16);
    sum = f32x4.extract_lane(ends, 3);
    before = here;
    here = next;
  }
  for (let x = whole; x < width; x++, to += 8) {
    const value = <f32>load<u8>(row + <usize>x * step);
    const left = <f32>load<u8>(row + <usize>max<i32>(0, x - 1) * step);
    const right = <f32>load<u8>(row + <usize>min<i32>(width - 1, x + 1) * step);
    sum += value;
    store<f32>(to, sum - (value * 0.5 + (right - left) * 0.0625));
    store<f32>(to, sum, 4);
  }
  // The coordinate `width` itself reads one entry further.
  store<f32>(to, sum);
}

function integratePacked(row: usize, table: usize): void {
  integrateRow(row, 3, table);
}

function integratePlane(row: usize, table: usize): void {
  integrateRow(row, 1, table);
}

/** Computes the positions of the row's pixels in a view, splits the row into runs and returns their number. */
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
  const tear = f32x4.splat(tearWidth * zoom);
  for (let i = 1; i < width; i += 4) {
    const at = positions + (<usize>i << 2);
    const jump = f32x4.abs(f32x4.sub(f32x4.sub(v128.load(at), v128.load(at - 4)), spacing));
    const torn = i32x4.bitmask(f32x4.ge(jump, tear));
    if (torn == 0) continue;
    for (let lane = 0; lane < 4 && i + lane < width; lane++) {
      if ((torn >> lane) & 1) tearAt(i + lane, runs++, edgeWidth * zoom);
    }
  }
  setI32(runFirst, runs, width);
  setF32(runStop, runs - 1, f32At(positions, width - 1) + border);
  return runs;
}

/** Ends the previous run and starts a new one at a pixel. */
function tearAt(pixel: i32, run: i32, edge: f32): void {
  setF32(runStop, run - 1, f32At(positions, pixel - 1) + edge);
  setI32(runFirst, run, pixel);
  setF32(runStart, run, f32At(positions, pixel) - edge);
}

/** Fills view pixels that are not fully covered by a run from the background layer. */
function fillHoles(runs: i32, reach: f32, zoom: f32, inset: f32, backMix: f32): void {
  // Insertion sort, as the runs are nearly sorted.
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

/** Fills the pixels `from` to `to` of the canvas from the background, starting the search at the farther neighbour. */
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
    const step = whole + 1 < backWidth ? 3 : 0;
    const share = column - <f32>whole;
    for (let plane = 0; plane < planes; plane++) {
      const at = <usize>(whole * 3 + channel + plane * channelStep);
      const upper = mixBytes(backUpper + at, step, share);
      const lower = mixBytes(backLower + at, step, share);
      putOne(canvas + <usize>plane * canvasPitch + <usize>x, upper + (lower - upper) * backMix);
    }
  }
}

// @ts-ignore: decorator
@inline
function mixBytes(at: usize, step: usize, share: f32): f32 {
  const here = <f32>load<u8>(at);
  return here + (<f32>load<u8>(at + step) - here) * share;
}

/** Draws a run: each covered pixel of the view becomes the average of the source part it shows. */
function drawRun(run: i32): void {
  const start = f32At(runStart, run);
  const stop = min<f32>(f32At(runStop, run), <f32>width);
  if (stop <= 0 || start >= <f32>width) return;
  const first = i32At(runFirst, run);
  const last = i32At(runFirst, run + 1) - 1;
  project(first, last, start, f32At(runStop, run));
  const leftSource = start < 0 ? load<f32>(shown) : <f32>first;
  let plane = 0;
  if (planes >= 2) {
    drawPair(max<f32>(0, start), stop, leftSource, <f32>(last + 1));
    plane = 2;
  }
  for (; plane < planes; plane++) {
    drawPlane(
      integrals + <usize>plane * integralPitch,
      canvas + <usize>plane * canvasPitch,
      max<f32>(0, start),
      stop,
      leftSource,
      <f32>(last + 1),
    );
  }
}

/** Draws one plane of a run from `left` to `stop` in the view, `leftSource` to `stopSource` in the source. */
// @ts-ignore: decorator
@inline
function drawPlane(table: usize, target: usize, left: f32, stop: f32, leftSource: f32, stopSource: f32): void {
  let x = <i32>left;
  const end = <i32>stop;
  if (<f32>x < left) {
    const within = x < end;
    const right = within ? <f32>(x + 1) : stop;
    cover(target + <usize>x, table, leftSource, within ? f32At(shown, x + 1) : stopSource, right - left);
    if (!within) return;
    x++;
  } else {
    setF32(shown, x, leftSource);
  }
  if (x + 4 <= end) {
    let source = v128.load(shown + (<usize>x << 2));
    let sum = integralsAt(table, source);
    for (; x + 4 <= end; x += 4) {
      const nextSource = v128.load(shown + (<usize>x << 2), 16);
      const nextSum = integralsAt(table, nextSource);
      const length = f32x4.sub(v128.shuffle<f32>(source, nextSource, 1, 2, 3, 4), source);
      const part = f32x4.sub(v128.shuffle<f32>(sum, nextSum, 1, 2, 3, 4), sum);
      put(target + <usize>x, f32x4.div(part, length));
      source = nextSource;
      sum = nextSum;
    }
  }
  for (; x < end; x++) {
    const from = f32At(shown, x);
    const to = f32At(shown, x + 1);
    putOne(target + <usize>x, (integral(table, to) - integral(table, from)) / (to - from));
  }
  if (stop > <f32>x) cover(target + <usize>x, table, f32At(shown, x), stopSource, stop - <f32>x);
}

/** Draws the first two planes of a run like `drawPlane`, but computes the source positions once for both. */
function drawPair(left: f32, stop: f32, leftSource: f32, stopSource: f32): void {
  const one = integrals;
  const two = one + integralPitch;
  let x = <i32>left;
  const end = <i32>stop;
  if (<f32>x < left) {
    const within = x < end;
    const share = (within ? <f32>(x + 1) : stop) - left;
    coverPair(x, leftSource, within ? f32At(shown, x + 1) : stopSource, share);
    if (!within) return;
    x++;
  } else {
    setF32(shown, x, leftSource);
  }
  if (x + 4 <= end) {
    const rounding = f32x4.splat(ROUNDING);
    let source = v128.load(shown + (<usize>x << 2));
    let sumOne = integralsAt(one, source);
    let sumTwo = integralsAt(two, source);
    for (; x + 4 <= end; x += 4) {
      const nextSource = v128.load(shown + (<usize>x << 2), 16);
      const halves = halvesOf(nextSource);
      const rounded = roundedDown(halves);
      const share = f32x4.sub(halves, f32x4.sub(rounded, rounding));
      const places = i32x4.add(i32x4.splat(<i32>one), i32x4.shl(i32x4.sub(rounded, rounding), 2));
      const a = <usize>i32x4.extract_lane(places, 0);
      const b = <usize>i32x4.extract_lane(places, 1);
      const c = <usize>i32x4.extract_lane(places, 2);
      const d = <usize>i32x4.extract_lane(places, 3);
      const nextOne = betweenPairs(a, b, c, d, share);
      const nextTwo = betweenPairs(a + integralPitch, b + integralPitch, c + integralPitch, d + integralPitch, share);
      const length = f32x4.sub(v128.shuffle<f32>(source, nextSource, 1, 2, 3, 4), source);
      const target = canvas + <usize>x;
      put(target, f32x4.div(f32x4.sub(v128.shuffle<f32>(sumOne, nextOne, 1, 2, 3, 4), sumOne), length));
      put(target + canvasPitch, f32x4.div(f32x4.sub(v128.shuffle<f32>(sumTwo, nextTwo, 1, 2, 3, 4), sumTwo), length));
      source = nextSource;
      sumOne = nextOne;
      sumTwo = nextTwo;
    }
  }
  for (; x < end; x++) {
    const from = f32At(shown, x);
    const to = f32At(shown, x + 1);
    putOne(canvas + <usize>x, (integral(one, to) - integral(one, from)) / (to - from));
    putOne(canvas + canvasPitch + <usize>x, (integral(two, to) - integral(two, from)) / (to - from));
  }
  if (stop > <f32>x) coverPair(x, f32At(shown, x), stopSource, stop - <f32>x);
}

function coverPair(x: i32, from: f32, to: f32, share: f32): void {
  cover(canvas + <usize>x, integrals, from, to, share);
  cover(canvas + canvasPitch + <usize>x, integrals + integralPitch, from, to, share);
}

/** Blends the end of a run into the part of a pixel that it covers. Skips slivers too thin to average. */
// @ts-ignore: decorator
@inline
function cover(target: usize, table: usize, from: f32, to: f32, share: f32): void {
  if (to - from < SLIVER) return;
  const mean = (integral(table, to) - integral(table, from)) / (to - from);
  const here = <f32>load<u8>(target);
  putOne(target, here + share * (mean - here));
}

/** Computes the source coordinate that a run shows at each pixel boundary of the view. */
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
    // A segment without a boundary writes to the next boundary, which a later segment overwrites.
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

/** Stores the source coordinates at the boundaries in a part of a run, from `at` (exclusive) to `next`. */
function projectSegment(at: f32, next: f32, source: f32, length: f32): void {
  const end = min<f32>(next, <f32>width);
  for (let boundary = max<f32>(0, floor<f32>(at) + 1); boundary <= end; boundary += 1) {
    setF32(shown, <i32>boundary, source + (length * (boundary - at)) / (next - at));
  }
}

/**
 * Interleaves the three planes of the easel to RGB. Stores write past the copied bytes, which later stores overwrite.
 */
function writeRow(to: usize): void {
  const red = easel;
  const green = easel + canvasPitch;
  const blue = green + canvasPitch;
  let x: usize = 0;
  const end = <usize>width;
  for (; x + 4 <= end; x += 4, to += 12) {
    const pair = v128.shuffle<u8>(
      v128.load32_zero(red + x),
      v128.load32_zero(green + x),
      0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 0, 0, 0, 0,
    );
    const last = v128.load32_zero(blue + x);
    v128.store(to, v128.shuffle<u8>(pair, last, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 0, 0, 0, 0));
  }
  for (; x < end; x++, to += 3) {
    store<u8>(to, load<u8>(red + x), 0);
    store<u8>(to, load<u8>(green + x), 1);
    store<u8>(to, load<u8>(blue + x), 2);
  }
}

/** Draws the integrated row as seen by a view onto the canvas. */
function drawView(reach: f32, zoom: f32, inset: f32, backMix: f32): void {
  const runs = tearRow(reach, zoom, inset);
  fillHoles(runs, reach, zoom, inset, backMix);
  // Painter's order of a row: when near points move right, the left one of two overlapping pixels is nearer, and vice
  // versa. This resolves occlusion without a depth buffer.
  if (reach > 0) for (let run = runs - 1; run >= 0; run--) drawRun(run);
  else for (let run = 0; run < runs; run++) drawRun(run);
}

/**
 * Draws the row of a still for each view.
 * `zoom` and `inset`: overscan (see geometry). `backMix`: weight of the lower background row.
 */
export function warp(views: i32, zoom: f32, inset: f32, backMix: f32): void {
  for (let plane = 0; plane < planes; plane++) {
    integratePacked(colour + <usize>(colourSkew + plane), integrals + <usize>plane * integralPitch);
  }
  canvas = easel;
  for (let view = 0; view < views; view++) {
    drawView(f32At(reaches, view), zoom, inset, backMix);
    writeRow(rows + <usize>(view * pitch + i32At(skews, view)));
  }
}

/** Source of a video frame: rows `frameRow` bytes apart, in planes `framePitch` bytes apart. */
let frame: usize = 0;
let framePitch: usize = 0;
let frameRow: i32 = 0;
let height: i32 = 0;
/** Depth, f32, and the background, three bytes per pixel and f32; both `gridWidth` x `gridHeight` cells. */
let depth: usize = 0;
let backColour: usize = 0;
let backDepth: usize = 0;
let gridWidth: i32 = 0;
let gridHeight: i32 = 0;
let convergence: f32 = 0;
let strength: f32 = 0;
/** Destination of the views, in the same layout. */
let packed: usize = 0;
let packedPitch: usize = 0;
let packedRow: i32 = 0;

/**
 * Sets the location of the planes of a frame, and their background channels. Adjacent rows may be passed as planes of
 * one row: they are moved together, with the depth at their middle.
 */
export function readFrame(at: usize, pitch: usize, rowPitch: i32, rowCount: i32): void {
  frame = at;
  framePitch = pitch;
  frameRow = rowPitch;
  height = rowCount;
}

export function readChannels(first: i32, step: i32): void {
  channel = first;
  channelStep = step;
}

/** Sets the location of a frame's depth and background. */
export function readDepth(at: usize, colourAt: usize, depthAt: usize, cellsAcross: i32, cellsDown: i32): void {
  depth = at;
  backColour = colourAt;
  backDepth = depthAt;
  gridWidth = cellsAcross;
  gridHeight = cellsDown;
}

/** Sets the depth strength of a frame: `share` of the full shift, zero at the depth `plane`. */
export function showDepth(plane: f32, share: f32): void {
  convergence = plane;
  strength = share;
}

/** Sets the location of the planes of the packed picture. */
export function writeTo(at: usize, pitch: usize, rowPitch: i32): void {
  packed = at;
  packedPitch = pitch;
  packedRow = rowPitch;
}

/** Draws rows `from` to `to` of every view of a frame. Depth is interpolated between the cells. */
export function drawVideo(views: i32, from: i32, to: i32, zoom: f32, inset: f32): void {
  const rowPitch = align(<usize>width * 4);
  let widened = -1;
  let loaded = -1;
  canvasPitch = packedPitch;
  for (let y = from; y < to; y++) {
    const at = clampRow(y);
    const above = <i32>at;
    for (let row = max<i32>(widened + 1, above); row <= above + 1; row++) {
      widen(row, effectRows + <usize>(row & 1) * rowPitch);
    }
    widened = above + 1;
    const upperRow = effectRows + <usize>(above & 1) * rowPitch;
    const lowerRow = effectRows + <usize>((above + 1) & 1) * rowPitch;
    const share = f32x4.splat(at - <f32>above);
    for (let x: usize = 0; x < rowPitch; x += 16) {
      v128.store(effect + x, mix(v128.load(upperRow + x), v128.load(lowerRow + x), share));
    }

    backUpper = backColour + <usize>(3 * above * gridWidth);
    backLower = backColour + <usize>(3 * min<i32>(gridHeight - 1, above + 1) * gridWidth);
    const near = <i32>(at + 0.5);
    if (near != loaded) {
      loadBackEffect(near);
      loaded = near;
    }
    for (let plane = 0; plane < planes; plane++) {
      integratePlane(
        frame + <usize>plane * framePitch + <usize>(y * frameRow),
        integrals + <usize>plane * integralPitch,
      );
    }
    for (let view = 0; view < views; view++) {
      canvas = packed + <usize>((i32At(corners, 2 * view + 1) + y) * packedRow + i32At(corners, 2 * view));
      drawView(f32At(reaches, view), zoom, inset, at - <f32>above);
    }
  }
}

/** Returns the fractional grid row at a row of the frame. */
// @ts-ignore: decorator
@inline
function clampRow(y: i32): f32 {
  const at = ((<f32>y + 0.5) * <f32>gridHeight) / <f32>height - 0.5;
  return max<f32>(0, min<f32>(<f32>(gridHeight - 1), at));
}

/** Converts a row of depth to the factors of the shift, one per pixel. Rows below the last one repeat it. */
function widen(row: i32, to: usize): void {
  const table = depth + (<usize>(min<i32>(gridHeight - 1, row) * gridWidth) << 2);
  const plane = f32x4.splat(convergence);
  const share = f32x4.splat(strength);
  for (let x: usize = 0, end = <usize>width * 4; x < end; x += 16) {
    const here = between(table, v128.load(cells + x), v128.load(shares + x));
    v128.store(to + x, f32x4.mul(f32x4.mul(f32x4.sub(here, plane), v128.load(fades + x)), share));
  }
}

function loadBackEffect(row: i32): void {
  const from = backDepth + (<usize>(row * gridWidth) << 2);
  for (let x: usize = 0, end = <usize>gridWidth * 4; x < end; x += 4) {
    store<f32>(backEffect + x, (load<f32>(from + x) - convergence) * load<f32>(backFades + x) * strength);
  }
}

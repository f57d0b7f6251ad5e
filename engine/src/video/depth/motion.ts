import type { Size } from '../../types.ts';

/** Zero-mean brightness of a downscaled frame, with its border repeated `MARGIN` cells outwards. */
export interface Brightness extends Size {
  readonly data: Float32Array;
  readonly stride: number;
  readonly mean: number;
}

const MARGIN = 16;
const BLOCK = 8;
/** Maximum number of cells per side between the centres of two blocks; reached at a border. */
const MOST_BETWEEN = BLOCK + BLOCK / 2;
/** Downscaling factor for the search of the global motion, and its range as a share of each side. */
const COARSE = 4;
const FARTHEST = 0.3;
/** Penalty in brightness levels per cell of distance: a uniform picture matches everywhere. */
const DISTANCE_PRICE = 0.02;
/** Search steps of a block from its best neighbouring vector, and the penalty per cell of deviation. */
const STEPS = 6;
const DEVIATION_PRICE = 12;
/**
 * A motion must reduce the difference to less than this share of that without motion: noise always matches somewhere.
 */
const WORTHWHILE = 0.88;
/** Distance of the cells from which details are computed, and the value to which details are clamped. */
const REACH = 2;
const STRONG = 24;
/** Largest difference, in cells, between neighbouring motions that `roughness` counts. */
const BREAK = 4;
/** Vectors of neighbouring blocks that differ by less are treated as one motion. */
const ALIKE = 0.75;

/**
 * @param rgb bytes
 * @param into buffer of a brightness that is no longer used
 */
export function brightnessOf(rgb: Uint8Array, { width, height }: Size, into?: Float32Array): Brightness {
  const stride = width + 2 * MARGIN;
  const data = into ?? new Float32Array(stride * (height + 2 * MARGIN));
  let sum = 0;
  for (let y = 0; y < height; y++) {
    let to = (y + MARGIN) * stride + MARGIN;
    for (let from = 3 * y * width, end = from + 3 * width; from < end; from += 3) {
      const value =
        0.299 * (rgb[from] as number) + 0.587 * (rgb[from + 1] as number) + 0.114 * (rgb[from + 2] as number);
      data[to++] = value;
      sum += value;
    }
  }
  const mean = sum / (width * height);
  for (let y = MARGIN; y < height + MARGIN; y++) {
    const from = y * stride + MARGIN;
    for (let x = from; x < from + width; x++) data[x] = (data[x] as number) - mean;
    data.fill(data[from] as number, y * stride, from);
    data.fill(data[from + width - 1] as number, from + width, (y + 1) * stride);
  }
  for (let y = 0; y < MARGIN; y++) {
    data.copyWithin(y * stride, MARGIN * stride, (MARGIN + 1) * stride);
    data.copyWithin((height + MARGIN + y) * stride, (height + MARGIN - 1) * stride, (height + MARGIN) * stride);
  }
  return { data, stride, mean, width, height };
}

/** Returns the standard deviation of a frame's brightness: near 0 for an all-black or all-white frame. */
export function contrastOf({ data, stride, width, height }: Brightness): number {
  let squares = 0;
  for (let y = 0; y < height; y++) {
    const from = (y + MARGIN) * stride + MARGIN;
    for (let x = from; x < from + width; x++) squares += (data[x] as number) ** 2;
  }
  return Math.sqrt(squares / (width * height));
}

/** Indices of four blocks: upper left, upper right, lower left, lower right. */
type Corners = readonly [number, number, number, number];

/** Cells of columns `from` to `to` and rows `top` to `bottom`, both exclusive. */
interface Area {
  readonly from: number;
  readonly to: number;
  readonly top: number;
  readonly bottom: number;
}

/** Motion estimation: finds the position of each cell of a frame in the previous frame. */
export class Motion {
  readonly size: Size;
  /** Offset in cells, right and down, from a cell to its previous position. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Correlation of the details of the frame and of the motion-compensated previous frame: 1 identical, 0 unrelated. */
  likeness = 1;
  /** Mean difference between neighbouring motions in cells: small for moving objects, large if nothing matches. */
  roughness = 0;
  readonly #columns: number;
  readonly #rows: number;
  readonly #blockX: Float32Array;
  readonly #blockY: Float32Array;
  readonly #there: Float32Array;
  /** For the cells between four blocks: mismatch of the last tried motion, and the smallest mismatch so far. */
  readonly #misfit = new Float64Array(MOST_BETWEEN * MOST_BETWEEN);
  readonly #least = new Float64Array(MOST_BETWEEN * MOST_BETWEEN);

  constructor(size: Size) {
    const { width, height } = size;
    this.size = size;
    this.x = new Float32Array(width * height);
    this.y = new Float32Array(width * height);
    this.#there = new Float32Array(width * height);
    this.#columns = Math.ceil(width / BLOCK);
    this.#rows = Math.ceil(height / BLOCK);
    this.#blockX = new Float32Array(this.#columns * this.#rows);
    this.#blockY = new Float32Array(this.#columns * this.#rows);
  }

  /** Returns the block vectors, from which the search of the next frame starts. */
  save(): { x: Float32Array; y: Float32Array } {
    return { x: this.#blockX.slice(), y: this.#blockY.slice() };
  }

  restore({ x, y }: { x: Float32Array; y: Float32Array }): void {
    this.#blockX.set(x);
    this.#blockY.set(y);
  }

  /** Discards the motion at the start of a new shot. */
  reset(): void {
    this.#blockX.fill(0);
    this.#blockY.fill(0);
    this.x.fill(0);
    this.y.fill(0);
  }

  find(now: Brightness, before: Brightness): void {
    const whole = wholeMotion(now, before);
    for (let row = 0; row < this.#rows; row++) {
      for (let column = 0; column < this.#columns; column++) this.#findBlock(now, before, column, row, whole);
    }
    this.#spread(now, before);
    this.#compare(now, before);
  }

  #findBlock(now: Brightness, before: Brightness, column: number, row: number, whole: readonly [number, number]): void {
    const { width, height } = this.size;
    const left = Math.min(column * BLOCK, width - BLOCK);
    const top = Math.min(row * BLOCK, height - BLOCK);
    const block = row * this.#columns + column;
    let bestX = 0;
    let bestY = 0;
    const still = difference(now, before, left, top, 0, 0, Number.POSITIVE_INFINITY);
    let best = still;
    const consider = (x: number, y: number, price: number) => {
      const dx = Math.min(width - BLOCK - left + MARGIN, Math.max(-left - MARGIN, x));
      const dy = Math.min(height - BLOCK - top + MARGIN, Math.max(-top - MARGIN, y));
      if (dx === bestX && dy === bestY) return;
      const found = difference(now, before, left, top, dx, dy, best - price) + price;
      if (found < best) {
        best = found;
        bestX = dx;
        bestY = dy;
      }
    };
    const from = (other: number) =>
      consider(Math.round(this.#blockX[other] as number), Math.round(this.#blockY[other] as number), DEVIATION_PRICE);
    from(block);
    if (column > 0) from(block - 1);
    if (row > 0) from(block - this.#columns);
    consider(whole[0], whole[1], DEVIATION_PRICE);
    for (let step = 0; step < STEPS; step++) {
      const [x, y] = [bestX, bestY];
      consider(x - 1, y, DEVIATION_PRICE / 2);
      consider(x + 1, y, DEVIATION_PRICE / 2);
      consider(x, y - 1, DEVIATION_PRICE / 2);
      consider(x, y + 1, DEVIATION_PRICE / 2);
      if (bestX === x && bestY === y) break;
    }
    if (best > WORTHWHILE * still) {
      this.#blockX[block] = 0;
      this.#blockY[block] = 0;
      return;
    }
    const at = (dx: number, dy: number) =>
      difference(now, before, left, top, bestX + dx, bestY + dy, Number.POSITIVE_INFINITY);
    const inside = (v: number, side: number, start: number) => start + v > -MARGIN && start + v < side - BLOCK + MARGIN;
    const middle = at(0, 0);
    this.#blockX[block] = bestX + (inside(bestX, width, left) ? vertex(at(-1, 0), middle, at(1, 0)) : 0);
    this.#blockY[block] = bestY + (inside(bestY, height, top) ? vertex(at(0, -1), middle, at(0, 1)) : 0);
  }

  /**
   * Expands block vectors to cells: interpolates within one motion; where motions differ, each cell takes the best
   * match.
   */
  #spread(now: Brightness, before: Brightness): void {
    const { width, height } = this.size;
    const columns = this.#columns;
    // All cells between the centres of two blocks have the same four neighbours.
    for (let upper = 0; upper < this.#rows; upper++) {
      const lower = Math.min(this.#rows - 1, upper + 1);
      const rows = between(upper, lower, height);
      for (let left = 0; left < columns; left++) {
        const right = Math.min(columns - 1, left + 1);
        const area = { ...between(left, right, width), top: rows.from, bottom: rows.to };
        const corners: Corners = [
          upper * columns + left,
          upper * columns + right,
          lower * columns + left,
          lower * columns + right,
        ];
        if (alike(this.#blockX, corners) && alike(this.#blockY, corners)) {
          interpolate(this.x, this.#blockX, corners, area, width);
          interpolate(this.y, this.#blockY, corners, area, width);
        } else this.#choose(now, before, corners, area);
      }
    }
  }

  /** Assigns each cell between four blocks the best-matching motion of these blocks. */
  #choose(now: Brightness, before: Brightness, corners: Corners, area: Area): void {
    const { width } = this.size;
    const bx = this.#blockX;
    const by = this.#blockY;
    const misfit = this.#misfit;
    const least = this.#least;
    for (const [k, block] of corners.entries()) {
      const vx = bx[block] as number;
      const vy = by[block] as number;
      const [x, y] = [Math.round(vx), Math.round(vy)];
      // Often two or three of them have the same motion.
      const alreadyTried = corners
        .slice(0, k)
        .some((other) => Math.round(bx[other] as number) === x && Math.round(by[other] as number) === y);
      if (alreadyTried) continue;
      misfits(now, before, area, x, y, misfit);
      for (let y = area.top, j = 0; y < area.bottom; y++) {
        for (let x = area.from, i = y * width + x; x < area.to; x++, i++, j++) {
          if (k > 0 && (misfit[j] as number) >= (least[j] as number)) continue;
          least[j] = misfit[j] as number;
          this.x[i] = vx;
          this.y[i] = vy;
        }
      }
    }
  }

  #compare(now: Brightness, before: Brightness): void {
    const { width, height } = this.size;
    const there = this.#there;
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        there[i] = sample(before, x + (this.x[i] as number), y + (this.y[i] as number));
      }
    }
    let product = 0;
    let nowSquares = 0;
    let thereSquares = 0;
    let breaks = 0;
    for (let y = REACH; y < height - REACH; y++) {
      const row = (y + MARGIN) * now.stride + MARGIN;
      for (let x = REACH; x < width - REACH; x++) {
        const i = y * width + x;
        const a = detail(now.data, row + x, now.stride);
        const b = detail(there, i, width);
        product += a * b;
        nowSquares += a * a;
        thereSquares += b * b;
        const across = Math.abs((this.x[i] as number) - (this.x[i - 1] as number));
        const down = Math.abs((this.y[i] as number) - (this.y[i - width] as number));
        breaks += Math.min(BREAK, across + down);
      }
    }
    this.likeness = nowSquares + thereSquares < 1 ? 1 : product / (Math.sqrt(nowSquares * thereSquares) + 1e-6);
    this.roughness = breaks / ((width - 2 * REACH) * (height - 2 * REACH));
  }
}

/**
 * Returns the contrast of a cell against its surroundings, clamped so that a single bright object does not dominate.
 */
function detail(values: Float32Array, i: number, stride: number): number {
  const around =
    (values[i - REACH] as number) +
    (values[i + REACH] as number) +
    (values[i - REACH * stride] as number) +
    (values[i + REACH * stride] as number);
  return Math.min(STRONG, Math.max(-STRONG, 4 * (values[i] as number) - around));
}

/** Brightness difference between a frame and an older one displaced by (x, y), averaged over 3 x 3 cells. */
export function residualBetween(
  now: Brightness,
  older: Brightness,
  x: Float32Array,
  y: Float32Array,
  out: Float32Array,
): void {
  const { width, height } = now;
  const difference = new Float32Array(width * height);
  for (let row = 0, i = 0; row < height; row++) {
    const from = (row + MARGIN) * now.stride + MARGIN;
    for (let column = 0; column < width; column++, i++) {
      const there = sample(older, column + (x[i] as number), row + (y[i] as number));
      difference[i] = Math.abs((now.data[from + column] as number) - there);
    }
  }
  boxMean3(difference, width, height, out);
}

/** Mean over 3 x 3 cells; border cells are repeated outwards. */
function boxMean3(values: Float32Array, width: number, height: number, out: Float32Array): void {
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const up = Math.max(0, y - 1) * width;
    const down = Math.min(height - 1, y + 1) * width;
    let left = (values[up] as number) + (values[row] as number) + (values[down] as number);
    let here = left;
    for (let x = 0; x < width; x++) {
      const next = Math.min(width - 1, x + 1);
      const right = (values[up + next] as number) + (values[row + next] as number) + (values[down + next] as number);
      out[row + x] = (left + here + right) / 9;
      left = here;
      here = right;
    }
  }
}

function sample({ data, stride, width, height }: Brightness, x: number, y: number): number {
  const column = Math.min(width + MARGIN - 2, Math.max(-MARGIN, x)) + MARGIN;
  const row = Math.min(height + MARGIN - 2, Math.max(-MARGIN, y)) + MARGIN;
  // Both are non-negative, so truncation equals floor and is much cheaper.
  const left = column | 0;
  const top = row | 0;
  const across = column - left;
  const at = top * stride + left;
  const a = data[at] as number;
  const upper = a + ((data[at + 1] as number) - a) * across;
  const c = data[at + stride] as number;
  const lower = c + ((data[at + stride + 1] as number) - c) * across;
  return upper + (lower - upper) * (row - top);
}

/** Sum of absolute differences of a block, aborted once it exceeds `enough`. */
function difference(
  now: Brightness,
  before: Brightness,
  left: number,
  top: number,
  dx: number,
  dy: number,
  enough: number,
): number {
  const { stride } = now;
  const a = now.data;
  const b = before.data;
  let sum = 0;
  let i = (top + MARGIN) * stride + left + MARGIN;
  let j = i + dy * stride + dx;
  for (let y = 0; y < BLOCK; y++, i += stride, j += stride) {
    for (let x = 0; x < BLOCK; x++) sum += Math.abs((a[i + x] as number) - (b[j + x] as number));
    if (sum > enough) return sum;
  }
  return sum;
}

/**
 * Computes, for each cell of an area, the difference of the surrounding 3 x 3 cells at an integer displacement. Beyond
 * the margin, the outermost cells are repeated.
 */
function misfits(
  now: Brightness,
  before: Brightness,
  { from, to, top, bottom }: Area,
  vx: number,
  vy: number,
  out: Float64Array,
): void {
  const { stride, width, height } = now;
  const columns = to - from;
  out.fill(0, 0, columns * (bottom - top));
  for (let y = top - 1; y <= bottom; y++) {
    const row = Math.min(height + MARGIN - 1, Math.max(-MARGIN, y + vy));
    const here = (y + MARGIN) * stride + MARGIN;
    const there = (row + MARGIN) * stride + MARGIN;
    const first = Math.max(top, y - 1) - top;
    const last = Math.min(bottom - 1, y + 1) - top;
    let left = 0;
    let middle = 0;
    for (let x = from - 1; x <= to; x++) {
      const column = Math.min(width + MARGIN - 1, Math.max(-MARGIN, x + vx));
      const right = Math.abs((now.data[here + x] as number) - (before.data[there + column] as number));
      // The three values up to here surround the previous cell.
      if (x > from) {
        const sum = left + middle + right;
        for (let k = first, j = first * columns + x - 1 - from; k <= last; k++, j += columns) {
          out[j] = (out[j] as number) + sum;
        }
      }
      left = middle;
      middle = right;
    }
  }
}

/** Returns the range of cells between the centres of two blocks, or between an outermost centre and the border. */
function between(block: number, next: number, side: number): { readonly from: number; readonly to: number } {
  const from = block === 0 ? 0 : block * BLOCK + BLOCK / 2;
  return { from: Math.min(side, from), to: next === block ? side : Math.min(side, next * BLOCK + BLOCK / 2) };
}

/** Interpolates the values of four blocks over the cells between them. */
function interpolate(
  out: Float32Array,
  values: Float32Array,
  [a, b, c, d]: Corners,
  { from, to, top, bottom }: Area,
  width: number,
): void {
  const [va, vb, vc, vd] = [values[a] as number, values[b] as number, values[c] as number, values[d] as number];
  for (let y = top; y < bottom; y++) {
    const down = shareOf(y, top);
    const left = va + (vc - va) * down;
    const step = vb + (vd - vb) * down - left;
    for (let x = from, i = y * width + from; x < to; x++, i++) out[i] = left + step * shareOf(x, from);
  }
}

/** Weight of the second of two blocks at a cell between them; 0 before the centre of the first block. */
function shareOf(cell: number, first: number): number {
  return Math.max(0, (cell + 0.5) / BLOCK - 0.5 - Math.floor(first / BLOCK));
}

function alike(values: Float32Array, [a, b, c, d]: Corners): boolean {
  const here = values[a] as number;
  return (
    Math.abs(here - (values[b] as number)) +
      Math.abs(here - (values[c] as number)) +
      Math.abs(here - (values[d] as number)) <
    ALIKE
  );
}

/** Position of the minimum, clamped to −0.5 … 0.5, of the parabola through three values at −1, 0 and 1. */
function vertex(left: number, middle: number, right: number): number {
  const bend = left - 2 * middle + right;
  return bend > 1e-6 ? Math.min(0.5, Math.max(-0.5, (left - right) / (2 * bend))) : 0;
}

/** Returns the global motion of the frame, in coarse steps, for fast pans. Searches at half the coarse scale first. */
function wholeMotion(now: Brightness, before: Brightness): readonly [number, number] {
  const fine = [reduced(now, COARSE), reduced(before, COARSE)] as const;
  const rough = [reduced(now, 2 * COARSE), reduced(before, 2 * COARSE)] as const;
  const { width, height } = rough[0];
  const [x, y] = bestOf(...rough, 0, 0, Math.floor(width * FARTHEST), Math.floor(height * FARTHEST));
  const [dx, dy] = bestOf(...fine, 2 * x, 2 * y, 1, 1);
  return [dx * COARSE, dy * COARSE];
}

type Small = Size & { readonly data: Float32Array };

/** Returns the best motion around (`x`, `y`); of equally good ones the shortest. */
function bestOf(a: Small, b: Small, x: number, y: number, reachX: number, reachY: number): [number, number] {
  const { width, height } = a;
  let best = Number.POSITIVE_INFINITY;
  let found: [number, number] = [x, y];
  for (let dy = y - reachY; dy <= y + reachY; dy++) {
    for (let dx = x - reachX; dx <= x + reachX; dx++) {
      const fromX = Math.max(0, -dx);
      const toX = Math.min(width, width - dx);
      const fromY = Math.max(0, -dy);
      const toY = Math.min(height, height - dy);
      let sum = 0;
      for (let row = fromY; row < toY; row++) {
        const i = row * width;
        const j = (row + dy) * width + dx;
        for (let column = fromX; column < toX; column++) {
          sum += Math.abs((a.data[i + column] as number) - (b.data[j + column] as number));
        }
      }
      const mean = sum / Math.max(1, (toX - fromX) * (toY - fromY)) + DISTANCE_PRICE * (Math.abs(dx) + Math.abs(dy));
      if (mean < best) {
        best = mean;
        found = [dx, dy];
      }
    }
  }
  return found;
}

function reduced({ data, stride, width, height }: Brightness, by: number): Small {
  const small = { width: Math.floor(width / by), height: Math.floor(height / by) };
  const out = new Float32Array(small.width * small.height);
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      let sum = 0;
      for (let k = 0; k < by; k++) {
        const at = (by * y + k + MARGIN) * stride + by * x + MARGIN;
        for (let c = 0; c < by; c++) sum += data[at + c] as number;
      }
      out[y * small.width + x] = sum / (by * by);
    }
  }
  return { ...small, data: out };
}

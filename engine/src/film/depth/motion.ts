import type { Size } from '../../types.ts';

/** Brightness of a frame at a small size, its mean taken away, with its border repeated `MARGIN` cells outwards. */
export interface Brightness extends Size {
  readonly data: Float32Array;
  readonly stride: number;
  readonly mean: number;
}

const MARGIN = 16;
const BLOCK = 8;
/** The whole frame's motion is looked for at a quarter of the size, as far as this share of each side. */
const COARSE = 4;
const FARTHEST = 0.3;
/** Levels of brightness that a step farther must fit better: an even picture fits anywhere. */
const DISTANCE_PRICE = 0.02;
/** Steps that a block may go from the best of its neighbours' vectors, and the price of a cell of deviation from it. */
const STEPS = 6;
const DEVIATION_PRICE = 12;
/** A motion must bring the difference below this share of that of standing still: noise always finds some other place. */
const WORTHWHILE = 0.88;
/** Details are told from cells this far away, and count up to this much. */
const REACH = 2;
const STRONG = 24;
/** Cells by which neighbouring motions differ at most in what `roughness` counts. */
const BREAK = 4;
/** Vectors of neighbouring blocks that differ by less are one motion. */
const ALIKE = 0.75;

/**
 * @param rgb bytes
 * @param into memory of one that is not needed any more
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

/** Deviation of the brightness of a frame: near 0 for one that is all black or all white. */
export function contrastOf({ data, stride, width, height }: Brightness): number {
  let squares = 0;
  for (let y = 0; y < height; y++) {
    const from = (y + MARGIN) * stride + MARGIN;
    for (let x = from; x < from + width; x++) squares += (data[x] as number) ** 2;
  }
  return Math.sqrt(squares / (width * height));
}

/** Finds for each cell of a frame where it lay in the frame before. */
export class Motion {
  readonly size: Size;
  /** Cells to the right and down from a cell to where it lay. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** Difference in brightness between a cell and where it lay, averaged over 3 x 3 cells. */
  readonly residual: Float32Array;
  /** Likeness of the details of the frame and of the frame before, laid over it by the motion: 1 the same, 0 none. */
  likeness = 1;
  /** By how many cells the motions of neighbouring cells differ: little where things move, much where nothing fits. */
  roughness = 0;
  readonly #columns: number;
  readonly #rows: number;
  readonly #blockX: Float32Array;
  readonly #blockY: Float32Array;
  readonly #difference: Float32Array;
  readonly #there: Float32Array;

  constructor(size: Size) {
    const { width, height } = size;
    this.size = size;
    this.x = new Float32Array(width * height);
    this.y = new Float32Array(width * height);
    this.residual = new Float32Array(width * height);
    this.#difference = new Float32Array(width * height);
    this.#there = new Float32Array(width * height);
    this.#columns = Math.ceil(width / BLOCK);
    this.#rows = Math.ceil(height / BLOCK);
    this.#blockX = new Float32Array(this.#columns * this.#rows);
    this.#blockY = new Float32Array(this.#columns * this.#rows);
  }

  /** The blocks' vectors, from which the next frame's search begins. */
  save(): { x: Float32Array; y: Float32Array } {
    return { x: this.#blockX.slice(), y: this.#blockY.slice() };
  }

  restore({ x, y }: { x: Float32Array; y: Float32Array }): void {
    this.#blockX.set(x);
    this.#blockY.set(y);
  }

  /** Forgets the motion so far: a new shot begins. */
  reset(): void {
    this.#blockX.fill(0);
    this.#blockY.fill(0);
    this.x.fill(0);
    this.y.fill(0);
    this.residual.fill(0);
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

  /** From blocks to cells: interpolated inside one motion; where motions meet, each cell takes the one that fits it. */
  #spread(now: Brightness, before: Brightness): void {
    const { width, height } = this.size;
    const columns = this.#columns;
    const bx = this.#blockX;
    const by = this.#blockY;
    for (let y = 0; y < height; y++) {
      const v = Math.min(this.#rows - 1, Math.max(0, (y + 0.5) / BLOCK - 0.5));
      const upper = Math.floor(v) * columns;
      const lower = Math.min(this.#rows - 1, Math.floor(v) + 1) * columns;
      const down = v - Math.floor(v);
      // Between the middles of two blocks, cells have the same four around them.
      for (let left = 0; left < columns; left++) {
        const right = Math.min(columns - 1, left + 1);
        const from = left === 0 ? 0 : left * BLOCK + BLOCK / 2;
        const to = right === left ? width : Math.min(width, right * BLOCK + BLOCK / 2);
        const [a, b, c, d] = [upper + left, upper + right, lower + left, lower + right];
        if (!alike(bx, a, b, c, d) || !alike(by, a, b, c, d)) {
          for (let x = from; x < to; x++) this.#choose(now, before, x, y, a, b, c, d);
          continue;
        }
        const leftX = (bx[a] as number) + ((bx[c] as number) - (bx[a] as number)) * down;
        const leftY = (by[a] as number) + ((by[c] as number) - (by[a] as number)) * down;
        const stepX = ((bx[b] as number) + ((bx[d] as number) - (bx[b] as number)) * down - leftX) / BLOCK;
        const stepY = ((by[b] as number) + ((by[d] as number) - (by[b] as number)) * down - leftY) / BLOCK;
        for (let x = from, i = y * width + from; x < to; x++, i++) {
          const across = Math.max(0, x + 0.5 - BLOCK / 2 - left * BLOCK);
          this.x[i] = leftX + stepX * across;
          this.y[i] = leftY + stepY * across;
        }
      }
    }
  }

  /** Gives a cell the motion of that of four blocks which fits it best. */
  #choose(now: Brightness, before: Brightness, x: number, y: number, ...blocks: number[]): void {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const block of blocks) {
      const cost = patch(now, before, x, y, this.#blockX[block] as number, this.#blockY[block] as number);
      if (cost < least) {
        least = cost;
        best = block;
      }
    }
    const i = y * this.size.width + x;
    this.x[i] = this.#blockX[best] as number;
    this.y[i] = this.#blockY[best] as number;
  }

  #compare(now: Brightness, before: Brightness): void {
    const { width, height } = this.size;
    const difference = this.#difference;
    const there = this.#there;
    for (let y = 0, i = 0; y < height; y++) {
      const row = (y + MARGIN) * now.stride + MARGIN;
      for (let x = 0; x < width; x++, i++) {
        const moved = sample(before, x + (this.x[i] as number), y + (this.y[i] as number));
        there[i] = moved;
        difference[i] = Math.abs((now.data[row + x] as number) - moved);
      }
    }
    boxMean3(difference, width, height, this.residual);
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

/** How much a cell stands out of its surround; limited, so that one bright thing does not outweigh everything else. */
function detail(values: Float32Array, i: number, stride: number): number {
  const around =
    (values[i - REACH] as number) +
    (values[i + REACH] as number) +
    (values[i - REACH * stride] as number) +
    (values[i + REACH * stride] as number);
  return Math.min(STRONG, Math.max(-STRONG, 4 * (values[i] as number) - around));
}

/** Difference in brightness between a frame and an older one displaced by (x, y), averaged over 3 x 3 cells. */
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

/** Mean over 3 x 3 cells; at the border over those that there are, the outermost counted twice. */
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
  // Neither is negative: cutting off is rounding down, and much cheaper.
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

/** Sum of differences of a block, given up once it is above `enough`. */
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

/** Difference of the 3 x 3 cells around one, at a displacement rounded to whole cells. */
function patch(now: Brightness, before: Brightness, x: number, y: number, vx: number, vy: number): number {
  const { stride, width, height } = now;
  const column = Math.min(width + MARGIN - 2, Math.max(1 - MARGIN, x + Math.round(vx)));
  const row = Math.min(height + MARGIN - 2, Math.max(1 - MARGIN, y + Math.round(vy)));
  let i = (y + MARGIN - 1) * stride + x + MARGIN;
  let j = (row + MARGIN - 1) * stride + column + MARGIN;
  let sum = 0;
  for (let k = 0; k < 3; k++, i += stride, j += stride) {
    sum +=
      Math.abs((now.data[i - 1] as number) - (before.data[j - 1] as number)) +
      Math.abs((now.data[i] as number) - (before.data[j] as number)) +
      Math.abs((now.data[i + 1] as number) - (before.data[j + 1] as number));
  }
  return sum;
}

function alike(values: Float32Array, a: number, b: number, c: number, d: number): boolean {
  const here = values[a] as number;
  return (
    Math.abs(here - (values[b] as number)) +
      Math.abs(here - (values[c] as number)) +
      Math.abs(here - (values[d] as number)) <
    ALIKE
  );
}

/** Where between −0.5 and 0.5 the parabola through three values at −1, 0 and 1 is least. */
function vertex(left: number, middle: number, right: number): number {
  const bend = left - 2 * middle + right;
  return bend > 1e-6 ? Math.min(0.5, Math.max(-0.5, (left - right) / (2 * bend))) : 0;
}

/** The motion of the frame as a whole, in steps of the coarse size: what fast pans need. First at half of that size. */
function wholeMotion(now: Brightness, before: Brightness): readonly [number, number] {
  const fine = [reduced(now, COARSE), reduced(before, COARSE)] as const;
  const rough = [reduced(now, 2 * COARSE), reduced(before, 2 * COARSE)] as const;
  const { width, height } = rough[0];
  const [x, y] = bestOf(...rough, 0, 0, Math.floor(width * FARTHEST), Math.floor(height * FARTHEST));
  const [dx, dy] = bestOf(...fine, 2 * x, 2 * y, 1, 1);
  return [dx * COARSE, dy * COARSE];
}

type Small = Size & { readonly data: Float32Array };

/** Of the motions around (`x`, `y`) the one that fits best, and of those that fit alike the shortest. */
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

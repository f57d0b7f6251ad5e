import type { Size, Stroke } from '../types.ts';

/** The picture of a depth map, at any size: RGB or RGBA interleaved. */
export interface PaintGuide extends Size {
  readonly data: ArrayLike<number>;
  readonly channels: 3 | 4;
}

/**
 * Long side of the grid on which the extent of a stroke is computed. It is independent of the depth map's size, so that
 * the small preview in the browser and the file on the server get the same stroke.
 */
const GRID_SIDE = 512;
/** Fraction of the brush radius within which it paints at full strength. */
const CORE = 0.5;
/**
 * Differences of colour (fraction of full scale) and depth between neighbours that count as texture, not as an edge.
 */
const TEXTURE = 0.03;
const SLOPE = 0.04;
/**
 * Cost, in radii, of crossing an edge of full scale. For colour, an edge of a seventh of full scale stops any brush.
 */
const COLOUR_WALL = 9;
const DEPTH_WALL = 5;
const DIAGONAL = Math.SQRT2;
const BINS = 256;

/**
 * Applies correction strokes to a depth map, in order. A stroke spreads from its line up to its radius and is stopped
 * by edges of colour and depth, so that it fills the object it is on and spares adjacent ones.
 *
 * @param depth 0 far … 1 near in its percentile range, row by row; not modified
 * @param guide the picture of the same crop
 * @returns the corrected map; deterministic, so leaving out the last strokes undoes them exactly
 */
export function applyStrokes(
  depth: Float32Array,
  size: Size,
  guide: PaintGuide,
  strokes: readonly Stroke[],
): Float32Array {
  const painted = depth.slice();
  const painter = new DepthPainter(guide, size);
  for (const stroke of strokes) painter.paint(painted, stroke);
  return painted;
}

/** Applies strokes one after the other to depth maps of one size and picture. */
export class DepthPainter {
  readonly #size: Size;
  readonly #grid: Size;
  readonly #walls: Walls;
  readonly #away: Float32Array;
  readonly #depth: Float32Array;
  /** Strength of the current stroke at each grid pixel, 0 … 1; valid only inside its box. */
  readonly #weights: Float32Array;

  /** @param size of the depth maps */
  constructor(guide: PaintGuide, size: Size) {
    this.#size = size;
    const scale = Math.min(1, GRID_SIDE / Math.max(size.width, size.height));
    this.#grid = {
      width: Math.max(1, Math.round(size.width * scale)),
      height: Math.max(1, Math.round(size.height * scale)),
    };
    const count = this.#grid.width * this.#grid.height;
    this.#walls = colourWalls(averaged(guide, this.#grid), this.#grid);
    this.#away = new Float32Array(count);
    this.#depth = new Float32Array(count);
    this.#weights = new Float32Array(count);
  }

  /** Applies the stroke to `depth` in place. */
  paint(depth: Float32Array, stroke: Stroke): void {
    const { width } = this.#grid;
    const radius = Math.max(1, stroke.radius * width);
    const box = boxOf(stroke, radius, this.#grid);
    this.#sampleDepth(depth, box);
    this.#spread(stroke, radius, box);
    const target = stroke.kind === 'flatten' ? this.#median(box) : 0;
    this.#apply(depth, stroke, target, box);
  }

  /** Applies the stroke to the depth map, with weights interpolated bilinearly from the grid. */
  #apply(depth: Float32Array, { kind, amount }: Stroke, target: number, box: Box): void {
    const { width } = this.#grid;
    const weights = this.#weights;
    const acrossGrid = width / this.#size.width;
    const downGrid = this.#grid.height / this.#size.height;
    const left = Math.max(0, Math.floor((box.left - 1) / acrossGrid));
    const right = Math.min(this.#size.width, Math.ceil((box.right + 1) / acrossGrid));
    const top = Math.max(0, Math.floor((box.top - 1) / downGrid));
    const bottom = Math.min(this.#size.height, Math.ceil((box.bottom + 1) / downGrid));
    // Grid positions are clamped to the box; weights at its border are 0, unless it is the border of the picture.
    const within = (value: number, from: number, to: number) => Math.min(to - 1, Math.max(from, value));
    for (let y = top; y < bottom; y++) {
      const gridY = (y + 0.5) * downGrid - 0.5;
      const upper = Math.floor(gridY);
      const fy = gridY - upper;
      const upperRow = within(upper, box.top, box.bottom) * width;
      const lowerRow = within(upper + 1, box.top, box.bottom) * width;
      for (let x = left; x < right; x++) {
        const gridX = (x + 0.5) * acrossGrid - 0.5;
        const x0 = Math.floor(gridX);
        const fx = gridX - x0;
        const from = within(x0, box.left, box.right);
        const to = within(x0 + 1, box.left, box.right);
        const over = (weights[upperRow + from] as number) * (1 - fx) + (weights[upperRow + to] as number) * fx;
        const under = (weights[lowerRow + from] as number) * (1 - fx) + (weights[lowerRow + to] as number) * fx;
        const weight = amount * (over * (1 - fy) + under * fy);
        if (weight === 0) continue;
        const at = y * this.#size.width + x;
        const old = depth[at] as number;
        const moved = kind === 'near' ? old + weight : kind === 'far' ? old - weight : old + (target - old) * weight;
        depth[at] = Math.min(1, Math.max(0, moved));
      }
    }
  }

  #sampleDepth(depth: Float32Array, { left, right, top, bottom }: Box): void {
    const { width, height } = this.#grid;
    const across = this.#size.width / width;
    const down = this.#size.height / height;
    for (let y = top; y < bottom; y++) {
      const row = Math.min(this.#size.height - 1, Math.floor((y + 0.5) * down)) * this.#size.width;
      for (let x = left; x < right; x++) {
        const column = Math.min(this.#size.width - 1, Math.floor((x + 0.5) * across));
        this.#depth[y * width + x] = depth[row + column] as number;
      }
    }
  }

  /** Computes `#away` (0 on the stroke's line, 1 at its limit, more beyond) and `#weights` within the box. */
  #spread(stroke: Stroke, radius: number, box: Box): void {
    const { width } = this.#grid;
    const away = this.#away;
    for (let y = box.top; y < box.bottom; y++) away.fill(2, y * width + box.left, y * width + box.right);
    drawLine(stroke.points, this.#grid, (x, y) => {
      away[y * width + x] = 0;
    });
    // Two rounds of sweeps find the shortest paths around all but the most convoluted shapes.
    for (let round = 0; round < 2; round++) {
      for (let y = box.top; y < box.bottom; y++) {
        for (let x = box.left; x < box.right; x++) this.#comeFrom(x, y, -1, radius, box);
      }
      for (let y = box.bottom - 1; y >= box.top; y--) {
        for (let x = box.right - 1; x >= box.left; x--) this.#comeFrom(x, y, 1, radius, box);
      }
    }
    for (let y = box.top; y < box.bottom; y++) {
      for (let at = y * width + box.left; at < y * width + box.right; at++) {
        this.#weights[at] = weightOf(away[at] as number);
      }
    }
  }

  /** Relaxes the distance of a pixel from its four neighbours above and left, or below and right. */
  #comeFrom(x: number, y: number, side: -1 | 1, radius: number, box: Box): void {
    const { width } = this.#grid;
    const at = y * width + x;
    let best = this.#away[at] as number;
    if (best === 0) return;
    const inRow = x + side >= box.left && x + side < box.right;
    const nextRow = y + side >= box.top && y + side < box.bottom;
    const behindRow = x - side >= box.left && x - side < box.right;
    // The cost of an edge is stored at the lower or right one of the two neighbours.
    if (inRow) best = Math.min(best, this.#step(0, at, at + side, 1 / radius));
    if (nextRow) {
      const over = at + side * width;
      if (inRow) best = Math.min(best, this.#step(1, at, over + side, DIAGONAL / radius));
      best = Math.min(best, this.#step(2, at, over, 1 / radius));
      if (behindRow) best = Math.min(best, this.#step(3, at, over - side, DIAGONAL / radius));
    }
    this.#away[at] = best;
  }

  #step(direction: 0 | 1 | 2 | 3, to: number, from: number, length: number): number {
    const before = this.#away[from] as number;
    if (before >= 1) return 2;
    const jump = Math.abs((this.#depth[to] as number) - (this.#depth[from] as number)) - SLOPE;
    return (
      before + length + (this.#walls[direction][Math.max(to, from)] as number) + (jump > 0 ? DEPTH_WALL * jump : 0)
    );
  }

  /** Returns the median of the depth under the brush, weighted by stroke strength. */
  #median({ left, right, top, bottom }: Box): number {
    const bins = new Float64Array(BINS);
    let total = 0;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const at = y * this.#grid.width + x;
        const weight = this.#weights[at] as number;
        if (weight === 0) continue;
        const bin = Math.round((this.#depth[at] as number) * (BINS - 1));
        bins[bin] = (bins[bin] as number) + weight;
        total += weight;
      }
    }
    let sum = 0;
    let bin = 0;
    while (bin < BINS - 1 && sum + (bins[bin] as number) < total / 2) sum += bins[bin++] as number;
    return bin / (BINS - 1);
  }
}

/** Returns the strength at a distance: 1 in the core, falling smoothly to 0 at the rim. */
function weightOf(away: number): number {
  if (away <= CORE) return 1;
  if (away >= 1) return 0;
  const t = (1 - away) / (1 - CORE);
  return t * t * (3 - 2 * t);
}

/** Cost per grid pixel of coming from its left, upper left, upper and upper right neighbour. */
type Walls = readonly [Float32Array, Float32Array, Float32Array, Float32Array];

/** Grid pixels that a stroke can reach; `right` and `bottom` are exclusive. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function boxOf({ points }: Stroke, radius: number, { width, height }: Size): Box {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (const [x, y] of points) {
    left = Math.min(left, Math.floor(x * width - radius));
    right = Math.max(right, Math.ceil(x * width + radius) + 1);
    top = Math.min(top, Math.floor(y * height - radius));
    bottom = Math.max(bottom, Math.ceil(y * height + radius) + 1);
  }
  return {
    left: Math.max(0, left),
    right: Math.min(width, right),
    top: Math.max(0, top),
    bottom: Math.min(height, bottom),
  };
}

/** Calls `dot` for every pixel touched by the line through the points. */
function drawLine(points: Stroke['points'], { width, height }: Size, dot: (x: number, y: number) => void): void {
  const column = (x: number) => Math.min(width - 1, Math.max(0, Math.floor(x)));
  const row = (y: number) => Math.min(height - 1, Math.max(0, Math.floor(y)));
  let before = points[0];
  for (const point of points) {
    const [x0, y0] = [(before?.[0] ?? 0) * width, (before?.[1] ?? 0) * height];
    const [x1, y1] = [point[0] * width, point[1] * height];
    const steps = Math.max(1, Math.ceil(2 * Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
    for (let i = 0; i <= steps; i++) dot(column(x0 + ((x1 - x0) * i) / steps), row(y0 + ((y1 - y0) * i) / steps));
    before = point;
  }
}

/** Downscales the guide to the grid by area averaging; RGB of 0 … 1. */
function averaged({ data, width, height, channels }: PaintGuide, grid: Size): Float32Array {
  const out = new Float32Array(3 * grid.width * grid.height);
  for (let y = 0; y < grid.height; y++) {
    const top = Math.floor((y * height) / grid.height);
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * height) / grid.height));
    for (let x = 0; x < grid.width; x++) {
      const left = Math.floor((x * width) / grid.width);
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / grid.width));
      let [red, green, blue] = [0, 0, 0];
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) {
          const at = channels * (row * width + column);
          red += data[at] as number;
          green += data[at + 1] as number;
          blue += data[at + 2] as number;
        }
      }
      const share = 1 / (255 * (right - left) * (bottom - top));
      const to = 3 * (y * grid.width + x);
      out[to] = red * share;
      out[to + 1] = green * share;
      out[to + 2] = blue * share;
    }
  }
  return out;
}

function colourWalls(colours: Float32Array, { width, height }: Size): Walls {
  const wall = (dx: number, dy: number) => {
    const out = new Float32Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if (x + dx < 0 || x + dx >= width || y + dy < 0) continue;
        const at = y * width + x;
        const other = 3 * (at + dy * width + dx);
        const jump =
          Math.max(
            Math.abs((colours[3 * at] as number) - (colours[other] as number)),
            Math.abs((colours[3 * at + 1] as number) - (colours[other + 1] as number)),
            Math.abs((colours[3 * at + 2] as number) - (colours[other + 2] as number)),
          ) - TEXTURE;
        if (jump > 0) out[at] = COLOUR_WALL * jump;
      }
    }
    return out;
  };
  return [wall(-1, 0), wall(-1, -1), wall(0, -1), wall(1, -1)];
}

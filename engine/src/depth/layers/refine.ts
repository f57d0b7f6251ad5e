import { type Layer, NEAREST } from './layers.ts';

/** Upsamples a depth map to the resolution of a layer and aligns its edges with those of the picture. */
export interface RefineDepth {
  readonly kind: 'refine';
  /** The depth map, with the picture downscaled to its size as colour. */
  readonly source: Layer;
  /** `depthEdges(source)`, in shared memory. */
  readonly edges: Uint8Array;
  /** Its `depth` receives the result. */
  readonly target: Layer;
}

/** Neighbouring depths that differ by more than this belong to different surfaces. */
const STEP = 0.03 * NEAREST;
/** Sigma of the colour weight (8-bit levels), and of the distance weight in pixels of the depth map. */
const COLOUR_SPREAD = 16;
const PLACE_SPREAD = 1;

/**
 * Marks the cells (between a pixel and its right and lower neighbours) whose 4 x 4 neighbourhood contains a depth step.
 */
export function depthEdges({ depth, width, height }: Layer): Uint8Array {
  const edges = new Uint8Array(new SharedArrayBuffer(width * height));
  const mark = (x: number, y: number) => {
    for (let row = Math.max(0, y - 2); row <= Math.min(height - 1, y + 1); row++) {
      edges.fill(1, row * width + Math.max(0, x - 2), row * width + Math.min(width - 1, x + 1) + 1);
    }
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const here = depth[y * width + x] as number;
      const right = x + 1 < width ? (depth[y * width + x + 1] as number) : here;
      const below = y + 1 < height ? (depth[(y + 1) * width + x] as number) : here;
      if (Math.abs(here - right) > STEP || Math.abs(here - below) > STEP) mark(x, y);
    }
  }
  return edges;
}

/**
 * Joint bilateral upsampling with a hard decision. Inside a surface the depth is interpolated. At a step the sixteen
 * nearest depth pixels vote, weighted by colour similarity and distance, on whether the pixel belongs to the near or
 * the far surface. Steps therefore stay steps: intermediate values would tear the warp into fragments.
 */
export function refineDepth({ source, edges, target }: RefineDepth, from: number, to: number): void {
  const { width, height, colour, depth } = target;
  const { width: sw, height: sh, depth: sd } = source;
  const cells = new Int32Array(width);
  const shares = new Float64Array(width);
  // Weights of the four columns and rows that take part in the vote.
  const across = new Float64Array(4 * width);
  const downs = new Float64Array(4);
  // One row of the depth map, interpolated vertically; its last value is repeated for the cell at the right border.
  const between = new Float64Array(sw + 1);
  for (let x = 0; x < width; x++) {
    const at = Math.min(sw - 1, Math.max(0, ((x + 0.5) * sw) / width - 0.5));
    cells[x] = Math.floor(at);
    shares[x] = at - Math.floor(at);
    for (let k = 0; k < 4; k++) across[4 * x + k] = closeness(k - 1 - (at - Math.floor(at)));
  }
  for (let y = from; y < to; y++) {
    const at = Math.min(sh - 1, Math.max(0, ((y + 0.5) * sh) / height - 0.5));
    const upper = Math.floor(at);
    const down = at - upper;
    const upperRow = upper * sw;
    const lowerRow = Math.min(sh - 1, upper + 1) * sw;
    for (let k = 0; k < 4; k++) downs[k] = closeness(k - 1 - down);
    for (let x = 0; x < sw; x++) {
      const above = sd[upperRow + x] as number;
      between[x] = above + ((sd[lowerRow + x] as number) - above) * down;
    }
    between[sw] = between[sw - 1] as number;
    for (let x = 0; x < width; x++) {
      const cell = cells[x] as number;
      const share = shares[x] as number;
      const i = y * width + x;
      if (edges[upperRow + cell] === 1) {
        depth[i] = chooseSurface(source, cell, upper, across, 4 * x, downs, colour, 3 * i);
      } else {
        const left = between[cell] as number;
        depth[i] = left + ((between[cell + 1] as number) - left) * share + 0.5;
      }
    }
  }
}

function closeness(distance: number): number {
  return Math.exp((-distance * distance) / (2 * PLACE_SPREAD * PLACE_SPREAD));
}

const likeness = Float64Array.from({ length: 3 * 255 * 255 + 1 }, (_, squared) =>
  Math.exp(-squared / (2 * COLOUR_SPREAD * COLOUR_SPREAD)),
);
/** Smallest colour weight: keeps the vote defined when no neighbouring colour is similar. */
const UNALIKE = 1e-4;

function chooseSurface(
  { depth, colour, width, height }: Layer,
  cell: number,
  upper: number,
  across: Float64Array,
  acrossAt: number,
  downs: Float64Array,
  guide: Uint8Array,
  guideAt: number,
): number {
  const left = Math.max(0, cell - 1);
  const last = Math.min(width - 1, cell + 2);
  const top = Math.max(0, upper - 1);
  const bottom = Math.min(height - 1, upper + 2);
  let least = NEAREST;
  let most = 0;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= last; x++) {
      const value = depth[y * width + x] as number;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  const middle = (least + most) / 2;
  const red = guide[guideAt] as number;
  const green = guide[guideAt + 1] as number;
  const blue = guide[guideAt + 2] as number;
  let near = 0;
  let nearSum = 0;
  let far = 0;
  let farSum = 0;
  for (let y = top; y <= bottom; y++) {
    const down = downs[y - upper + 1] as number;
    for (let x = left; x <= last; x++) {
      const i = y * width + x;
      const r = (colour[3 * i] as number) - red;
      const g = (colour[3 * i + 1] as number) - green;
      const b = (colour[3 * i + 2] as number) - blue;
      const alike = (likeness[r * r + g * g + b * b] as number) + UNALIKE;
      const weight = alike * down * (across[acrossAt + x - cell + 1] as number);
      const value = depth[i] as number;
      if (value > middle) {
        near += weight;
        nearSum += weight * value;
      } else {
        far += weight;
        farSum += weight * value;
      }
    }
  }
  return Math.round(near > far ? nearSum / near : farSum / far);
}

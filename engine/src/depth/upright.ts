/**
 * Makes standing things upright. The blend of network and layout leans almost everywhere like the ground, because both
 * lean when they are unsure. How steeply the depth rises down the picture says what is ground and what stands.
 */
import { boxMean } from './box-mean.ts';
import { createPlane, type Plane } from './plane.ts';

/** Rise from row to row, in normalised depth, at which a place is as likely ground as a standing thing. */
const GROUND_RISE = 0.04;
/** Makes up for what the ground itself loses, so that the whole keeps its range. */
const GROUND_GAIN = 1.3;
/** Two box filters of this radius smooth the rise, in cells. */
const SMOOTHING = 2;
/** Weight of the given depth against its changed slopes: low, so that a wall is upright from top to bottom. */
const ADHERENCE = 2e-4;

/**
 * Flattens gentle rises towards the bottom of the picture, keeps steep ones, and integrates the slopes again by least
 * squares: a wall or a tree takes the depth of its foot, the ground before it stays a ground.
 * @param depth Relative inverse depth with a mean deviation of about 1, on the grid.
 */
export function standUpright(depth: Plane): Plane {
  const { width, height, data } = depth;
  const rise = createPlane(width, height);
  for (let i = 0; i < width * (height - 1); i++) rise.data[i] = (data[i + width] as number) - (data[i] as number);
  const smooth = boxMean(boxMean(rise, SMOOTHING), SMOOTHING);

  // Normal equations of the least squares: divergence of the wanted slopes, less the weighted depth.
  const wanted = createPlane(width, height);
  const add = (from: number, to: number, slope: number) => {
    wanted.data[from] = (wanted.data[from] as number) + slope;
    wanted.data[to] = (wanted.data[to] as number) - slope;
  };
  for (let i = 0; i < data.length; i++) {
    wanted.data[i] = (wanted.data[i] as number) - ADHERENCE * (data[i] as number);
    if (i % width < width - 1) add(i, i + 1, (data[i + 1] as number) - (data[i] as number));
    if (i + width >= data.length) continue;
    const slope = rise.data[i] as number;
    const steepness = (Math.max(0, smooth.data[i] as number) / GROUND_RISE) ** 2;
    add(i, i + width, slope > 0 ? (GROUND_GAIN * slope * steepness) / (1 + steepness) : slope);
  }
  return solveScreenedPoisson(wanted);
}

/** Solves `Laplacian(u) - ADHERENCE u = right` with slopes of 0 at the borders, exactly, by cosine transforms. */
function solveScreenedPoisson(right: Plane): Plane {
  const { width, height } = right;
  const across = cosines(width);
  const down = cosines(height);
  const spectrum = transformColumns(transformRows(right, across), down);
  const eigenvalue = (k: number, n: number) => 2 * Math.cos((Math.PI * k) / n) - 2;
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      const i = v * width + u;
      const divisor = eigenvalue(u, width) + eigenvalue(v, height) - ADHERENCE;
      spectrum.data[i] = (spectrum.data[i] as number) / divisor;
    }
  }
  return transformColumns(transformRows(spectrum, transpose(across)), transpose(down));
}

/** The orthonormal DCT-II as a matrix of rows of frequencies. */
function cosines(n: number): Plane {
  const out = createPlane(n, n);
  for (let k = 0; k < n; k++) {
    const scale = Math.sqrt((k === 0 ? 1 : 2) / n);
    for (let x = 0; x < n; x++) out.data[k * n + x] = scale * Math.cos((Math.PI * k * (x + 0.5)) / n);
  }
  return out;
}

function transpose({ data, width: n }: Plane): Plane {
  return {
    data: Float32Array.from(data, (_, i) => data[(i % n) * n + Math.floor(i / n)] as number),
    width: n,
    height: n,
  };
}

function transformRows(plane: Plane, { data: matrix }: Plane): Plane {
  const { width, height, data } = plane;
  const out = createPlane(width, height);
  for (let y = 0; y < height; y++) {
    for (let k = 0; k < width; k++) {
      let sum = 0;
      for (let x = 0; x < width; x++) sum += (matrix[k * width + x] as number) * (data[y * width + x] as number);
      out.data[y * width + k] = sum;
    }
  }
  return out;
}

function transformColumns(plane: Plane, { data: matrix }: Plane): Plane {
  const { width, height, data } = plane;
  const out = createPlane(width, height);
  for (let k = 0; k < height; k++) {
    const row = out.data.subarray(k * width, (k + 1) * width);
    for (let y = 0; y < height; y++) {
      const factor = matrix[k * height + y] as number;
      for (let x = 0; x < width; x++) row[x] = (row[x] as number) + factor * (data[y * width + x] as number);
    }
  }
  return out;
}

/** 8-bit inverse depth, row-major: 0 far … 255 near. */
export interface DepthImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/**
 * Returns the grid of square cells with which a picture of this size is warped.
 * @param cells along the longer side
 */
export function gridFor(width: number, height: number, cells: number): Grid {
  const cell = Math.max(1, Math.max(width, height) / cells);
  return { columns: Math.max(1, Math.round(width / cell)), rows: Math.max(1, Math.round(height / cell)) };
}

/** Values per point: u, v, inverse depth, and that of what is behind it; each 0 … 65535 for 0 … 1. */
export const POINT_VALUES = 4;
/** Difference of depth, of 255, at which two surfaces meet. */
const STEP = 15;

/**
 * Returns the grid's points, row by row from the top left.
 * @param reach `nearest` gives a point beside a near object the depth of the object within a cell around it, so that
 * every near object lies completely between near points; `own` uses the depth at the point itself
 */
export function gridPoints({ columns, rows }: Grid, depth: DepthImage, reach: 'nearest' | 'own'): Uint16Array {
  const points = new Uint16Array((columns + 1) * (rows + 1) * POINT_VALUES);
  const reachX = reach === 'nearest' ? Math.ceil(depth.width / columns) : 0;
  const reachY = reach === 'nearest' ? Math.ceil(depth.height / rows) : 0;
  let at = 0;
  for (let row = 0; row <= rows; row++) {
    const y = Math.min(depth.height - 1, Math.round((row / rows) * depth.height));
    for (let column = 0; column <= columns; column++) {
      const u = column / columns;
      const x = Math.min(depth.width - 1, Math.round(u * depth.width));
      const [near, far] = surfacesAround(depth, x, y, reachX, reachY);
      points[at++] = Math.round(u * 65_535);
      points[at++] = Math.round((row / rows) * 65_535);
      points[at++] = near * 257;
      points[at++] = far * 257;
    }
  }
  return points;
}

/** Returns the depth of the near surface around a pixel, and of the far one; of a single surface its own depth. */
function surfacesAround(
  { data, width, height }: DepthImage,
  x: number,
  y: number,
  reachX: number,
  reachY: number,
): [number, number] {
  const own = data[y * width + x] as number;
  let nearest = own;
  let farthest = own;
  const rows = [Math.max(0, y - reachY), Math.min(height - 1, y + reachY)] as const;
  const columns = [Math.max(0, x - reachX), Math.min(width - 1, x + reachX)] as const;
  for (let row = rows[0]; row <= rows[1]; row++) {
    for (let i = row * width + columns[0]; i <= row * width + columns[1]; i++) {
      const here = data[i] as number;
      if (here > nearest) nearest = here;
      if (here < farthest) farthest = here;
    }
  }
  if (nearest - farthest < STEP) return [own, own];
  const middle = (nearest + farthest) / 2;
  if (own >= middle) return [own, farthest];
  let sum = 0;
  let count = 0;
  for (let row = rows[0]; row <= rows[1]; row++) {
    for (let i = row * width + columns[0]; i <= row * width + columns[1]; i++) {
      if ((data[i] as number) < middle) continue;
      sum += data[i] as number;
      count++;
    }
  }
  return [Math.round(sum / count), farthest];
}

/** Returns two triangles per cell, as indices of the grid's points. */
export function gridTriangles({ columns, rows }: Grid): Uint32Array {
  const triangles = new Uint32Array(columns * rows * 6);
  let at = 0;
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const topLeft = row * (columns + 1) + column;
      const bottomLeft = topLeft + columns + 1;
      triangles.set([topLeft, bottomLeft, topLeft + 1, topLeft + 1, bottomLeft, bottomLeft + 1], at);
      at += 6;
    }
  return triangles;
}

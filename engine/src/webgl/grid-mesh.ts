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

/** Values per point: u, v, inverse depth; each 0 … 65535 for 0 … 1. */
export const POINT_VALUES = 3;

/**
 * Returns the grid's points, row by row from the top left.
 * @param reach `nearest` gives a point the nearest depth within a cell around it, so that every near object lies
 * completely between near points; `own` uses the depth at the point itself
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
      points[at++] = Math.round(u * 65_535);
      points[at++] = Math.round((row / rows) * 65_535);
      points[at++] = nearestAround(depth, x, y, reachX, reachY) * 257;
    }
  }
  return points;
}

function nearestAround(
  { data, width, height }: DepthImage,
  x: number,
  y: number,
  reachX: number,
  reachY: number,
): number {
  let nearest = 0;
  for (let row = Math.max(0, y - reachY); row <= Math.min(height - 1, y + reachY); row++) {
    const end = row * width + Math.min(width - 1, x + reachX);
    for (let i = row * width + Math.max(0, x - reachX); i <= end; i++) nearest = Math.max(nearest, data[i] ?? 0);
  }
  return nearest;
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

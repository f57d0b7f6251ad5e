/** Chromaticities (x, y) of the white and of red, green and blue. */
export interface Chromaticities {
  readonly white: readonly [x: number, y: number];
  readonly primaries: readonly number[];
}

/** 3 x 3 matrix in row-major order. */
export type Matrix = readonly [number, number, number, number, number, number, number, number, number];

const BT709: Chromaticities = { white: [0.3127, 0.329], primaries: [0.64, 0.33, 0.3, 0.6, 0.15, 0.06] };
const IDENTITY: Matrix = [1, 0, 0, 0, 1, 0, 0, 0, 1];
/** Bradford cone response. */
const CONES: Matrix = [0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296];

/**
 * Returns the matrix from linear RGB of these primaries to linear RGB of BT.709, with white mapped to white. Impossible
 * chromaticities give the identity.
 */
export function toBt709(from: Chromaticities): Matrix {
  const adapted = adaptation(from.white, BT709.white);
  const matrix = multiply(inverse(toXyz(BT709)), multiply(adapted, toXyz(from)));
  return matrix.every(Number.isFinite) ? matrix : IDENTITY;
}

function toXyz({ white, primaries }: Chromaticities): Matrix {
  const [rx, ry, gx, gy, bx, by] = primaries as [number, number, number, number, number, number];
  const columns: Matrix = [rx, gx, bx, ry, gy, by, 1 - rx - ry, 1 - gx - gy, 1 - bx - by];
  const [r, g, b] = apply(inverse(columns), xyzOf(white));
  return multiply(columns, [r, 0, 0, 0, g, 0, 0, 0, b]);
}

function adaptation(from: readonly [number, number], to: readonly [number, number]): Matrix {
  const [before, after] = [apply(CONES, xyzOf(from)), apply(CONES, xyzOf(to))];
  const [l, m, s] = [0, 1, 2].map((i) => (after[i] as number) / (before[i] as number)) as [number, number, number];
  return multiply(inverse(CONES), multiply([l, 0, 0, 0, m, 0, 0, 0, s], CONES));
}

function xyzOf([x, y]: readonly [number, number]): [number, number, number] {
  return [x / y, 1, (1 - x - y) / y];
}

function apply(matrix: Matrix, [x, y, z]: readonly [number, number, number]): [number, number, number] {
  const [a, b, c, d, e, f, g, h, i] = matrix;
  return [a * x + b * y + c * z, d * x + e * y + f * z, g * x + h * y + i * z];
}

function multiply(one: Matrix, other: Matrix): Matrix {
  const cell = (row: number, column: number) =>
    [0, 1, 2].reduce((sum, k) => sum + (one[row * 3 + k] as number) * (other[k * 3 + column] as number), 0);
  return [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => cell(row, column))) as unknown as Matrix;
}

function inverse([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const cofactors: Matrix = [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ];
  return cofactors.map((value) => value / determinant) as unknown as Matrix;
}

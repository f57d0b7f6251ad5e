/**
 * The hand-written estimator: a layout of ground and sky in which each subject of the matte stands at the row where it
 * touches the ground. Reference implementation in numpy: lab/training/hand.py.
 */
import { findComponents } from './components.ts';
import { createPlane, GRID_HEIGHT, GRID_WIDTH, maskOf, type Plane } from './plane.ts';
import { findSky } from './sky.ts';

const CELLS = GRID_WIDTH * GRID_HEIGHT;
/** Side of the square matte that is averaged to the grid. */
export const MATTE_SIDE = 512;
/**
 * Fraction of the height, from the top, above which everything is far: the typical position of the horizon in
 * photographs.
 */
const KNEE = 0.38;
const FAR = 0.1;
/** Objects smaller than this fraction of the picture are treated as background. */
export const SMALLEST_OBJECT = 0.004;
/** Percentile of an object's rows that is taken as its ground contact; the lowest row may be a strap or a leaf. */
const CONTACT_PERCENTILE = 0.97;
/** Offset of an object in front of the ground, and additional offset of its middle. */
const OBJECT_STEP = 0.12;
const OBJECT_ROUNDING = 0.06;
/** Distance from the outline, in cells, at which the bulge is full. */
const ROUNDING_CELLS = 14;
/** Offset at the left and right border, where walls, frames and door posts usually make pictures nearer. */
const SIDE_BONUS = 0.06;

/**
 * Estimates depth from a layout of ground, sky and subjects.
 * @param rgb The picture stretched to 256 x 192, RGB interleaved, 0 … 255.
 * @param matte Subject matte, 512 x 512, 0 … 1, or null for none.
 * @returns Relative inverse depth on the 128 x 96 grid, larger is nearer, about 0 … 1.24.
 */
export function estimateByHand(rgb: Uint8Array, matte: Plane | null): Plane {
  const cells = matte ? averageMatte(matte) : new Float32Array(CELLS);
  return composeLayout(cells, findSky(rgb));
}

/** Converts matte and sky on the grid to relative inverse depth on the grid. */
export function composeLayout(matte: Float32Array, sky: Uint8Array): Plane {
  const mask = maskOf(matte);
  const contact = findContact(mask);
  const inside = insideDistance(mask);
  const out = createPlane(GRID_WIDTH, GRID_HEIGHT);
  for (let cell = 0; cell < CELLS; cell++) {
    const y = Math.floor(cell / GRID_WIDTH);
    const ground = ramp(y / (GRID_HEIGHT - 1));
    const row = contact[cell] as number;
    const standing = Math.max(ground, ramp(Math.max(KNEE, row)));
    const bulge = Math.sqrt(Math.min(1, (inside[cell] as number) / ROUNDING_CELLS));
    const object = row > 0 ? standing + OBJECT_STEP + OBJECT_ROUNDING * bulge : ground;
    const opacity = matte[cell] as number;
    const value = sky[cell] ? 0 : ground * (1 - opacity) + object * opacity;
    const side = 2 * Math.abs((cell % GRID_WIDTH) / (GRID_WIDTH - 1) - 0.5);
    out.data[cell] = value + SIDE_BONUS * side;
  }
  return out;
}

/**
 * Returns the ground's inverse depth at height `t` (0 top, 1 bottom): almost flat above the knee, linear to 1 below it.
 */
export function ramp(t: number): number {
  return t <= KNEE ? (FAR * t) / KNEE : FAR + ((1 - FAR) * (t - KNEE)) / (1 - KNEE);
}

/** Averages the 4 x 5 matte samples of each cell. */
function averageMatte(matte: Plane): Float32Array {
  if (matte.width !== MATTE_SIDE || matte.height !== MATTE_SIDE) throw new RangeError('the matte must be 512 x 512');
  const columns = MATTE_SIDE / GRID_WIDTH;
  const rows = 5;
  const out = new Float32Array(CELLS);
  for (let y = 0; y < GRID_HEIGHT; y++) {
    const top = Math.floor((y * MATTE_SIDE) / GRID_HEIGHT);
    for (let x = 0; x < GRID_WIDTH; x++) {
      let sum = 0;
      for (let a = 0; a < rows; a++) {
        const row = Math.min(MATTE_SIDE - 1, top + a) * MATTE_SIDE;
        for (let c = 0; c < columns; c++) sum += matte.data[row + columns * x + c] as number;
      }
      out[y * GRID_WIDTH + x] = sum / (rows * columns);
    }
  }
  return out;
}

/**
 * Returns, for each cell of a large enough object, the row (0 … 1 of the height) where it touches the ground, else 0.
 */
export function findContact(mask: Uint8Array): Float32Array {
  const { labels, list } = findComponents(mask, GRID_WIDTH, GRID_HEIGHT, 4);
  const contactOf = new Float32Array(list.length + 1);
  for (const component of list) {
    if (component.area < SMALLEST_OBJECT * CELLS) continue;
    const rank = Math.floor(CONTACT_PERCENTILE * component.area);
    let passed = 0;
    for (let y = component.top; y <= component.bottom && passed <= rank; y++) {
      for (let x = component.left; x <= component.right; x++) {
        if (labels[y * GRID_WIDTH + x] === component.label) passed++;
      }
      contactOf[component.label] = y / GRID_HEIGHT;
    }
  }
  return Float32Array.from(labels, (label) => contactOf[label] as number);
}

/**
 * Returns the city-block distance of each masked cell to the nearest unmasked one; the picture border does not count.
 */
export function insideDistance(mask: Uint8Array): Uint8Array {
  const unreached = 99;
  const distance = mask.map((masked) => (masked ? unreached : 0));
  const relax = (cell: number, neighbour: number) => {
    distance[cell] = Math.min(distance[cell] as number, (distance[neighbour] as number) + 1);
  };
  for (let cell = 0; cell < CELLS; cell++) {
    if (cell % GRID_WIDTH > 0) relax(cell, cell - 1);
    if (cell >= GRID_WIDTH) relax(cell, cell - GRID_WIDTH);
  }
  for (let cell = CELLS - 1; cell >= 0; cell--) {
    if (cell % GRID_WIDTH < GRID_WIDTH - 1) relax(cell, cell + 1);
    if (cell < CELLS - GRID_WIDTH) relax(cell, cell + GRID_WIDTH);
  }
  return distance;
}

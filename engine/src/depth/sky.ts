import { boxMean } from './box-mean.ts';
import { findComponents } from './components.ts';
import { createPlane, GRID_HEIGHT, GRID_WIDTH, type Plane } from './plane.ts';
import { median } from './statistics.ts';

const BRIGHT = 110;
const VERY_BRIGHT = 205;
/** Largest excess of red over blue in a cell that is not very bright: sky is blue to grey. */
const RED_EXCESS = 12;
const SMOOTH = 3.2;
const SIMILAR_COLOUR = 14;
/** The sky does not grow below this row. */
const LOWEST_ROW = 0.75 * GRID_HEIGHT;
const SMALLEST_SHARE = 0.03;
/** Share of the rest of the picture that may be farther than a part of the sky. */
const MOST_FARTHER = 0.08;
/** Smallest part of the sky that is looked at, as a share of the picture. */
const SMALLEST_PART = 0.01;

/**
 * Detects the sky: bright, bluish or very bright, smooth, and connected to the top row by small colour steps.
 * @param rgb The picture stretched to twice the grid (256 x 192), RGB interleaved, 0 … 255.
 * @returns 1 for sky, 0 elsewhere, on the grid. All 0 when less than 3 % would be sky.
 */
export function findSky(rgb: Uint8Array): Uint8Array {
  const colour = cellColours(rgb);
  const candidate = findCandidates(colour, localContrast(rgb));
  const sky = new Uint8Array(GRID_WIDTH * GRID_HEIGHT);
  const stack: number[] = [];
  const add = (cell: number) => {
    sky[cell] = 1;
    stack.push(cell);
  };
  for (let x = 0; x < GRID_WIDTH; x++) if (candidate[x]) add(x);
  let count = 0;
  for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
    count++;
    const y = Math.floor(cell / GRID_WIDTH);
    const x = cell % GRID_WIDTH;
    const grow = (neighbour: number) => {
      if (!sky[neighbour] && candidate[neighbour] && colourDistance(colour, cell, neighbour) < SIMILAR_COLOUR) {
        add(neighbour);
      }
    };
    if (x > 0) grow(cell - 1);
    if (x < GRID_WIDTH - 1) grow(cell + 1);
    if (y > 0) grow(cell - GRID_WIDTH);
    if (y < LOWEST_ROW) grow(cell + GRID_WIDTH);
  }
  return count < SMALLEST_SHARE * sky.length ? sky.fill(0) : sky;
}

/**
 * Keeps what the scene network also places far away: a white ceiling or wall looks like sky, but is near.
 * @param sky 1 for sky, 0 elsewhere, on the grid.
 * @param network Relative inverse depth on the grid.
 * @returns 1 for sky, 0 elsewhere; null when there is none.
 */
export function confirmSky(sky: Uint8Array, network: Plane): Plane | null {
  const out = createPlane(GRID_WIDTH, GRID_HEIGHT);
  let count = 0;
  const { labels, list } = findComponents(sky, GRID_WIDTH, GRID_HEIGHT, 4);
  const others = network.data.filter((_, cell) => !sky[cell]);
  for (const { label, area } of list) {
    const typical = median(network.data.filter((_, cell) => labels[cell] === label));
    const farther = others.reduce((sum, depth) => sum + (depth < typical ? 1 : 0), 0);
    if (area < SMALLEST_PART * sky.length || farther > MOST_FARTHER * others.length) continue;
    count += area;
    for (let cell = 0; cell < sky.length; cell++) if (labels[cell] === label) out.data[cell] = 1;
  }
  return count < SMALLEST_SHARE * sky.length ? null : out;
}

/** Mean colour of each cell (2 x 2 pixels), RGB interleaved. */
function cellColours(rgb: Uint8Array): Float32Array {
  const stride = 2 * GRID_WIDTH * 3;
  const out = new Float32Array(GRID_WIDTH * GRID_HEIGHT * 3);
  for (let y = 0; y < GRID_HEIGHT; y++) {
    for (let x = 0; x < GRID_WIDTH; x++) {
      for (let c = 0; c < 3; c++) {
        const at = 2 * y * stride + 6 * x + c;
        const sum =
          (rgb[at] as number) +
          (rgb[at + 3] as number) +
          (rgb[at + stride] as number) +
          (rgb[at + stride + 3] as number);
        out[(y * GRID_WIDTH + x) * 3 + c] = sum / 4;
      }
    }
  }
  return out;
}

/** Mean deviation of the luminance from its 3 x 3 mean within 15 x 15 pixels, at full (256 x 192) resolution. */
function localContrast(rgb: Uint8Array): Float32Array {
  const luminance = createPlane(2 * GRID_WIDTH, 2 * GRID_HEIGHT);
  for (let i = 0; i < luminance.data.length; i++) {
    luminance.data[i] =
      0.299 * (rgb[3 * i] as number) + 0.587 * (rgb[3 * i + 1] as number) + 0.114 * (rgb[3 * i + 2] as number);
  }
  const smooth = boxMean(luminance, 1);
  const detail = luminance.data.map((value, i) => Math.abs(value - (smooth.data[i] as number)));
  return boxMean({ ...luminance, data: detail }, 7).data;
}

function findCandidates(colour: Float32Array, contrast: Float32Array): Uint8Array {
  const out = new Uint8Array(GRID_WIDTH * GRID_HEIGHT);
  for (let cell = 0; cell < out.length; cell++) {
    const red = colour[3 * cell] as number;
    const green = colour[3 * cell + 1] as number;
    const blue = colour[3 * cell + 2] as number;
    const brightest = Math.max(red, green, blue);
    const bluish = blue >= red - RED_EXCESS || brightest > VERY_BRIGHT;
    const y = Math.floor(cell / GRID_WIDTH);
    const x = cell % GRID_WIDTH;
    const smooth = (contrast[2 * y * 2 * GRID_WIDTH + 2 * x] as number) < SMOOTH;
    out[cell] = brightest > BRIGHT && bluish && smooth ? 1 : 0;
  }
  return out;
}

function colourDistance(colour: Float32Array, a: number, b: number): number {
  const red = (colour[3 * a] as number) - (colour[3 * b] as number);
  const green = (colour[3 * a + 1] as number) - (colour[3 * b + 1] as number);
  const blue = (colour[3 * a + 2] as number) - (colour[3 * b + 2] as number);
  return Math.sqrt(red * red + green * green + blue * blue);
}

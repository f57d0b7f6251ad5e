/**
 * Posts: tree trunks, lamp posts, pillars; whatever is narrow and upright stands on one spot. Network and layout are too
 * coarse for them and let their tops lean back with the ground. Here they are found by their two sides, long lines that
 * are nearly vertical, and get the depth of their foot.
 */
import type { Picture } from '../types.ts';
import type { Plane } from './plane.ts';
import { median, standardDeviation } from './statistics.ts';

/** Shortest side of a post, as a share of the picture's height. */
const SHORTEST = 0.2;
/** Steepest lean of a side: columns for each row. */
const STEEPEST = 0.2;
/** Rows between two leans that are tried, at the ends of the picture. */
const LEAN_STEP = 3;
/** Smallest change of a colour channel across a side, of 255 over two columns. */
const SHARP = 14;
/** Largest difference between the direction of an edge and that of the line through it: texture has all directions. */
const ASTRAY = 0.3;
/** Share of the rows of a side where there is such an edge, and the longest gap between two, as a share of the height. */
const DENSE = 0.6;
const LONGEST_GAP = 0.017;
/** Most sides in a picture. */
const MOST_SIDES = 80;

/** Width of a post: at least, in pixels; at most, as a share of the width, and of its own height. */
const THINNEST = 3;
const WIDEST = 0.1;
const SLIM = 0.25;
/** The sides are parallel: their distance changes by at most this share, and by this many pixels for rounding. */
const TAPER = 0.3;
const ROUNDING = 1.5;
/** Its two sides end at the same height, within this share of the picture's: both stand on the ground. */
const LEVEL = 0.3;
/** Another side that runs inside for more than this share means two things, not one. */
const INSIDE = 0.4;
/** Least difference of its colour from what is beside it, and largest one from its own in other rows, of 255. */
const CONTRAST = 14;
const EVEN = 40;
/** Share of its rows for which that holds. */
const MOST_ROWS = 0.7;
/** Branches hide at most this share of the height, and behind them this many rows of nearly the same colour are needed. */
const HIDDEN = 0.35;
const SEEN_ROWS = 10;
const ALIKE = 25;
/** Narrow things that lie on the ground, such as lines on a road, end below the horizon. */
const HORIZON = 0.45;
/** What is nearer than the foot by so many standard deviations of the depth is another thing before the post. */
const BEFORE = 0.3;
/** Rows above the lower end that tell the depth of the foot. */
const FOOT_ROWS = 8;

/** A line that is nearly vertical: at row y it is at column `middle + lean * (y - height / 2)`, from `top` to `bottom`. */
interface Side {
  readonly middle: number;
  readonly lean: number;
  readonly top: number;
  readonly bottom: number;
}

interface Post {
  readonly top: number;
  readonly bottom: number;
  /** First and last column at a row, within the picture. */
  readonly span: (y: number) => { from: number; to: number };
}

/**
 * Gives narrow things that stand the depth of their foot, from top to bottom. What is clearly nearer stays before them.
 * @param depth Relative inverse depth, larger is nearer, any range.
 * @param picture The picture of the same size.
 */
export function standPosts(depth: Plane, picture: Picture): Plane {
  const { width } = depth;
  const data = depth.data.slice();
  const step = BEFORE * standardDeviation(depth.data);
  for (const { top, bottom, span } of findPosts(picture)) {
    const ground: number[] = [];
    for (let y = Math.max(top, bottom - FOOT_ROWS); y <= bottom; y++) {
      const { from, to } = span(y);
      for (let x = from; x <= to; x++) ground.push(depth.data[y * width + x] as number);
    }
    const foot = median(Float32Array.from(ground));
    for (let y = top; y <= bottom; y++) {
      const { from, to } = span(y);
      for (let i = y * width + from; i <= y * width + to; i++) if ((data[i] as number) < foot + step) data[i] = foot;
    }
  }
  return { ...depth, data };
}

/** Finds the posts of a picture, the clearest first; none overlaps another. */
export function findPosts(picture: Picture): Post[] {
  const { width, height } = picture;
  const sides = findSides(picture);
  const column = ({ middle, lean }: Side, y: number) => middle + lean * (y - height / 2);
  const candidates: { left: Side; right: Side; colour: Colour; clarity: number }[] = [];
  for (const left of sides) {
    for (const right of sides) {
      const top = Math.max(left.top, right.top);
      const bottom = Math.min(left.bottom, right.bottom);
      const above = column(right, top) - column(left, top);
      const below = column(right, bottom) - column(left, bottom);
      const across = (above + below) / 2;
      const tall = bottom - top;
      if (tall < 0.7 * SHORTEST * height || across > Math.min(WIDEST * width, SLIM * tall)) continue;
      if (Math.min(above, below) < THINNEST || Math.abs(below - above) > TAPER * across + ROUNDING) continue;
      const lowest = Math.max(left.bottom, right.bottom);
      if (Math.abs(left.bottom - right.bottom) > LEVEL * height && lowest < height - FOOT_ROWS) continue;
      const centre = (top + bottom) / 2;
      const between = (side: Side) =>
        Math.min(side.bottom, bottom) - Math.max(side.top, top) > INSIDE * tall &&
        column(side, centre) > column(left, centre) + THINNEST &&
        column(side, centre) < column(right, centre) - THINNEST;
      if (sides.some(between)) continue;
      const { clarity, colour } = examine(picture, top, bottom, (y) => [column(left, y), column(right, y)]);
      if (clarity === 0) continue;
      candidates.push({ left, right, colour, clarity: (clarity * tall * tall) / Math.sqrt(across) });
    }
  }
  candidates.sort((a, b) => b.clarity - a.clarity);

  const found: (Post & { left: Side; right: Side })[] = [];
  for (const { left, right, colour } of candidates) {
    const top = Math.min(left.top, right.top);
    let bottom = Math.max(left.bottom, right.bottom);
    // A branch may hide a part: there is more of its colour between its sides further down.
    let seen = 0;
    for (let y = bottom + 1; y < height && y - bottom < HIDDEN * height; y++) {
      const { own, contrast } = lookAt(picture, y, column(left, y), column(right, y));
      seen = Math.max(0, seen + (contrast > CONTRAST && difference(own, colour) < ALIKE ? 1 : -1));
      if (seen < SEEN_ROWS) continue;
      seen = SEEN_ROWS;
      bottom = y;
    }
    const taken = found.some((other) => {
      const y = (Math.max(top, other.top) + Math.min(bottom, other.bottom)) / 2;
      return (
        y >= top &&
        y >= other.top &&
        y <= bottom &&
        y <= other.bottom &&
        column(left, y) < column(other.right, y) - 1 &&
        column(right, y) > column(other.left, y) + 1
      );
    });
    if (taken) continue;
    const span = (y: number) => ({
      from: Math.max(0, Math.round(column(left, y))),
      to: Math.min(width - 1, Math.round(column(right, y))),
    });
    found.push({ top, bottom, span, left, right });
  }
  return found.filter(({ top }) => top < HORIZON * height);
}

/** Returns the mean colour of a row between two sides, and by how much it differs from what is beside it at least. */
function lookAt({ data, width, height }: Picture, y: number, left: number, right: number) {
  const mean = (from: number, to: number): Colour => {
    const first = Math.min(width - 1, Math.max(0, Math.round(from)));
    const last = Math.max(first, Math.min(width - 1, Math.round(to)));
    const sum: [number, number, number] = [0, 0, 0];
    let count = 0;
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
      for (let i = 3 * (row * width + first); i <= 3 * (row * width + last); i += 3, count++) {
        sum[0] += data[i] as number;
        sum[1] += data[i + 1] as number;
        sum[2] += data[i + 2] as number;
      }
    }
    return [sum[0] / count, sum[1] / count, sum[2] / count];
  };
  const reach = Math.max(3, Math.min(8, (right - left) / 2));
  const own = mean(left + 1, right - 1);
  const before = difference(own, mean(left - 1 - reach, left - 2));
  const after = difference(own, mean(right + 2, right + 1 + reach));
  return { own, contrast: Math.min(before, after) };
}

type Colour = readonly [number, number, number];

function difference(a: Colour, b: Colour): number {
  return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
}

/**
 * Looks at the strip between two sides from row to row.
 * @returns how clearly it differs from what is on both sides of it, compared with how much it changes down its length; 0 if
 * it is no single thing. And its usual colour.
 */
function examine(picture: Picture, top: number, bottom: number, at: (y: number) => readonly [number, number]) {
  const rows: ReturnType<typeof lookAt>[] = [];
  for (let y = top; y <= bottom; y += 2) rows.push(lookAt(picture, y, ...at(y)));
  const usual = (c: 0 | 1 | 2) => median(Float32Array.from(rows, ({ own }) => own[c]));
  const colour: Colour = [usual(0), usual(1), usual(2)];
  const changes = rows.map(({ own }) => difference(own, colour));
  const clear = rows.filter(({ contrast }) => contrast > CONTRAST).length;
  const even = changes.filter((change) => change < EVEN).length;
  if (Math.min(clear, even) < MOST_ROWS * rows.length) return { clarity: 0, colour };
  const contrast = rows.reduce((sum, row) => sum + row.contrast, 0);
  const change = changes.reduce((sum, value) => sum + value, 0);
  return { clarity: ((clear / rows.length) * contrast) / (change + 10 * rows.length), colour };
}

/** Finds long lines that are nearly vertical, the longest first, none twice. */
function findSides({ data, width, height }: Picture): Side[] {
  const { at, slope } = edgesAcross(smooth(data, width, height), width, height);
  const least = SHORTEST * height;
  /** Returns the parts of a line where there are edges in most rows, given the rows with one from top to bottom. */
  const partsOf = (rows: readonly number[]) => {
    const parts: { top: number; bottom: number; hits: number }[] = [];
    let first = 0;
    rows.forEach((bottom, last) => {
      if (last + 1 < rows.length && (rows[last + 1] as number) - 1 - bottom <= LONGEST_GAP * height) return;
      const [top, hits] = [rows[first] as number, last + 1 - first];
      const length = bottom - top + 1;
      if (length >= least && hits >= DENSE * length) parts.push({ top, bottom, hits });
      first = last + 1;
    });
    return parts;
  };

  const candidates: (Side & { hits: number })[] = [];
  const leans = Math.ceil((STEEPEST * height) / LEAN_STEP);
  for (let step = -leans; step <= leans; step++) {
    const lean = (step * STEEPEST) / leans;
    const lines: number[][] = Array.from({ length: width }, () => []);
    for (const i of at) {
      if (Math.abs((slope[i] as number) + lean) >= ASTRAY) continue;
      const y = Math.floor(i / width);
      const middle = (i % width) - Math.round(lean * (y - height / 2));
      for (let near = Math.max(0, middle - 1); near <= Math.min(width - 1, middle + 1); near++) {
        const rows = lines[near] as number[];
        if (rows.at(-1) !== y) rows.push(y);
      }
    }
    lines.forEach((rows, middle) => {
      if (rows.length < DENSE * least) return;
      for (const part of partsOf(rows)) candidates.push({ middle, lean, ...part });
    });
  }
  candidates.sort((a, b) => b.hits - a.hits);

  const sides: Side[] = [];
  const free = new Uint8Array(width * height);
  for (const i of at) free[i] = 1;
  for (const { middle, lean, top, bottom } of candidates) {
    if (sides.length === MOST_SIDES) break;
    const pixel = (y: number) => y * width + middle + Math.round(lean * (y - height / 2));
    const isEdge = (i: number) => free[i] === 1 && Math.abs((slope[i] as number) + lean) < ASTRAY;
    // Clearer ones may have taken a part of its edges.
    const rows: number[] = [];
    for (let y = top; y <= bottom; y++)
      if (isEdge(pixel(y)) || isEdge(pixel(y) - 1) || isEdge(pixel(y) + 1)) rows.push(y);
    const [part] = partsOf(rows);
    if (!part) continue;
    sides.push({ middle, lean, top: part.top, bottom: part.bottom });
    for (let y = part.top; y <= part.bottom; y++) free.fill(0, pixel(y) - 2, pixel(y) + 3);
  }
  return sides;
}

/** Averages each pixel with its neighbours, which count half, so that noise makes no edges; the border stays. */
function smooth(data: Uint8Array, width: number, height: number): Float32Array {
  const row = 3 * width;
  const across = Float32Array.from(data);
  for (let y = 0; y < height; y++) {
    for (let s = y * row + 3; s < (y + 1) * row - 3; s++) {
      across[s] = (2 * (data[s] as number) + (data[s - 3] as number) + (data[s + 3] as number)) / 4;
    }
  }
  const out = across.slice();
  for (let s = row; s < out.length - row; s++) {
    out[s] = (2 * (across[s] as number) + (across[s - row] as number) + (across[s + row] as number)) / 4;
  }
  return out;
}

/**
 * Finds the pixels where a colour changes most across, and little down.
 * @returns their indices, and for each pixel of the picture the change down for each change across: the negative lean of a
 * line through it.
 */
function edgesAcross(data: Float32Array, width: number, height: number): { at: number[]; slope: Float32Array } {
  const strength = new Float32Array(width * height);
  const slope = new Float32Array(width * height);
  const row = 3 * width;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      for (let s = 3 * i; s < 3 * i + 3; s++) {
        const across = (data[s + 3] as number) - (data[s - 3] as number);
        if (Math.abs(across) <= (strength[i] as number)) continue;
        strength[i] = Math.abs(across);
        slope[i] = ((data[s + row] as number) - (data[s - row] as number)) / across;
      }
    }
  }
  const at: number[] = [];
  for (let i = 1; i < strength.length - 1; i++) {
    const here = strength[i] as number;
    if (here < SHARP || Math.abs(slope[i] as number) >= STEEPEST + ASTRAY) continue;
    if (here >= (strength[i - 1] as number) && here > (strength[i + 1] as number)) at.push(i);
  }
  return { at, slope };
}

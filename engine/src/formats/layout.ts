import type { LayoutName } from '@framelift/contract/formats';
import { longestFlatSide } from '../geometry/half-sphere.ts';
import { viewPosition } from '../geometry/parallax.ts';
import type { QuiltGrid, Rect, Size } from '../types.ts';

/**
 * Position of each view in a packed picture. All views have the size `view` and show the whole crop; the area around a
 * view in a cell of another aspect stays black.
 */
export interface Layout extends Size {
  readonly view: Size;
  readonly cells: readonly ViewCell[];
}

export interface ViewCell {
  /** Camera position, −1 leftmost … 1 rightmost. */
  readonly position: number;
  /** Top left corner of the view in the packed picture. */
  readonly x: number;
  readonly y: number;
}

/**
 * Relative tolerance for the crop's aspect: crops have whole pixels, so one this close to the display's aspect is
 * stretched instead of letterboxed.
 */
const ASPECT_TOLERANCE = 0.02;

/** Distinct camera positions of a wiggle, and its frames: there and back again. */
const WIGGLE_VIEWS = 13;
export const WIGGLE_FRAMES = 2 * (WIGGLE_VIEWS - 1);
export const WIGGLE_FRAME_MS = 60;
/** Largest long side of a wiggle; messengers downscale larger ones. */
const WIGGLE_SIDE = 720;
/** The same of a GIF, which stores frames whole and without loss: larger ones would have tens of megabytes. */
const GIF_SIDE = 480;

/** Returns the tile size in pixels. Pixels left over when the quilt does not divide evenly are at its top and right. */
export function tileSize(grid: QuiltGrid): Size {
  return { width: Math.floor(grid.width / grid.columns), height: Math.floor(grid.height / grid.rows) };
}

/**
 * Returns the tile of a view, in pixels from the top left corner of the quilt. View 0 is the bottom-left tile; views go
 * right, then up.
 */
export function tileOfView(grid: QuiltGrid, view: number): Rect {
  const { width, height } = tileSize(grid);
  const column = view % grid.columns;
  const rowFromBottom = Math.floor(view / grid.columns);
  return { x: column * width, y: grid.height - (rowFromBottom + 1) * height, width, height };
}

/**
 * Returns the largest centred part of a cell in which a picture keeps its aspect.
 * @param cellAspect aspect at which the cell is *displayed*; its pixels may be squeezed
 */
export function fitInto(cell: Rect, cellAspect: number, aspect: number): Rect {
  if (Math.abs(aspect / cellAspect - 1) <= ASPECT_TOLERANCE) return cell;
  const width = Math.max(1, Math.round(cell.width * Math.min(1, aspect / cellAspect)));
  const height = Math.max(1, Math.round(cell.height * Math.min(1, cellAspect / aspect)));
  return {
    x: cell.x + Math.floor((cell.width - width) / 2),
    y: cell.y + Math.floor((cell.height - height) / 2),
    width,
    height,
  };
}

/** Places all views of a quilt; a crop of another aspect is letterboxed inside each tile. */
export function quiltLayout(grid: QuiltGrid, crop: Size): Layout {
  const count = grid.columns * grid.rows;
  const cells = Array.from({ length: count }, (_, view) => ({
    position: viewPosition(view, count),
    ...fitInto(tileOfView(grid, view), grid.aspect, crop.width / crop.height),
  }));
  return packed(grid, cells);
}

/** Camera positions of a pair in the order in which a format lays them out. */
export type Eyes = readonly [first: -1 | 1, second: -1 | 1];
export const LEFT_FIRST: Eyes = [-1, 1];
export const RIGHT_FIRST: Eyes = [1, -1];

/** Input of the layout functions. All sizes are in pixels. */
export interface LayoutInput {
  readonly view: Size;
  /** Panel filled by half-size pairs. */
  readonly panel: Size;
  readonly grid: QuiltGrid;
  readonly eyes: Eyes;
}

export const LAYOUTS: Readonly<Record<LayoutName, (input: LayoutInput) => Layout>> = {
  quilt: ({ grid, view }) => quiltLayout(grid, view),
  sideBySide: ({ view, eyes }) => sideBySideLayout(view, eyes),
  crossEyed: ({ view, eyes: [left, right] }) => sideBySideLayout(view, [right, left]),
  halfSideBySide: ({ panel, view, eyes }) => halfSideBySideLayout(panel, view, eyes),
  topBottom: ({ view, eyes }) => topBottomLayout(view, eyes),
  halfTopBottom: ({ panel, view, eyes }) => halfTopBottomLayout(panel, view, eyes),
  evenTopBottom: ({ view }) => topBottomLayout(evenSize(view)),
  halfSphere: ({ view }) => sideBySideLayout(sizeWithin(view, LARGEST_FLAT)),
  left: ({ view }) => singleLayout(view, -1),
  right: ({ view }) => singleLayout(view, 1),
  whole: ({ view }) => singleLayout(view, 0),
  wiggle: ({ view }) => wiggleLayout(wiggleSize(view)),
  smallWiggle: ({ view }) => wiggleLayout(wiggleSize(view, { longest: GIF_SIDE })),
  evenWiggle: ({ view }) => wiggleLayout(wiggleSize(view, { even: true })),
};

/** Places two full-size eyes side by side. */
export function sideBySideLayout({ width, height }: Size, [first, second] = LEFT_FIRST): Layout {
  return packed({ width: 2 * width, height }, [
    { position: first, x: 0, y: 0, width, height },
    { position: second, x: width, y: 0, width, height },
  ]);
}

/** Places two full-size eyes, the first on top. */
export function topBottomLayout({ width, height }: Size, [first, second] = LEFT_FIRST): Layout {
  return packed({ width, height: 2 * height }, [
    { position: first, x: 0, y: 0, width, height },
    { position: second, x: 0, y: height, width, height },
  ]);
}

/** Letterboxes each eye to the panel's aspect and squeezes it to half its width: fills `panel` exactly. */
export function halfSideBySideLayout(panel: Size, crop: Size, eyes = LEFT_FIRST): Layout {
  const half = { width: Math.floor(panel.width / 2), height: panel.height };
  const cells = eyes.map((position, i) => ({ position, ...framed(panel, { x: i * half.width, y: 0, ...half }, crop) }));
  return packed(panel, cells);
}

/** Letterboxes each eye to the panel's aspect and squeezes it to half its height: fills `panel` exactly. */
export function halfTopBottomLayout(panel: Size, crop: Size, eyes = LEFT_FIRST): Layout {
  const half = { width: panel.width, height: Math.floor(panel.height / 2) };
  const cells = eyes.map((position, i) => ({
    position,
    ...framed(panel, { x: 0, y: i * half.height, ...half }, crop),
  }));
  return packed(panel, cells);
}

function singleLayout(crop: Size, position: -1 | 0 | 1): Layout {
  return packed(crop, [{ position, x: 0, y: 0, ...crop }]);
}

/** Fits a crop into a cell that the display stretches over its whole panel. */
function framed(panel: Size, cell: Rect, crop: Size): Rect {
  return fitInto(cell, panel.width / panel.height, crop.width / crop.height);
}

/**
 * Longest side of the flat eyes of a half sphere: a pair on half spheres is 8192 px wide, as wide as textures of headsets.
 */
const LARGEST_FLAT = longestFlatSide(4096);

function sizeWithin({ width, height }: Size, longest: number): Size {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Most pixels of a picture in HEVC at level 5, which every decoder of HEIC reads. */
const LEVEL_5 = 8_912_896;

/** Returns the size of a picture in HEVC with subsampled chroma: even, and not larger than its level allows. */
function evenSize({ width, height }: Size): Size {
  const scale = Math.min(1, Math.sqrt(LEVEL_5 / (width * height)));
  const side = (pixels: number) => 2 * Math.floor((pixels * scale) / 2);
  return { width: side(width), height: side(height) };
}

/** Returns the size of a wiggle; `even` for H.264. */
export function wiggleSize(crop: Size, { even = false, longest = WIGGLE_SIDE } = {}): Size {
  const scale = Math.min(1, longest / Math.max(crop.width, crop.height));
  const side = (pixels: number) => (even ? 2 * Math.round((pixels * scale) / 2) : Math.round(pixels * scale));
  return { width: side(crop.width), height: side(crop.height) };
}

/**
 * Stacks the frames of a wiggle vertically: from the leftmost camera to the rightmost and back, slower at the turns.
 */
export function wiggleLayout({ width, height }: Size): Layout {
  const cells = Array.from({ length: WIGGLE_FRAMES }, (_, frame) => ({
    position: -Math.cos((2 * Math.PI * frame) / WIGGLE_FRAMES),
    x: 0,
    y: frame * height,
    width,
    height,
  }));
  return packed({ width, height: WIGGLE_FRAMES * height }, cells);
}

function packed(size: Size, cells: readonly (ViewCell & Size)[]): Layout {
  const [first] = cells;
  if (!first) throw new RangeError('a packed picture needs a view');
  return {
    width: size.width,
    height: size.height,
    view: { width: first.width, height: first.height },
    cells: cells.map(({ position, x, y }) => ({ position, x, y })),
  };
}

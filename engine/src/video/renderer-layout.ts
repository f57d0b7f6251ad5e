import { FORMATS, type VideoFormat } from '@framelift/contract/formats';
import { fitInto, gridOf, LAYOUTS, type Layout, LEFT_FIRST, panelOf, RIGHT_FIRST, tileSize } from '../formats/index.ts';
import { longestFlatSide, type ViewSet } from '../geometry/index.ts';
import type { DeviceProfile, QuiltGrid, Size } from '../types.ts';

/** Placement of the views in a video frame. All positions and sides are even. */
export interface VideoLayout extends Layout {
  /** View set; null if depth is not shown as parallax. */
  readonly set: ViewSet | null;
}

/**
 * Longest side of a quilt for videos. Approximate limit of the H.264 and HEVC decoders in players; larger frames in the
 * encoder's look-ahead would also exhaust the memory.
 */
const LARGEST_QUILT = 4096;
/** Longest side that a video is reduced to before it becomes larger. */
const LONGEST: Partial<Record<VideoFormat, number>> = {
  // Doubled it fills a television of 4K.
  anaglyph: 1920,
  // Both half spheres are no wider than what players decode.
  vr180: longestFlatSide(2048),
};

/**
 * Returns the layout of a format. Frames do not exceed the resolution of the video: encoding more gains nothing. All
 * values are even because chroma is subsampled: otherwise views would bleed into each other.
 */
export function videoLayout(format: VideoFormat, device: DeviceProfile, input: Size, swapEyes = false): VideoLayout {
  const { view, cells, ...layout } = layoutFor(format, device, input, swapEyes);
  return {
    ...layout,
    view: { width: even(view.width), height: even(view.height) },
    cells: cells.map(({ position, x, y }) => ({ position, x: x - (x % 2), y: y - (y % 2) })),
  };
}

function layoutFor(format: VideoFormat, device: DeviceProfile, size: Size, swapEyes: boolean): VideoLayout {
  const longest = LONGEST[format];
  const { width, height } = longest === undefined ? size : within({ width: longest, height: longest }, size);
  const view = { width: even(width), height: even(height) };
  const [panel, grid] = [halfFrame(panelOf(device), view), videoGrid(gridOf(device), view)];
  const { layout, views: set, swapped } = FORMATS[format];
  const input = { view, panel, grid, eyes: swapEyes && swapped !== null ? RIGHT_FIRST : LEFT_FIRST };
  // One view at the size of the video, with a swaying camera or none.
  if (layout === 'wiggle' || layout === 'whole')
    return { ...LAYOUTS.whole({ ...input, view: within(device.resolution, view) }), set };
  // As a still it is two pictures, as a video one of both eyes.
  if (format === 'spatial') return { ...LAYOUTS.sideBySide(input), set };
  return { ...LAYOUTS[layout](input), set };
}

function even(length: number): number {
  return Math.max(2, 2 * Math.floor(length / 2));
}

function within(largest: Size, { width, height }: Size): Size {
  const scale = Math.min(1, Math.max(largest.width, largest.height) / Math.max(width, height));
  return { width: even(width * scale), height: even(height * scale) };
}

/**
 * Returns a frame of the panel's aspect for half-size eyes at the video's resolution, at most as large as the panel.
 */
function halfFrame(panel: Size, video: Size): Size {
  const place = fitInto({ x: 0, y: 0, ...panel }, panel.width / panel.height, video.width / video.height);
  const scale = Math.min(1, Math.max(video.width / place.width, video.height / place.height));
  const side = (length: number) => 4 * Math.max(1, Math.round((length * scale) / 4));
  return { width: side(panel.width), height: side(panel.height) };
}

/** Returns the device's grid with even tiles no larger than the video. */
function videoGrid(grid: QuiltGrid, video: Size): QuiltGrid {
  const tile = tileSize(grid);
  const scale = Math.min(
    1,
    LARGEST_QUILT / Math.max(grid.width, grid.height),
    Math.max(video.width / tile.width, video.height / tile.height),
  );
  const side = (length: number, tiles: number) => tiles * even(length * scale);
  return { ...grid, width: side(tile.width, grid.columns), height: side(tile.height, grid.rows) };
}

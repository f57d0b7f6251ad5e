import { sharedBytes } from '../depth/layers/layers.ts';
import type { Stack } from '../depth/layers/stack.ts';
import { fitInto } from '../formats/index.ts';
import { fadeWidth, type LensTable, lensTable, overscan, type Parallax, viewPosition } from '../geometry/index.ts';
import type { Pool } from '../render/pool.ts';
import type { Calibration, Rect } from '../types.ts';
import type { Packed } from './encode.ts';
import type { Steps } from './steps.ts';

/** Largest width of a rendered view: behind the lenses a view has only a few hundred columns. */
const WIDEST_VIEW = 1536;

export interface NativePicture {
  readonly packed: Packed;
  readonly table: LensTable;
  /** Area of the panel covered by the picture; the rest is black. */
  readonly area: Rect;
  readonly flipX: boolean;
  readonly flipY: boolean;
}

/**
 * Renders the picture for the panel of one display, to be shown pixel by pixel.
 * @param count number of views
 */
export async function drawNativePicture(
  stack: Stack,
  calibration: Calibration,
  count: number,
  parallax: Parallax,
  pool: Pool,
  steps: Steps,
): Promise<NativePicture> {
  const { screen, flipImageX: flipX, flipImageY: flipY } = calibration;
  const area = fitInto({ x: 0, y: 0, ...screen }, screen.width / screen.height, stack.size.width / stack.size.height);
  const view = { width: Math.min(area.width, WIDEST_VIEW), height: area.height };
  const options = steps.options('layers', 0, 1);
  const [layer, background] = await Promise.all([stack.layer(view, options), stack.background(view, options)]);
  const data = sharedBytes(3 * screen.width * screen.height);
  const table = lensTable(calibration);
  const reach = (parallax.sweep / 2) * view.width;
  await pool.run(
    {
      kind: 'native',
      layer,
      background,
      convergence: parallax.convergence,
      reaches: Float32Array.from({ length: count }, (_, i) => -viewPosition(i, count) * reach),
      inset: overscan(parallax) * view.width,
      fade: fadeWidth(parallax),
      table,
      area,
      flipX,
      flipY,
      packed: data,
    },
    area.height,
    steps.options('views', 0, 1),
  );
  return { packed: { data, ...screen }, table, area, flipX, flipY };
}

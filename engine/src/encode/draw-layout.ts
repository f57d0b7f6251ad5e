import { sharedBytes } from '../depth/layers/layers.ts';
import type { Stack } from '../depth/layers/stack.ts';
import type { Layout } from '../formats/index.ts';
import { fadeWidth, overscan, type Parallax } from '../geometry/index.ts';
import type { Pool } from '../render/pool.ts';
import type { Packed } from './encode.ts';
import type { Steps } from './steps.ts';

/** Draws all views of a layout directly into the packed picture; areas without a view stay black. */
export async function drawLayout(
  stack: Stack,
  layout: Layout,
  parallax: Parallax,
  pool: Pool,
  steps: Steps,
): Promise<Packed> {
  const { width, height, view, cells } = layout;
  // In parallel: this thread fills the background while the workers refine the layer.
  const options = steps.options('layers', 0, 1);
  const [layer, background] = await Promise.all([stack.layer(view, options), stack.background(view, options)]);
  const data = sharedBytes(3 * width * height);
  const reaches = Float32Array.from(cells, ({ position }) => -position * (parallax.sweep / 2) * view.width);
  const corners = Int32Array.from(cells.flatMap(({ x, y }) => [x, y]));
  await pool.run(
    {
      kind: 'views',
      layer,
      background,
      convergence: parallax.convergence,
      reaches,
      corners,
      inset: overscan(parallax) * view.width,
      fade: fadeWidth(parallax),
      packed: data,
      packedWidth: width,
    },
    view.height,
    steps.options('views', 0, 1),
  );
  return { data, width, height };
}

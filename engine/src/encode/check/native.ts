import { type LensTable, lensPhase, lensRow } from '../../geometry/index.ts';
import type { Rect, Size } from '../../types.ts';
import type { Scene, ViewArea } from './direction.ts';
import type { Channel } from './open.ts';
import { verifyNoneBlank, verifyOrder } from './views.ts';

/** Share of a lens collected at each side: one view seen from far left, one from far right. */
const SIDE = 0.2;
/** Panel pixels, in each direction, averaged into one: more than the width of a lens. */
const BLOCK = 8;

/**
 * Verifies that a native picture shows this scene, with the left views on the left.
 *
 * @param middleIn returns the picture itself in a size
 */
export async function checkNative(
  green: Channel,
  { table, area, flipX, flipY }: { table: LensTable; area: Rect; flipX: boolean; flipY: boolean },
  middleIn: (size: Size) => Promise<ViewArea>,
  scene: Scene,
): Promise<void> {
  const size = { width: Math.floor(area.width / BLOCK), height: Math.floor(area.height / BLOCK) };
  const left = { ...size, data: new Uint8Array(size.width * size.height) };
  const right = { ...size, data: new Uint8Array(size.width * size.height) };
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const sums = { left: 0, lefts: 0, right: 0, rights: 0 };
      gather(green, table, area.x + x * BLOCK, area.y + y * BLOCK, sums);
      const at = (flipY ? size.height - 1 - y : y) * size.width + (flipX ? size.width - 1 - x : x);
      left.data[at] = sums.left / Math.max(1, sums.lefts);
      right.data[at] = sums.right / Math.max(1, sums.rights);
    }
  }
  const whole = { x: 0, y: 0, ...size };
  const views = [
    { position: SIDE - 1, channel: left, ...whole },
    { position: 1 - SIDE, channel: right, ...whole },
  ] as const;
  const middle = await middleIn(size);
  for (const view of views) verifyNoneBlank([view, middle]);
  verifyOrder('views behind the lenses', [views], scene);
}

function gather(
  green: Channel,
  table: LensTable,
  left: number,
  top: number,
  sums: { left: number; lefts: number; right: number; rights: number },
): void {
  for (let y = top; y < top + BLOCK; y++) {
    const { columns, offset } = lensRow(table, table.height - 1 - y);
    for (let x = left; x < left + BLOCK; x++) {
      const phase = lensPhase((columns[3 * x + 1] as number) + offset, table.invView);
      const value = green.data[y * green.width + x] as number;
      if (phase < SIDE) {
        sums.left += value;
        sums.lefts++;
      } else if (phase > 1 - SIDE) {
        sums.right += value;
        sums.rights++;
      }
    }
  }
}

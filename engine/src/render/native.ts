import { type LensTable, lensPhase, lensRow } from '../geometry/index.ts';
import type { Rect } from '../types.ts';
import { RowDrawer, type Views } from './draw.ts';

/**
 * Renders a picture for one particular light-field panel: each sub-pixel shows the view that its lens projects in its
 * direction. Holds only the current row of all views in memory.
 */
export interface DrawNative extends Views {
  readonly kind: 'native';
  readonly table: LensTable;
  /** Area of the picture on the panel, in pixels from the top left; as high as the layer. The rest is black. */
  readonly area: Rect;
  readonly flipX: boolean;
  readonly flipY: boolean;
  /** RGB bytes of the panel. */
  readonly packed: Uint8Array;
}

/** Draws rows `from` to `to` (exclusive) of the picture, counted from the top of its area. */
export function drawNative(task: DrawNative, from: number, to: number): void {
  const { layer, reaches, table, area, flipX, flipY, packed } = task;
  const views = reaches.length;
  const drawer = new RowDrawer(task);
  const rowBytes = 3 * layer.width;
  const rows = new Uint8Array(views * rowBytes);
  const places = Uint32Array.from({ length: views }, (_, view) => view * rowBytes);
  const columns = columnsOf(layer.width, area.width, flipX);
  for (let y = from; y < to; y++) {
    const top = area.y + (flipY ? area.height - 1 - y : y);
    drawer.draw(y, rows, places);
    const phases = lensRow(table, table.height - 1 - top);
    let out = 3 * (top * table.width + area.x);
    for (let x = 0; x < area.width; x++) {
      const at = columns.at[x] as number;
      const next = columns.next[x] as number;
      const mix = columns.mix[x] as number;
      for (let channel = 0; channel < 3; channel++, out++) {
        const sum = (phases.columns[3 * (area.x + x) + channel] as number) + phases.offset;
        // The middle of a view's share of the lens shows that view alone; values between two middles are blended. The
        // first and the last view are not neighbours.
        const place = Math.min(views - 1, Math.max(0, lensPhase(sum, table.invView) * views - 0.5));
        const view = Math.floor(place);
        const first = view * rowBytes + channel;
        const second = view + 1 < views ? first + rowBytes : first;
        const a = lerp(rows[first + at] as number, rows[first + next] as number, mix);
        const b = lerp(rows[second + at] as number, rows[second + next] as number, mix);
        packed[out] = lerp(a, b, place - view) + 0.5;
      }
    }
  }
}

function lerp(a: number, b: number, mix: number): number {
  return a + (b - a) * mix;
}

/** Returns, per column of the area, byte offsets of two adjacent pixels in a view's row, and the blend factor. */
function columnsOf(viewWidth: number, areaWidth: number, flip: boolean) {
  const at = new Uint32Array(areaWidth);
  const next = new Uint32Array(areaWidth);
  const mix = new Float32Array(areaWidth);
  for (let x = 0; x < areaWidth; x++) {
    const u = ((flip ? areaWidth - 1 - x : x) + 0.5) / areaWidth;
    const place = Math.min(viewWidth - 1, Math.max(0, u * viewWidth - 0.5));
    at[x] = 3 * Math.floor(place);
    next[x] = 3 * Math.min(viewWidth - 1, Math.floor(place) + 1);
    mix[x] = place - Math.floor(place);
  }
  return { at, next, mix };
}

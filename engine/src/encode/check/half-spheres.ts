import type { Layout } from '../../formats/index.ts';
import { focalLength } from '../../geometry/index.ts';
import type { Size } from '../../types.ts';
import type { ViewArea } from './direction.ts';
import { type Channel, reducedBy } from './open.ts';

/**
 * Returns the flat views that two half spheres show, side by side in a channel.
 * @param layout of the flat views, in pixels of the whole file
 * @param shrink how much smaller than the file the channel is
 */
export function flatViews(spheres: Channel, { view, cells }: Layout, shrink: number): ViewArea[] {
  const size = reducedBy(view, shrink);
  const side = spheres.width / cells.length;
  return cells.map(({ position }, i) => {
    const channel = flatView(spheres, { left: i * side, width: side }, size);
    return { position, channel, x: 0, y: 0, ...size };
  });
}

/** Looks at one half sphere from its middle. */
function flatView(spheres: Channel, { left, width }: { left: number; width: number }, size: Size): Channel {
  const focal = focalLength(size);
  const data = new Uint8Array(size.width * size.height);
  // Of a half sphere, −90 … 90 degrees.
  const place = (angle: number, length: number) => Math.floor((angle / Math.PI + 0.5) * length);
  for (let y = 0; y < size.height; y++) {
    const down = (y + 0.5 - size.height / 2) / focal;
    for (let x = 0; x < size.width; x++) {
      const across = (x + 0.5 - size.width / 2) / focal;
      const column = left + place(Math.atan(across), width);
      const row = place(Math.atan2(down, Math.hypot(1, across)), spheres.height);
      data[y * size.width + x] = spheres.data[row * spheres.width + Math.floor(column)] as number;
    }
  }
  return { data, ...size };
}

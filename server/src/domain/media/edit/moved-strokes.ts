import type { Crop, Size, Stroke } from '@framelift/engine';
import { fromUpright, toUpright } from '@framelift/engine/geometry';

type Point = Stroke['points'][number];

/**
 * Transforms strokes of one crop to another crop of the same picture. Parts outside are dropped; a stroke that leaves
 * the crop and returns becomes two.
 * @param source upright size of the picture
 */
export function movedStrokes(strokes: readonly Stroke[], before: Crop, after: Crop, source: Size): Stroke[] {
  const move = ([x, y]: Point): Point => {
    const at = toUpright([x * before.width + before.x, y * before.height + before.y], source, before);
    const [across, down] = fromUpright(at, source, after);
    return [(across - after.x) / after.width, (down - after.y) / after.height];
  };
  return strokes.flatMap((stroke) => {
    const radius = Math.min(1, (stroke.radius * before.width) / after.width);
    return runsInside(stroke.points.map(move)).map((points) => ({ ...stroke, radius, points }));
  });
}

function runsInside(points: readonly Point[]): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] = [];
  for (const point of points) {
    if (point.every((share) => share >= 0 && share <= 1)) {
      if (run.length === 0) runs.push(run);
      run.push(point);
    } else run = [];
  }
  return runs;
}

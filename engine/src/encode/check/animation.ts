import type { Layout } from '../../formats/index.ts';
import type { Size } from '../../types.ts';
import { changesWith, type Scene, type ViewArea } from './direction.ts';
import type { Metadata } from './open.ts';
import { fail } from './verify.ts';
import { readViews, verifyNoneBlank, verifyOrder } from './views.ts';

interface Animation {
  readonly type: 'webp' | 'gif';
  readonly layout: Layout;
  readonly scene: Scene;
  readonly frameMs: number;
}

/**
 * Verifies a looping WebP or GIF whose frames are the views of a layout, each shown for `frameMs`.
 * @param middleIn returns the picture itself in a size
 * @throws {EngineError} `conversionFailed`
 */
export async function checkAnimation(
  bytes: Buffer,
  metadata: Metadata,
  expected: Animation,
  middleIn: (size: Size) => Promise<ViewArea>,
): Promise<void> {
  const { layout, scene } = expected;
  const frames = framesOf(metadata, expected);
  const height = layout.view.height * (metadata.pages ?? 1);
  const cells = layout.cells.map((cell, i) => ({ ...cell, y: (frames[i] as number) * layout.view.height }));
  const views = await readViews(bytes, { ...layout, height, cells }, 1);
  verifyNoneBlank(views);
  // Neighbouring frames differ too little and are compressed as differences, so only the turning points are compared.
  const start = views[0] as ViewArea;
  const turn = views[views.length >> 1] as ViewArea;
  // The picture decides whether frames can be equal: blank ones are as well.
  if (frames.at(-1) === 0 && changesWith(await middleIn(layout.view), turn.position, scene))
    fail('it has a single frame');
  verifyOrder('turning points', [[start, turn]], scene);
}

/** Returns the frame index shown at the time of each view: encoders merge similar frames. */
function framesOf(metadata: Metadata, { type, layout: { view, cells }, frameMs }: Animation): number[] {
  const { format, width, height, pages = 1, delay = [], loop } = metadata;
  if (format !== type) fail(`it is ${format}, not ${type}`);
  if (width !== view.width || height !== view.height) fail(`frames are ${width} x ${height}`);
  if (pages === 1) return cells.map(() => 0);
  if (loop !== 0) fail(`it plays ${loop} times`);
  const shown = delay.flatMap((ms: number, page: number) => new Array<number>(Math.round(ms / frameMs)).fill(page));
  if (shown.length !== cells.length || shown.at(-1) !== pages - 1) fail(`it lasts ${delay.join(' + ')} ms`);
  return shown;
}

import { join } from 'node:path';
import type { Picture } from '../types.ts';
import { standingScene } from './depth-photos.ts';
import { decoded, encoder } from './pictures.ts';

/**
 * A spatial video as phones take it: MV-HEVC of 12 frames in MP4, with `hvcC`, `lhvC`, `vexu` and sound. Its base view is
 * the left eye, which a message in the stream says. Made by lab/mv-hevc/make-two-views.ts.
 */
export const TWO_VIEWS = join(import.meta.dirname, 'two-views.mp4');
export const TWO_VIEWS_SIZE = { width: 320, height: 180 };
export const TWO_VIEWS_FRAMES = 12;

/** Pixels by which the scene moves to the left in a frame. */
const STEP = 2;

/** Returns what an eye sees in a frame: a scene that moves past. */
export async function viewOf(eye: 'left' | 'right', frame: number): Promise<Picture> {
  const { width, height } = TWO_VIEWS_SIZE;
  const scene = standingScene(width + STEP * TWO_VIEWS_FRAMES, height)[eye];
  const part = { left: STEP * frame, top: 0, width, height };
  return decoded(await encoder(scene).extract(part).png().toBuffer());
}

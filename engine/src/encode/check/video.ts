import type { Layout } from '../../formats/index.ts';
import type { Scene } from './direction.ts';
import type { Channel } from './open.ts';
import { fail } from './verify.ts';
import { verifyNoneBlank, verifyOrder } from './views.ts';

/**
 * Decodes a whole video whose frames are the views of a layout, repeated `periods` times, and verifies its codec, its
 * duration and the camera order.
 */
export async function checkWiggleVideo(
  bytes: Buffer,
  layout: Layout,
  scene: Scene,
  { frameMs, periods }: { readonly frameMs: number; readonly periods: number },
): Promise<void> {
  const { decodeVideo } = await import('./decode-video.ts');
  const { codec, pixelFormat, seconds, frames } = await decodeVideo(bytes, layout.cells.length);
  if (codec !== 'h264' || pixelFormat !== 'yuv420p') fail(`it is ${codec} in ${pixelFormat}`);
  const expected = layout.cells.length * periods;
  if (frames.count !== expected) fail(`it has ${frames.count} frames, not ${expected}`);
  const plays = (expected * frameMs) / 1000;
  if (Math.abs(seconds - plays) > 0.02) fail(`it plays ${seconds} s, not ${plays}`);
  const views = layout.cells.map(({ position }, i) => {
    const channel = frames.first[i] as Channel;
    if (channel.width !== layout.view.width || channel.height !== layout.view.height)
      fail(`it is ${channel.width} x ${channel.height}, not ${layout.view.width} x ${layout.view.height}`);
    return { position, channel, x: 0, y: 0, width: channel.width, height: channel.height };
  });
  verifyNoneBlank(views);
  const byPosition = views.toSorted((a, b) => a.position - b.position);
  const leftmost = byPosition[0] as (typeof views)[number];
  const rightmost = byPosition.at(-1) as (typeof views)[number];
  verifyOrder('cameras', [[leftmost, rightmost]], scene);
}

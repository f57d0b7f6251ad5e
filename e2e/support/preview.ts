import type { Locator } from '@playwright/test';
import sharp from 'sharp';

/** How many pictures in a row may differ before the preview counts as restless. */
const PATIENCE = 20;

/**
 * What the live preview shows once it has come to rest with the pointer at `share` of its width. The pointer keeps
 * stirring in its place, so that the idle sway does not begin.
 */
export async function pictureAt(preview: Locator, share: number): Promise<Uint8Array> {
  let last: Uint8Array | undefined;
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    const box = await preview.boundingBox();
    if (!box) throw new Error('The preview is not on the page');
    await preview.hover({ position: { x: box.width * share, y: box.height * (attempt % 2 ? 0.5 : 0.55) } });
    const shown = await sharp(await preview.screenshot())
      .greyscale()
      .raw()
      .toBuffer();
    if (last && shown.length === last.length && shown.every((value, i) => Math.abs(value - (last?.[i] ?? 0)) <= 2))
      return shown;
    last = shown;
  }
  throw new Error('The preview never came to rest');
}

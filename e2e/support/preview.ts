import type { Locator } from '@playwright/test';
import sharp from 'sharp';

/** How many pictures in a row may differ before the preview counts as restless. */
const PATIENCE = 20;

/**
 * What the live preview shows once it has come to rest with the pointer at `share` of its width. The pointer keeps
 * stirring in its place, so that the idle sway does not begin.
 */
export async function pictureAt(preview: Locator, share: number): Promise<Uint8Array> {
  const page = preview.page();
  const clip = await preview.boundingBox();
  if (!clip) throw new Error('The preview is not on the page');
  let last: Uint8Array | undefined;
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    await page.mouse.move(clip.x + clip.width * share, clip.y + clip.height * (attempt % 2 ? 0.5 : 0.55));
    // Not the element's own screenshot: that waits for two quiet frames, and this element is never quiet.
    const shown = await sharp(await page.screenshot({ clip }))
      .greyscale()
      .raw()
      .toBuffer();
    if (last && shown.length === last.length && shown.every((value, i) => Math.abs(value - (last?.[i] ?? 0)) <= 2))
      return shown;
    last = shown;
  }
  throw new Error('The preview never came to rest');
}

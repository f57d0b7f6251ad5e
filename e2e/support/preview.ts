import type { Locator } from '@playwright/test';
import sharp from 'sharp';

/** Maximum number of differing pictures in a row before the preview counts as unstable. */
const PATIENCE = 20;

/**
 * Returns the pixels of the live preview when it no longer changes, with the pointer at `share` of its width. The
 * pointer keeps moving slightly, so that the idle animation does not begin.
 */
export async function pictureAt(preview: Locator, share: number): Promise<Uint8Array> {
  const page = preview.page();
  const clip = await preview.boundingBox();
  if (!clip) throw new Error('The preview is not on the page');
  let last: Uint8Array | undefined;
  for (let attempt = 0; attempt < PATIENCE; attempt++) {
    await page.mouse.move(clip.x + clip.width * share, clip.y + clip.height * (attempt % 2 ? 0.5 : 0.55));
    // Not a screenshot of the element: that waits for two equal frames, and this element always changes.
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

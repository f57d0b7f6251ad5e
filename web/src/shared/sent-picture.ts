import type { Rect } from '../ui/crop/crop-rect.ts';

/** Longer side of the kept picture in pixels: it is shown small, and dimmed. */
const LONGEST_PX = 720;

let kept: { readonly mediaId: string; readonly url: string } | null = null;

/**
 * Keeps the crop of the picture that was just sent, to be shown until the server has one of its own.
 * @param area crop in percent of the picture
 */
export async function keepSentPicture(mediaId: string, url: string, area: Rect): Promise<void> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const crop = {
    x: (area.x / 100) * image.naturalWidth,
    y: (area.y / 100) * image.naturalHeight,
    width: (area.width / 100) * image.naturalWidth,
    height: (area.height / 100) * image.naturalHeight,
  };
  const scale = Math.min(1, LONGEST_PX / Math.max(crop.width, crop.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(crop.width * scale));
  canvas.height = Math.max(1, Math.round(crop.height * scale));
  canvas.getContext('2d')?.drawImage(image, crop.x, crop.y, crop.width, crop.height, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
  if (!blob) return;
  if (kept) URL.revokeObjectURL(kept.url);
  kept = { mediaId, url: URL.createObjectURL(blob) };
}

/** Returns the URL of the kept picture, or null if the media was not the last one sent by this page. */
export const sentPicture = (mediaId: string): string | null => (kept?.mediaId === mediaId ? kept.url : null);

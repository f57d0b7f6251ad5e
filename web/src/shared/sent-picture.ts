import type { Ratio, Rect, Size } from '../ui/crop/crop-rect.ts';
import { drawEdited, type Edit, editedCrop, isMoved } from '../ui/crop/picture-edit.ts';

/** Longer side of the kept picture in pixels: it is shown small, and dimmed. */
const LONGEST_PX = 720;

let kept: { readonly mediaId: string; readonly url: string } | null = null;

/**
 * Keeps the crop of the picture that was just sent, to be shown until the server has one of its own.
 * @param picture.url of the whole picture
 * @param crop.area percent of the edited picture
 */
export async function keepSentPicture(
  mediaId: string,
  picture: { readonly url: string },
  { area, edit, ratio }: { readonly area: Rect | null; readonly edit: Edit; readonly ratio: Ratio },
): Promise<void> {
  const edited = isMoved(edit) ? await drawEdited(picture.url, edit, false) : null;
  try {
    const image = new Image();
    image.src = edited ?? picture.url;
    await image.decode();
    const size: Size = { width: image.naturalWidth, height: image.naturalHeight };
    const crop = editedCrop(area, size, ratio, edit);
    if (!crop) return;
    const scale = Math.min(1, LONGEST_PX / Math.max(crop.width, crop.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(crop.width * scale));
    canvas.height = Math.max(1, Math.round(crop.height * scale));
    const context = canvas.getContext('2d');
    // The border of a whole picture stays dark.
    context?.drawImage(image, crop.x, crop.y, crop.width, crop.height, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
    if (!blob) return;
    if (kept) URL.revokeObjectURL(kept.url);
    kept = { mediaId, url: URL.createObjectURL(blob) };
  } finally {
    if (edited) URL.revokeObjectURL(edited);
  }
}

/** Returns the URL of the kept picture, or null if the media was not the last one sent by this page. */
export const sentPicture = (mediaId: string): string | null => (kept?.mediaId === mediaId ? kept.url : null);

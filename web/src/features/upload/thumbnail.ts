import type { Ground } from '@framelift/engine/geometry';
import type { Size } from '../../ui/crop/crop-rect.ts';
import { focusOf, type Point } from './focus.ts';
import type { ShownPicture } from './show-picture.ts';

/** Longer side in pixels of the copy on a card. */
const CARD_PX = 480;
/** Longer side in pixels at which the subject is looked for. */
const FOCUS_PX = 64;

export interface Thumbnail {
  /** Object URL of the small copy; the caller revokes it. */
  readonly url: string;
  /** Upright size of the original file in pixels. */
  readonly source: Size;
  /** Where the subject seems to be, in fractions of the picture. */
  readonly focus: Point;
  readonly ground: Ground | null;
}

/** Makes a small copy of a shown picture and releases the large one. */
export async function thumbnailOf({ url, source, ground }: ShownPicture): Promise<Thumbnail> {
  try {
    const image = new Image();
    image.src = url;
    await image.decode().catch(() => {});
    const card = draw(image, CARD_PX);
    const small = draw(image, FOCUS_PX);
    const pixels = small.getContext('2d')?.getImageData(0, 0, small.width, small.height);
    const blob = await new Promise<Blob | null>((resolve) =>
      card.toBlob(resolve, ground ? 'image/png' : 'image/jpeg', 0.85),
    );
    if (!blob) throw new Error('The copy could not be made');
    return { url: URL.createObjectURL(blob), source, focus: pixels ? focusOf(pixels) : { x: 0.5, y: 0.5 }, ground };
  } finally {
    URL.revokeObjectURL(url);
  }
}

function draw(image: HTMLImageElement, longest: number): HTMLCanvasElement {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, longest / Math.max(naturalWidth, naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(naturalHeight * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

import { editedSize, type Ground } from '@framelift/engine/geometry';
import type { Size } from '../../ui/crop/crop-rect.ts';
import { drawEdited, type Edit, isMoved } from '../../ui/crop/picture-edit.ts';
import { focusOf, type Point } from './focus.ts';
import type { ShownPicture } from './show-picture.ts';

/** Longer side in pixels of the copy on a card. */
const CARD_PX = 480;
/** Longer side in pixels at which the subject is looked for. */
const FOCUS_PX = 64;

export interface Thumbnail {
  /** Object URL of the small copy; the caller revokes it. */
  readonly url: string;
  /** Size of the edited picture in pixels of the original file. */
  readonly source: Size;
  /** Where the subject seems to be, in fractions of the picture. */
  readonly focus: Point;
  readonly ground: Ground | null;
}

/** Makes a small copy of a shown picture as edited, and releases the large one. */
export async function thumbnailOf({ url, source, ground }: ShownPicture, edit: Edit): Promise<Thumbnail> {
  const edited = isMoved(edit) ? await drawEdited(url, edit, ground !== null) : null;
  try {
    const image = new Image();
    image.src = edited ?? url;
    await image.decode().catch(() => {});
    const card = draw(image, CARD_PX);
    const small = draw(image, FOCUS_PX);
    const pixels = small.getContext('2d')?.getImageData(0, 0, small.width, small.height);
    return {
      url: URL.createObjectURL(encode(card, ground ? 'image/png' : 'image/jpeg')),
      source: editedSize(source, edit),
      focus: pixels ? focusOf(pixels) : { x: 0.5, y: 0.5 },
      ground,
    };
  } finally {
    URL.revokeObjectURL(url);
    if (edited) URL.revokeObjectURL(edited);
  }
}

/** Encodes a small canvas at once: `toBlob` waits for an idle moment, which takes up to a second each on a busy page. */
function encode(canvas: HTMLCanvasElement, type: string): Blob {
  const [, base64 = ''] = canvas.toDataURL(type, 0.85).split(',');
  return new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], { type });
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

import { editedSize, wholeCrop } from '@framelift/engine/geometry';
import { cropRect, type Ratio, type Rect, type Size } from './crop-rect.ts';

/** How a picture is turned, straightened and bordered before its crop is cut. */
export interface Edit {
  /** Degrees clockwise. */
  readonly turn: 0 | 90 | 180 | 270;
  readonly mirror: boolean;
  /** Degrees clockwise, at most 45 in either direction. */
  readonly tilt: number;
  /** The whole picture is shown; its border is a blurred copy of it or a colour. */
  readonly border: Border | null;
}
export type Border = 'blur' | `#${string}`;
export type EditedCrop = Rect & Partial<{ [K in keyof Edit]: NonNullable<Edit[K]> }>;

export const NO_EDIT: Edit = { turn: 0, mirror: false, tilt: 0, border: null };

/** Returns the edit of a crop. */
export const editOf = (crop: Partial<{ [K in keyof Edit]: Edit[K] | undefined }> | null): Edit => ({
  turn: crop?.turn ?? 0,
  mirror: crop?.mirror ?? false,
  tilt: crop?.tilt ?? 0,
  border: crop?.border ?? null,
});

/** Returns whether the pixels of the picture differ: a border is only around them. */
export const isMoved = ({ turn, mirror, tilt }: Edit) => turn !== 0 || mirror || tilt !== 0;

/** Returns whether two edits differ in their border at most. */
export const isSameMove = (one: Edit, other: Edit) =>
  one.turn === other.turn && one.mirror === other.mirror && one.tilt === other.tilt;

/**
 * Returns the crop of an edited picture; null until the cropper has measured itself.
 * @param area percent of the edited picture; not used for a whole picture
 * @param edited size of the edited picture
 */
export function editedCrop(area: Rect | null, edited: Size, ratio: Ratio, edit: Edit): EditedCrop | null {
  const rect = edit.border ? wholeCrop(edited, ratio) : area && cropRect(area, edited, ratio);
  return (
    rect && {
      ...rect,
      ...(edit.turn && { turn: edit.turn }),
      ...(edit.mirror && { mirror: true }),
      ...(edit.tilt && { tilt: edit.tilt }),
      ...(edit.border && { border: edit.border }),
    }
  );
}

/** Longer side in pixels of the edited copy, which is only shown. */
const SHOWN_PX = 2048;

/**
 * Draws an edited copy of a picture, by the same mapping as the conversion.
 * @param keepsAlpha the picture has transparent parts
 * @returns an object URL, which the caller revokes; null if it cannot be drawn
 */
export async function drawEdited(url: string, edit: Edit, keepsAlpha: boolean): Promise<string | null> {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => {});
  const source = { width: image.naturalWidth, height: image.naturalHeight };
  if (source.width === 0) return null;
  const size = editedSize(source, edit);
  const scale = Math.min(1, SHOWN_PX / Math.max(size.width, size.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(size.width * scale));
  canvas.height = Math.max(1, Math.round(size.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.translate(canvas.width / 2, canvas.height / 2);
  context.scale(scale, scale);
  context.rotate(((edit.tilt + edit.turn) * Math.PI) / 180);
  if (edit.mirror) context.scale(-1, 1);
  context.drawImage(image, -source.width / 2, -source.height / 2);
  const blob = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, keepsAlpha ? 'image/png' : 'image/jpeg', 0.9),
  );
  return blob && URL.createObjectURL(blob);
}

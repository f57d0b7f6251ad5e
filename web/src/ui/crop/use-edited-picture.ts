import { editedSize } from '@framelift/engine/geometry';
import type { Size } from './crop-rect.ts';
import { drawEdited, type Edit, isMoved } from './picture-edit.ts';
import { useDrawnUrl } from './use-drawn-url.ts';

export interface EditedPicture {
  readonly url: string;
  /** Size of the edited picture in pixels of the source. */
  readonly size: Size;
}

/** Returns a picture as edited; null while it is drawn. An unchanged one is returned as it is. */
export function useEditedPicture(
  url: string | null,
  source: Size | null,
  edit: Edit,
  keepsAlpha = false,
): EditedPicture | null {
  const { turn, mirror, tilt } = edit;
  const moved = isMoved(edit);
  const key = url !== null && moved ? `${url} ${turn} ${mirror} ${tilt} ${keepsAlpha}` : null;
  const drawn = useDrawnUrl(key, () => drawEdited(url ?? '', { turn, mirror, tilt, border: null }, keepsAlpha));
  if (url === null || source === null) return null;
  if (!moved) return { url, size: source };
  return drawn === null ? null : { url: drawn, size: editedSize(source, edit) };
}

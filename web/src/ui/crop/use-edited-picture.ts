import { editedSize } from '@framelift/engine/geometry';
import { useEffect, useState } from 'react';
import type { Size } from './crop-rect.ts';
import { drawEdited, type Edit, isMoved } from './picture-edit.ts';

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
  const key = `${url} ${turn} ${mirror} ${tilt}`;
  const [drawn, setDrawn] = useState<{ readonly key: string; readonly url: string } | null>(null);
  useEffect(() => {
    if (url === null || !moved) return;
    let left = false;
    let own: string | null = null;
    void drawEdited(url, { turn, mirror, tilt, border: null }, keepsAlpha).then((made) => {
      if (left && made) URL.revokeObjectURL(made);
      if (left || !made) return;
      own = made;
      setDrawn({ key: `${url} ${turn} ${mirror} ${tilt}`, url: made });
    });
    return () => {
      left = true;
      if (own) URL.revokeObjectURL(own);
    };
  }, [url, moved, turn, mirror, tilt, keepsAlpha]);
  if (url === null || source === null) return null;
  if (!moved) return { url, size: source };
  return drawn?.key === key ? { url: drawn.url, size: editedSize(source, edit) } : null;
}

import type { PairPlaces } from '@framelift/engine/formats';
import { useEffect, useState } from 'react';
import { type Size, shownSize } from '../../ui/crop/crop-rect.ts';

interface Shown {
  readonly url: string;
  readonly source: Size;
}

/** Returns the left eye of a picture of both, as it is shown; null while it is drawn. Without places, the picture itself. */
export function useLeftEye(picture: Shown | null, places: PairPlaces | null): Shown | null {
  const [drawn, setDrawn] = useState<(Shown & { readonly of: string }) | null>(null);
  const of = picture && places ? `${picture.url} ${places.layout} ${places.shown.width}` : null;
  useEffect(() => {
    if (!picture || !places || of === null) return;
    let left = false;
    let own: string | null = null;
    void drawPart(picture, places).then((url) => {
      if (left && url) URL.revokeObjectURL(url);
      if (left || !url) return;
      own = url;
      setDrawn({ of, url, source: places.shown });
    });
    return () => {
      left = true;
      if (own) URL.revokeObjectURL(own);
    };
    // `of` tells all that matters of both.
  }, [of]);
  if (of === null) return picture;
  return drawn?.of === of ? drawn : null;
}

async function drawPart({ url, source }: Shown, { left, shown }: PairPlaces): Promise<string | null> {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => {});
  // The picture may be a smaller copy.
  const scale = image.naturalWidth / source.width;
  const size = shownSize({ width: Math.round(shown.width * scale), height: Math.round(shown.height * scale) });
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height;
  const { x, y, width, height } = left;
  canvas
    .getContext('2d')
    ?.drawImage(image, x * scale, y * scale, width * scale, height * scale, 0, 0, size.width, size.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
  return blob && URL.createObjectURL(blob);
}

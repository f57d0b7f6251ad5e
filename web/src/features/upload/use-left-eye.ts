import type { PairPlaces } from '@framelift/engine/formats';
import { type Size, shownSize } from '../../ui/crop/crop-rect.ts';
import { useDrawnUrl } from '../../ui/crop/use-drawn-url.ts';

interface Shown {
  readonly url: string;
  readonly source: Size;
}

/** Returns the left eye of a picture of both, as it is shown; null while it is drawn. Without places, the picture itself. */
export function useLeftEye(picture: Shown | null, places: PairPlaces | null): Shown | null {
  // All that matters of both.
  const key = picture && places ? `${picture.url} ${places.layout} ${places.shown.width}` : null;
  const drawn = useDrawnUrl(key, async () => (picture && places ? drawPart(picture, places) : null));
  if (!picture || !places) return picture;
  return drawn === null ? null : { url: drawn, source: places.shown };
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

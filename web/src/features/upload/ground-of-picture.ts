import { type Ground, groundFor, hasTransparency } from '@framelift/engine/geometry';

/** Long side in pixels at which a picture is examined. */
const SIDE = 128;

/** Returns the ground on which a picture can be seen, as the server chooses it; null for an opaque picture. */
export function groundOfPicture(
  picture: CanvasImageSource,
  { width, height }: { readonly width: number; readonly height: number },
): Ground | null {
  const scale = Math.min(1, SIDE / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return null;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return hasTransparency(data) ? groundFor(data) : null;
}

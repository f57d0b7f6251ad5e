import type { Size } from './crop-rect.ts';
import type { EditedCrop } from './picture-edit.ts';

export interface CropSource {
  /** The picture as edited, or a smaller copy of it. */
  readonly url: string;
  /** Size of the edited picture, of which `rect` tells pixels. */
  readonly size: Size;
  readonly rect: EditedCrop;
  /** Colour behind transparent parts. */
  readonly ground: string | null;
}

/** Radius of the blur of a border, as a share of the longer side. */
const BLUR = 0.03;

/** Draws a small copy of the crop of a picture, with its border. Null if this browser cannot. */
export async function cropCopy({ url, size, rect, ground }: CropSource, longestPx: number): Promise<Blob | null> {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => {});
  if (image.naturalWidth === 0) return null;
  const shown = image.naturalWidth / size.width;
  const scale = Math.min(shown, longestPx / Math.max(rect.width, rect.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(rect.width * scale));
  canvas.height = Math.max(1, Math.round(rect.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  const { border } = rect;
  context.fillStyle = border && border !== 'blur' ? border : (ground ?? '#fff');
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (border === 'blur') {
    const cover = Math.max(canvas.width / image.naturalWidth, canvas.height / image.naturalHeight);
    const [width, height] = [image.naturalWidth * cover, image.naturalHeight * cover];
    context.filter = `blur(${BLUR * Math.max(width, height)}px) brightness(0.6)`;
    context.drawImage(image, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
    context.filter = 'none';
  }
  context.drawImage(image, -rect.x * scale, -rect.y * scale, size.width * scale, size.height * scale);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85));
}

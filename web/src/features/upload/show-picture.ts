import type { PairLayout } from '@framelift/contract/formats';
import { stereoJpeg } from '@framelift/engine/formats';
import type { Ground } from '@framelift/engine/geometry';
import { type Size, shownSize } from '../../ui/crop/crop-rect.ts';
import { groundOfPicture } from './ground-of-picture.ts';
import { guessPair } from './guess-pair.ts';
import type { HeicAnswer } from './heic.worker.ts';

export interface ShownPicture {
  /** Object URL of an upright picture of at most 16,777,216 px; the caller revokes it. */
  readonly url: string;
  /** Upright size of the original file in pixels. */
  readonly source: Size;
  /** For a picture with transparent parts, the ground on which it can be seen; null for any other. */
  readonly ground: Ground | null;
  /** How it may hold two eyes, if nothing in it says so. */
  readonly pair?: PairLayout | null;
}

/** Number of bytes at the start of a JPEG that contain its metadata. */
const HEADER_BYTES = 256 * 1024;

/**
 * Prepares a chosen picture for display, upright: the browser applies the EXIF orientation, once. Pictures larger than
 * an iOS canvas are scaled down; HEIC that the browser cannot decode is decoded by libheif in a worker. Of a stereo
 * JPEG only the left eye is shown, as only that is converted.
 * @returns null if the file cannot be decoded here
 * @throws if the file cannot be read: it was moved or changed after it was chosen
 */
export async function showPicture(file: File, signal: AbortSignal): Promise<ShownPicture | null> {
  const heif = await isHeif(file);
  const shown = (await decodeByBrowser(file)) ?? (heif ? await decodeByLibheif(file, signal) : null);
  if (signal.aborted && shown) URL.revokeObjectURL(shown.url);
  return signal.aborted ? null : shown;
}

async function decodeByBrowser(file: File): Promise<ShownPicture | null> {
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    // Rejects for a damaged file, of which the browser nevertheless shows what it has; without a size there is nothing.
    await image.decode().catch(() => {});
    const whole = { width: image.naturalWidth, height: image.naturalHeight };
    // An SVG without intrinsic size cannot be cropped in pixels.
    if (whole.width === 0 || whole.height === 0) throw new Error('The picture has no size');
    const stereo = stereoJpeg(new Uint8Array(await file.slice(0, HEADER_BYTES).arrayBuffer()), whole);
    const source = stereo?.shown ?? whole;
    const size = shownSize(source);
    const ground = stereo ? null : groundOfPicture(image, whole);
    const pair = stereo ? null : guessPair(image, whole, file.name);
    if (!stereo && size.width === source.width) return { url, source, ground, pair };
    const { x, y, width, height } = stereo?.left ?? { x: 0, y: 0, ...whole };

    const canvas = document.createElement('canvas');
    canvas.width = size.width;
    canvas.height = size.height;
    canvas.getContext('2d')?.drawImage(image, x, y, width, height, 0, 0, size.width, size.height);
    const smaller = await new Promise<Blob | null>((resolve) =>
      canvas.toBlob(resolve, ground ? 'image/png' : 'image/jpeg', 0.9),
    );
    URL.revokeObjectURL(url);
    return smaller && { url: URL.createObjectURL(smaller), source, ground, pair };
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
}

/** ISO base media files (HEIC, HEIF, AVIF) start with a box of type 'ftyp'. */
async function isHeif(file: Blob): Promise<boolean> {
  return (await file.slice(4, 8).text()) === 'ftyp';
}

function decodeByLibheif(file: Blob, signal: AbortSignal): Promise<ShownPicture | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./heic.worker.ts', import.meta.url), { type: 'module' });
    const end = (shown: ShownPicture | null) => {
      worker.terminate();
      resolve(shown);
    };
    signal.addEventListener('abort', () => end(null), { once: true });
    worker.onerror = () => end(null);
    worker.onmessage = ({ data }: MessageEvent<HeicAnswer>) =>
      end(data.ok ? { url: URL.createObjectURL(data.shown), source: data.source, ground: data.ground } : null);
    worker.postMessage(file);
  });
}

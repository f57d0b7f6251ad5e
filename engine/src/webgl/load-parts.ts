import type { DepthImage } from './grid-mesh.ts';

/** URLs of the four pictures of a preview, data URLs as well; all have the same aspect ratio. */
export interface DepthParts {
  readonly colour: string;
  /** Greyscale, white is near. */
  readonly depth: string;
  /** Filled-in background behind the depth edges. */
  readonly background: string;
  readonly backgroundDepth: string;
}

export interface LoadedParts {
  readonly colour: ImageBitmap;
  readonly depth: DepthImage;
  readonly background: ImageBitmap;
  readonly backgroundDepth: DepthImage;
}

type EncodedParts = Readonly<Record<keyof DepthParts, Blob>>;

/** @throws when a part cannot be fetched or decoded */
export async function loadParts(parts: DepthParts, signal: AbortSignal): Promise<LoadedParts> {
  const [colour, depth, background, backgroundDepth] = await Promise.all([
    fetchBlob(parts.colour, signal),
    fetchBlob(parts.depth, signal),
    fetchBlob(parts.background, signal),
    fetchBlob(parts.backgroundDepth, signal),
  ]);
  return partsOf({ colour, depth, background, backgroundDepth });
}

/** @throws when a part cannot be decoded */
export async function partsOf(parts: EncodedParts): Promise<LoadedParts> {
  const [colour, depth, background, backgroundDepth] = await Promise.all([
    decodePixels(parts.colour),
    decodePixels(parts.depth).then(depthOf),
    decodePixels(parts.background),
    decodePixels(parts.backgroundDepth).then(depthOf),
  ]);
  return { colour, depth, background, backgroundDepth };
}

async function fetchBlob(url: string, signal: AbortSignal): Promise<Blob> {
  // A page whose security policy lets it connect to its own server only cannot fetch them.
  const [, type = '', base64] = /^data:([^;]*);base64,(.*)$/.exec(url) ?? [];
  if (base64 !== undefined) return new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))], { type });
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}`);
  return response.blob();
}

/** Depth values are numbers, not colours, and must not be converted. Firefox before 98 has no options for it. */
export const decodePixels = (blob: Blob): Promise<ImageBitmap> =>
  createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' }).catch(() =>
    createImageBitmap(blob),
  );

function depthOf(bitmap: ImageBitmap): DepthImage {
  const { width, height } = bitmap;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser cannot read pixels');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const rgba = context.getImageData(0, 0, width, height).data;
  const data = new Uint8Array(width * height);
  for (let i = 0; i < data.length; i++) data[i] = rgba[i * 4] ?? 0;
  return { data, width, height };
}

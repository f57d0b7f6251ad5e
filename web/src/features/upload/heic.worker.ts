import type { Ground } from '@framelift/engine/geometry';
import createLibheif from 'libheif-js/libheif-wasm/libheif.js';
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url';
import { type Size, shownSize } from '../../ui/crop/crop-rect.ts';
import { groundOfPicture } from './ground-of-picture.ts';

/** Response to one posted file. The picture is upright, has at most 16,777,216 px, and is for display only. */
export type HeicAnswer =
  | { readonly ok: true; readonly shown: Blob; readonly source: Size; readonly ground: Ground | null }
  | { readonly ok: false };

interface HeifPicture {
  get_width(): number;
  get_height(): number;
  is_primary(): boolean;
  free(): void;
  /** Writes RGBA with the file's own rotation and mirroring applied; calls back with null on failure. */
  display(
    target: { data: Uint8ClampedArray; width: number; height: number },
    done: (target: object | null) => void,
  ): void;
}

/** The hand-written part of the module, which is missing in its generated types. */
interface Libheif {
  HeifDecoder: new () => { decode(bytes: ArrayBuffer): HeifPicture[] };
}

async function load(): Promise<Libheif> {
  let module: unknown;
  await new Promise<void>((resolve, reject) => {
    module = createLibheif({ locateFile: () => wasmUrl, onRuntimeInitialized: resolve, onAbort: reject });
  });
  return module as Libheif;
}

async function decode(file: Blob): Promise<HeicAnswer> {
  const { HeifDecoder } = await load();
  const pictures = new HeifDecoder().decode(await file.arrayBuffer());
  const primary = pictures.find((picture) => picture.is_primary()) ?? pictures[0];
  if (!primary) return { ok: false };
  const source = { width: primary.get_width(), height: primary.get_height() };
  const pixels = new ImageData(source.width, source.height);
  const filled = await new Promise((resolve) => primary.display(pixels, resolve));
  for (const picture of pictures) picture.free();
  if (!filled) return { ok: false };

  const shown = shownSize(source);
  const bitmap = await createImageBitmap(pixels, { resizeWidth: shown.width, resizeHeight: shown.height });
  const canvas = new OffscreenCanvas(shown.width, shown.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  const ground = groundOfPicture(canvas, canvas);
  const type = ground ? 'image/png' : 'image/jpeg';
  return { ok: true, shown: await canvas.convertToBlob({ type, quality: 0.9 }), source, ground };
}

self.onmessage = (event: MessageEvent<Blob>) => {
  decode(event.data)
    .catch((): HeicAnswer => ({ ok: false }))
    .then((answer) => self.postMessage(answer));
};

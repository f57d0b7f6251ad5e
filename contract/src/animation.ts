import type { AcceptedTypes, FileKind, FileType } from './file-types.ts';
import { FILE_TYPES } from './file-types.ts';

/** Types of pictures that may be animations. These can be converted as videos. */
export const ANIMATED_TYPES = ['gif', 'webp', 'png'] as const satisfies readonly FileType[];
export type AnimatedType = (typeof ANIMATED_TYPES)[number];

/** Extensions of files that are likely animations. */
export const ANIMATION_EXTENSIONS = ['gif', 'webp', 'apng'];

export function mayBeAnimated(type: FileType): type is AnimatedType {
  return (ANIMATED_TYPES as readonly FileType[]).includes(type);
}

/** Returns whether a file of this type can be converted as one of a kind; whether it is animated, its content tells. */
export function canBeOf(kind: FileKind, type: FileType, accepted: AcceptedTypes): boolean {
  return FILE_TYPES[type].kind === kind || (kind === 'video' && accepted === 'all' && mayBeAnimated(type));
}

/** Returns whether the content of a GIF, WebP or PNG has several frames. */
export function isAnimation(bytes: Uint8Array, type: AnimatedType): boolean {
  if (type === 'gif') return hasFramesOfGif(bytes);
  return type === 'webp' ? hasFramesOfWebp(bytes) : hasFramesOfPng(bytes);
}

const GIF = { header: 13, image: 0x2c, extension: 0x21, imageHeader: 10 } as const;

function hasFramesOfGif(bytes: Uint8Array): boolean {
  const tableBytes = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let frames = 0;
  let at = GIF.header + tableBytes(bytes[10]);
  while (at < bytes.length) {
    if (bytes[at] === GIF.image) {
      if (++frames > 1) return true;
      // A table of colours, and the size of the codes.
      at += GIF.imageHeader + tableBytes(bytes[at + GIF.imageHeader - 1]) + 1;
    } else if (bytes[at] === GIF.extension) at += 2;
    else return false;
    for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) at += length + 1;
    at++;
  }
  return false;
}

function hasFramesOfWebp(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  let frames = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    if (text(bytes, at) === 'ANMF' && ++frames > 1) return true;
    const size = view.getUint32(at + 4, true);
    at += 8 + size + (size % 2);
  }
  return false;
}

/** `acTL` stands before the pixels and states the number of frames. */
function hasFramesOfPng(bytes: Uint8Array): boolean {
  const view = viewOf(bytes);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const chunk = text(bytes, at + 4);
    if (chunk === 'acTL') return view.getUint32(at + 8) > 1;
    if (chunk === 'IDAT') return false;
  }
  return false;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const text = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));

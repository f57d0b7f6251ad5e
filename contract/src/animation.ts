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

/** Reads so many bytes of a file from a place on; fewer at its end. */
type ReadBytes = (from: number, length: number) => Promise<Uint8Array>;

/** Returns whether a GIF, WebP or PNG has several frames. Reads no more of it than tells so. */
export async function isAnimation(read: ReadBytes, type: AnimatedType): Promise<boolean> {
  if (type === 'gif') return hasFramesOfGif(new FileParts(read, GIF.part));
  const parts = new FileParts(read, CHUNKS_PART);
  return type === 'webp' ? hasFramesOfWebp(parts) : hasFramesOfPng(parts);
}

/** Bytes read at once where only the headers of chunks are looked at: all of them in most files. */
const CHUNKS_PART = 4096;

/** The parts of a file that are looked at, each read with what follows it. */
class FileParts {
  readonly #read: ReadBytes;
  readonly #size: number;
  #from = 0;
  #bytes: Uint8Array = new Uint8Array();

  constructor(read: ReadBytes, size: number) {
    this.#read = read;
    this.#size = size;
  }

  /** Returns so many bytes, at most as many as are read at once; null if the file ends before. */
  async at(from: number, length: number): Promise<DataView | null> {
    if (from < this.#from || from + length > this.#from + this.#bytes.length) {
      this.#bytes = await this.#read(from, this.#size);
      this.#from = from;
    }
    const { buffer, byteOffset } = this.#bytes;
    const start = from - this.#from;
    return start + length > this.#bytes.length ? null : new DataView(buffer, byteOffset + start, length);
  }
}

const GIF = { part: 65_536, header: 13, image: 0x2c, extension: 0x21, imageHeader: 10 } as const;

/** A GIF does not state how long an image is: its blocks of at most 255 bytes are followed to the next one. */
async function hasFramesOfGif(parts: FileParts): Promise<boolean> {
  const byte = async (at: number) => (await parts.at(at, 1))?.getUint8(0) ?? 0;
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let frames = 0;
  let at = GIF.header + tableBytes(await byte(10));
  for (;;) {
    const block = await byte(at);
    if (block === GIF.image) {
      if (++frames > 1) return true;
      // A table of colours, and the size of the codes.
      at += GIF.imageHeader + tableBytes(await byte(at + GIF.imageHeader - 1)) + 1;
    } else if (block === GIF.extension) at += 2;
    else return false;
    for (let length = await byte(at); length > 0; length = await byte(at)) at += length + 1;
    at++;
  }
}

/** Only a file whose first chunk says that it is animated is read further. */
async function hasFramesOfWebp(parts: FileParts): Promise<boolean> {
  const flags = await parts.at(12, 9);
  if (!flags || text(flags, 0) !== 'VP8X' || !(flags.getUint8(8) & 0x02)) return false;
  let frames = 0;
  for (let at = 12; ; ) {
    const chunk = await parts.at(at, 8);
    if (!chunk) return false;
    if (text(chunk, 0) === 'ANMF' && ++frames > 1) return true;
    const size = chunk.getUint32(4, true);
    at += 8 + size + (size % 2);
  }
}

/** `acTL` stands before the pixels and states the number of frames. */
async function hasFramesOfPng(parts: FileParts): Promise<boolean> {
  for (let at = 8; ; ) {
    const chunk = await parts.at(at, 12);
    if (!chunk || text(chunk, 4) === 'IDAT') return false;
    if (text(chunk, 4) === 'acTL') return chunk.getUint32(8) > 1;
    at += 12 + chunk.getUint32(0);
  }
}

const text = (view: DataView, at: number) => String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));

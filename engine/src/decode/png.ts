import { crc32 } from 'node:zlib';

/** Type and body of one PNG chunk. */
export type Chunk = readonly [type: string, body: Uint8Array];

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A chunk as found in a file. */
export interface FoundChunk {
  readonly type: string;
  /** Ends early in a truncated file. */
  readonly body: Uint8Array;
  /** Complete, with the right checksum. */
  readonly intact: boolean;
}

/** Yields the chunks of a PNG file up to IEND, or to where the file makes no sense any more. */
export function* readChunks(bytes: Uint8Array): Generator<FoundChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = SIGNATURE.length; at + 8 <= bytes.length; ) {
    const end = at + 8 + view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (!/^[A-Za-z]{4}$/.test(type) || type === 'IEND') return;
    const intact = end + 4 <= bytes.length && crc32(bytes.subarray(at + 4, end)) === view.getUint32(end);
    yield { type, body: bytes.subarray(at + 8, end), intact };
    at = end + 4;
  }
}

/** Assembles a PNG file from its chunks, IEND included (PNG specification, third edition, §5). */
export function assemblePng(chunks: readonly Chunk[]): Buffer {
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    ...chunks.flatMap(chunkParts),
    ...chunkParts(['IEND', Buffer.alloc(0)]),
  ]);
}

/** Builds the IHDR chunk. `colour`: 0 grey, 2 RGB. */
export function headerChunk(width: number, height: number, bits: 1 | 8 | 16, colour: 0 | 2): Chunk {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width, 0);
  body.writeUInt32BE(height, 4);
  body.set([bits, colour], 8);
  return ['IHDR', body];
}

/**
 * Returns head (length and type), body and checksum of a chunk as separate buffers: a body may be a whole picture, so
 * it is not copied.
 */
export function chunkParts([type, body]: Chunk): [Buffer, Uint8Array, Buffer] {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length, 0);
  head.write(type, 4, 'latin1');
  const tail = Buffer.alloc(4);
  tail.writeUInt32BE(crc32(body, crc32(head.subarray(4))), 0);
  return [head, body, tail];
}

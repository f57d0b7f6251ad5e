import { crc32 } from 'node:zlib';

/** Type and body of one PNG chunk. */
export type Chunk = readonly [type: string, body: Uint8Array];

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

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

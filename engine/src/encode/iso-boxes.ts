/** Boxes of the ISO base media file format (ISO/IEC 14496-12), of which HEIC and MP4 files consist. */

/** Returns a box: its size, its type of four letters, its content. */
export function box(type: string, ...body: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), ...body]);
  return Buffer.concat([u32(content.length + 4), content]);
}

/** Returns a box whose content begins with a version (highest byte) and flags. */
export function fullBox(type: string, versionAndFlags: number, ...body: readonly Uint8Array[]): Buffer {
  return box(type, u32(versionAndFlags), ...body);
}

export function u16(...values: number[]): Buffer {
  const out = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) out.writeUInt16BE(value, i * 2);
  return out;
}

export function u32(...values: number[]): Buffer {
  const out = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) out.writeUInt32BE(value, i * 4);
  return out;
}

/** A box within a file. */
export interface Place {
  readonly type: string;
  /** Offset of the box, of its content, and of its end. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the boxes in a range of a file. Stops at a box that is longer than the range. */
export function boxesIn(bytes: Buffer, from = 0, to = bytes.length): Place[] {
  const found: Place[] = [];
  for (let at = from; at + 8 <= to; ) {
    const short = bytes.readUInt32BE(at);
    const wide = short === 1 && at + 16 <= to;
    const size = wide ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? to - at : short;
    const head = wide ? 16 : 8;
    if (size < head || at + size > to) break;
    found.push({ type: bytes.toString('latin1', at + 4, at + 8), at, from: at + head, to: at + size });
    at += size;
  }
  return found;
}

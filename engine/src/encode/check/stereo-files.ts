import { TextDecoder } from 'node:util';
import { fail } from './verify.ts';

/** A JPEG marker segment before the scan data. */
interface Segment {
  readonly marker: number;
  /** Offset of the content from the start of the file. */
  readonly at: number;
  readonly content: Buffer;
}

const latin = new TextDecoder('latin1');

function segmentsOf(jpeg: Buffer): Segment[] {
  const found: Segment[] = [];
  let at = 2;
  while (at + 4 <= jpeg.length && jpeg[at] === 0xff) {
    const marker = jpeg[at + 1] as number;
    if (marker === 0xda) break;
    const length = jpeg.readUInt16BE(at + 2);
    found.push({ marker, at: at + 4, content: jpeg.subarray(at + 4, at + 2 + length) });
    at += 2 + length;
  }
  return found;
}

/** Values of an IFD: numbers, or offsets of longer data. */
function directoryAt(
  tiff: Buffer,
  at: number,
): { readonly values: ReadonlyMap<number, number>; readonly next: number } {
  const count = tiff.readUInt16LE(at);
  const values = new Map<number, number>();
  for (let entry = at + 2; entry < at + 2 + 12 * count; entry += 12)
    values.set(tiff.readUInt16LE(entry), tiff.readUInt32LE(entry + 8));
  return { values, next: tiff.readUInt32LE(at + 2 + 12 * count) };
}

/**
 * Returns both JPEGs of a multi-picture file, located like a reader does: by the index in the first one.
 * @throws {EngineError} if the index does not match the file
 */
export function readMultiPicture(bytes: Buffer): readonly [left: Buffer, right: Buffer] {
  const mark = formatSegment(bytes);
  const index = directoryAt(mark.tiff, mark.tiff.readUInt32LE(4));
  if (index.values.get(0xb001) !== 2) fail('its index does not hold two pictures');
  const own = directoryAt(mark.tiff, index.next);
  const entries = index.values.get(0xb002) ?? fail('its index has no entries');
  const cut = (entry: number, base: number) => {
    const size = mark.tiff.readUInt32LE(entries + 16 * entry + 4);
    const offset = mark.tiff.readUInt32LE(entries + 16 * entry + 8);
    if ((mark.tiff.readUInt32LE(entries + 16 * entry) & 0xffffff) !== 0x020002) fail('its pictures are no pair');
    return bytes.subarray(base + offset, base + offset + size);
  };
  // The first offset is 0 by definition; the others are relative to the byte-order mark of the first index.
  const left = cut(0, 0);
  const right = cut(1, mark.at);
  if (left.length + right.length !== bytes.length) fail('its pictures do not fill the file');
  const second = formatSegment(right);
  const other = directoryAt(second.tiff, second.tiff.readUInt32LE(4));
  if (own.values.get(0xb101) !== 1 || other.values.get(0xb101) !== 2) fail('its pictures are not numbered 1 and 2');
  return [left, right];
}

function formatSegment(jpeg: Buffer): { readonly tiff: Buffer; readonly at: number } {
  const found = segmentsOf(jpeg).find(
    ({ marker, content }) => marker === 0xe2 && latin.decode(content.subarray(0, 4)) === 'MPF\0',
  );
  if (!found) fail('a picture of it has no multi-picture segment');
  return { tiff: found.content.subarray(4), at: found.at + 4 };
}

/** Verifies the descriptor of a side-by-side stereo JPEG. */
export function verifyStereoDescriptor(bytes: Buffer, leftFirst: boolean): void {
  const content = segmentsOf(bytes).find(({ marker }) => marker === 0xe3)?.content;
  if (!content || latin.decode(content.subarray(0, 8)) !== '_JPSJPS_') fail('it has no stereo descriptor');
  const [, flags, layout, type] = content.subarray(10, 14);
  if (flags !== (leftFirst ? 4 : 0) || layout !== 2 || type !== 1) fail('its stereo descriptor says something else');
}

import { APP2, hasText, segmentsOf } from '../../formats/jpeg.ts';

/** A picture of a multi-picture file (CIPA DC-007). */
export interface MpfPicture {
  /** MP type code, e.g. `DISPARITY`. */
  readonly type: number;
  /** The complete JPEG. */
  readonly bytes: Uint8Array;
}

/** One of several views of the same scene, for stereo. */
export const DISPARITY = 0x020002;
const SIGNATURE = 'MPF\0';
const MP_ENTRY = 0xb002;
const ENTRY_BYTES = 16;
const MAX_PICTURES = 32;

/** Returns the pictures listed in the index of a multi-picture file, in index order; empty for any other JPEG. */
export function mpfPictures(bytes: Uint8Array): MpfPicture[] {
  const segment = segmentsOf(bytes).find(({ marker, start }) => marker === APP2 && hasText(bytes, start, SIGNATURE));
  if (!segment) return [];
  // All offsets, including those of pictures, are relative to the byte-order mark.
  const base = segment.start + SIGNATURE.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset + base, bytes.length - base);
  const limit = segment.end - base;
  const little = hasText(bytes, base, 'II');
  if (!little && !hasText(bytes, base, 'MM')) return [];
  const directory = limit >= 8 ? view.getUint32(4, little) : limit;
  const count = directory + 2 <= limit ? view.getUint16(directory, little) : 0;
  for (let i = 0; i < count && directory + 2 + (i + 1) * 12 <= limit; i++) {
    const field = directory + 2 + i * 12;
    if (view.getUint16(field, little) !== MP_ENTRY) continue;
    const length = view.getUint32(field + 4, little);
    const entries = view.getUint32(field + 8, little);
    if (entries + length > limit) return [];
    return readEntries(bytes, base, view, little, entries, Math.min(MAX_PICTURES, Math.floor(length / ENTRY_BYTES)));
  }
  return [];
}

function readEntries(
  bytes: Uint8Array,
  base: number,
  view: DataView,
  little: boolean,
  entries: number,
  count: number,
): MpfPicture[] {
  return Array.from({ length: count }, (_, i) => {
    const at = entries + i * ENTRY_BYTES;
    const size = view.getUint32(at + 4, little);
    // The first picture starts the file: its offset is 0 by definition.
    const start = i === 0 ? 0 : base + view.getUint32(at + 8, little);
    return { type: view.getUint32(at, little) & 0xffffff, bytes: bytes.subarray(start, start + size) };
  });
}

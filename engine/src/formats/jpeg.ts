/** A marker segment of a JPEG file. `start` … `end` are the file offsets of its body, without marker and length. */
export interface Segment {
  readonly marker: number;
  readonly start: number;
  readonly end: number;
}

export const APP1 = 0xe1;
export const APP2 = 0xe2;
export const APP3 = 0xe3;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** Limit on segments, above what any camera writes; a file of tiny segments only must not cost time. */
const MAX_SEGMENTS = 4096;

/** Returns the segments before the pixel data of the JPEG that starts at `from`, up to the first invalid one. */
export function segmentsOf(bytes: Uint8Array, from = 0): Segment[] {
  const segments: Segment[] = [];
  if (bytes[from] !== 0xff || bytes[from + 1] !== 0xd8) return segments;
  let at = from + 2;
  while (at + 4 <= bytes.length && segments.length < MAX_SEGMENTS) {
    if (bytes[at] !== 0xff) break;
    const marker = bytes[at + 1] as number;
    // A marker may be preceded by any number of 0xff fill bytes.
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
    const end = at + 2 + length;
    if (marker < 0xc0 || marker === END_OF_IMAGE || length < 2 || end > bytes.length) break;
    segments.push({ marker, start: at + 4, end });
    if (marker === START_OF_SCAN) break;
    at = end;
  }
  return segments;
}

/** Returns the offset after the end of the JPEG that starts at `from`, or null when it has no end marker. */
export function endOfJpeg(bytes: Uint8Array, from = 0): number | null {
  const last = segmentsOf(bytes, from).at(-1);
  if (last?.marker !== START_OF_SCAN) return null;
  // In entropy-coded data 0xff is followed by 0 or a restart marker. Tables between scans are skipped, because they may
  // contain the bytes of an end marker.
  for (let at = bytes.indexOf(0xff, last.end); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] as number;
    if (marker === END_OF_IMAGE) return at + 2;
    const isTable = marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd7);
    if (isTable && at + 3 < bytes.length) at += 1 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number));
  }
  return null;
}

/** Returns whether the bytes at `start` are this ASCII text. */
export function hasText(bytes: Uint8Array, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** A marker segment of a JPEG file, by offsets into the file; `start` … `end` is its body without marker and length. */
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
/** No camera writes as many; a file of nothing but tiny segments must not cost time. */
const MAX_SEGMENTS = 4096;

/** The segments before the pixels of the JPEG that begins at `from`; as far as they make sense. */
export function segmentsOf(bytes: Uint8Array, from = 0): Segment[] {
  const segments: Segment[] = [];
  if (bytes[from] !== 0xff || bytes[from + 1] !== 0xd8) return segments;
  let at = from + 2;
  while (at + 4 <= bytes.length && segments.length < MAX_SEGMENTS) {
    if (bytes[at] !== 0xff) break;
    const marker = bytes[at + 1] as number;
    // Any number of 0xff may fill the space before a marker.
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

/** Offset of the first byte after the JPEG that begins at `from`, or null when it does not end. */
export function endOfJpeg(bytes: Uint8Array, from = 0): number | null {
  const last = segmentsOf(bytes, from).at(-1);
  if (last?.marker !== START_OF_SCAN) return null;
  // Within pixels 0xff is followed by 0 or by a restart marker; tables between scans hold no end marker unnoticed.
  for (let at = bytes.indexOf(0xff, last.end); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] as number;
    if (marker === END_OF_IMAGE) return at + 2;
    const isTable = marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd7);
    if (isTable && at + 3 < bytes.length) at += 1 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number));
  }
  return null;
}

/** True when the bytes at `start` are this ASCII text. */
export function hasText(bytes: Uint8Array, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

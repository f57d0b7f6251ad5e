/** A marker segment of a JPEG file. `start` … `end` are the file offsets of its body, without marker and length. */
export interface Segment {
  readonly marker: number;
  readonly start: number;
  readonly end: number;
}

export const APP1 = 0xe1;
export const APP2 = 0xe2;
export const APP3 = 0xe3;
/** Markers without a body, besides the restart markers. */
const TEMPORARY = 0x01;
const START_OF_IMAGE = 0xd8;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
/** Limit on segments, above what any camera writes; a file of tiny segments only must not cost time. */
const MAX_SEGMENTS = 4096;

/**
 * Returns the segments before the pixel data of the JPEG that starts at `from`, up to the first invalid one. Like
 * libjpeg, skips garbage between them.
 */
export function segmentsOf(bytes: Uint8Array, from = 0): Segment[] {
  const segments: Segment[] = [];
  if (bytes[from] !== 0xff || bytes[from + 1] !== 0xd8) return segments;
  let at = from + 2;
  while (at + 4 <= bytes.length && segments.length < MAX_SEGMENTS) {
    if (bytes[at] !== 0xff) {
      at = bytes.indexOf(0xff, at);
      if (at < 0) break;
      continue;
    }
    const marker = bytes[at + 1] as number;
    // A marker may be preceded by any number of 0xff fill bytes; 0 after 0xff is no marker.
    if (marker === 0xff || marker === 0) {
      at++;
      continue;
    }
    if (marker === TEMPORARY || isRestart(marker)) {
      at += 2;
      continue;
    }
    const length = ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
    const end = at + 2 + Math.max(2, length);
    if (marker < 0xc0 || marker === START_OF_IMAGE || marker === END_OF_IMAGE || end > bytes.length) break;
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
    const isTable = marker >= 0xc0 && marker < 0xff && !isRestart(marker);
    if (isTable && at + 3 < bytes.length) at += 1 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number));
  }
  return null;
}

/**
 * Returns the file with an end marker. Where it is missing, libjpeg could not tell a file whose pixels are complete from
 * a truncated one.
 */
export function withEnd(bytes: Uint8Array): Uint8Array {
  if (bytes.at(-2) === 0xff && bytes.at(-1) === END_OF_IMAGE) return bytes;
  const ended = new Uint8Array(bytes.length + 2);
  ended.set(bytes);
  ended.set([0xff, END_OF_IMAGE], bytes.length);
  return ended;
}

const START_OF_PROGRESSIVE_FRAME = 0xc2;
const COEFFICIENTS = 64;

/**
 * Returns whether the scans of a JPEG without an end marker hold every bit of every component: a file cut between two
 * scans decodes without a warning, but blurred or without colour. True for a file with an end marker.
 */
export function hasFinalScans(bytes: Uint8Array): boolean {
  if (endOfJpeg(bytes) !== null) return true;
  const frame = segmentsOf(bytes).find(({ marker }) => marker >= 0xc0 && marker <= START_OF_PROGRESSIVE_FRAME);
  const firstScan = segmentsOf(bytes).at(-1);
  if (!frame || firstScan?.marker !== START_OF_SCAN) return true;
  const progressive = frame.marker === START_OF_PROGRESSIVE_FRAME;
  /** Per component and coefficient, the lowest bit that has come. */
  const missing = new Map<number, Uint8Array>();
  const components = bytes[frame.start + 5] ?? 0;
  for (let i = 0; i < components; i++)
    missing.set(bytes[frame.start + 6 + 3 * i] as number, new Uint8Array(COEFFICIENTS).fill(1));
  let scan: number = firstScan.start;
  while (scan > 0) {
    const count = bytes[scan] as number;
    const [first, last, bits] = [0, 1, 2].map((i) => bytes[scan + 1 + 2 * count + i] as number) as [
      number,
      number,
      number,
    ];
    for (let i = 0; i < count; i++)
      missing
        .get(bytes[scan + 1 + 2 * i] as number)
        ?.fill(progressive ? bits & 15 : 0, progressive ? first : 0, progressive ? last + 1 : COEFFICIENTS);
    scan = nextScan(bytes, scan);
  }
  return [...missing.values()].every((lowest) => lowest.every((bit) => bit === 0));
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Returns the offset of the body of the next scan header, or 0. */
function nextScan(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 4 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] as number;
    if (marker === START_OF_SCAN) return at + 4;
    const isTable = marker >= 0xc0 && marker < 0xff && !isRestart(marker);
    if (isTable) at += 1 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number));
  }
  return 0;
}

/** Returns whether the bytes at `start` are this ASCII text. */
export function hasText(bytes: Uint8Array, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}

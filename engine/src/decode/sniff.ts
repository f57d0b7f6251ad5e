import { isRawPhoto } from './tiff.ts';

/** File type by its first bytes. `heif` is a container: its codec is known only after its boxes are parsed. */
export type Container = 'jpeg' | 'png' | 'webp' | 'heif' | 'gif' | 'tiff';

/** Still-picture brands of the ISO base media file format (ISO/IEC 23008-12 and AV1 Image File Format). */
const HEIF_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1', 'miaf', 'avif', 'avis']);
const TIFF_LITTLE = [0x49, 0x49, 0x2a, 0x00];
const TIFF_BIG = [0x4d, 0x4d, 0x00, 0x2a];
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/**
 * Detects the picture type from the bytes, never from the name; null for anything else (text, SVG, camera raw, videos, …).
 */
export function sniffContainer(bytes: Uint8Array): Container | null {
  if (startsWith(bytes, 0, [0xff, 0xd8, 0xff])) return 'jpeg';
  if (startsWith(bytes, 0, PNG_SIGNATURE)) return 'png';
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP') return 'webp';
  if (/^GIF8[79]a$/.test(text(bytes, 0, 6))) return 'gif';
  if (startsWith(bytes, 0, TIFF_LITTLE) || startsWith(bytes, 0, TIFF_BIG)) return isRawPhoto(bytes) ? null : 'tiff';
  if (text(bytes, 4, 8) === 'ftyp' && brands(bytes).some((brand) => HEIF_BRANDS.has(brand))) return 'heif';
  return null;
}

const SEQUENCE_BRANDS = new Set(['avis', 'msf1', 'hevc', 'hevx']);

/** Returns whether a HEIF file is meant to be shown as an image sequence: its major brand says so. */
export function isSequence(bytes: Uint8Array): boolean {
  return SEQUENCE_BRANDS.has(text(bytes, 8, 12));
}

/**
 * Returns the major and compatible brands of an `ftyp` box at the start of a file. Videos have this box too, with other
 * brands.
 */
function brands(bytes: Uint8Array): string[] {
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const found = [text(bytes, 8, 12)];
  for (let at = 16; at + 4 <= Math.min(size, bytes.length, 1024); at += 4) found.push(text(bytes, at, at + 4));
  return found;
}

function startsWith(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, i) => bytes[at + i] === byte);
}

function text(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}

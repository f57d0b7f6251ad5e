import { LIMITS } from '@framelift/contract/limits';

/** Chunks that hold pixels; an animation's frames are `ANMF`. */
const PIXELS = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANMF']);
const FILE_HEADER = 12;
const CHUNK_HEADER = 8;

/**
 * Fills a truncated WebP with zeros up to the length that its header states: libwebp rejects a short file, but decodes
 * the rows before the padding. A false length is not followed beyond the largest upload.
 */
export function padWebp(bytes: Uint8Array): { readonly file: Uint8Array; readonly incomplete: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stated = bytes.length >= FILE_HEADER ? view.getUint32(4, true) + CHUNK_HEADER : 0;
  if (stated <= bytes.length || stated > LIMITS.uploadBytes) return { file: bytes, incomplete: false };
  const file = new Uint8Array(stated);
  file.set(bytes);
  let at = FILE_HEADER;
  let last = '';
  while (at + CHUNK_HEADER <= bytes.length) {
    last = String.fromCharCode(...bytes.subarray(at, at + 4));
    const end = at + CHUNK_HEADER + view.getUint32(at + 4, true);
    if (end > bytes.length) return { file, incomplete: PIXELS.has(last) };
    // Chunks have even lengths.
    at = end + (end & 1);
  }
  return { file, incomplete: false };
}

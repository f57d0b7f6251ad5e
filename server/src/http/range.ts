import type { ByteRange } from '../platform/storage/storage.ts';

/**
 * The one range asked for by a Range header (RFC 9110, 14.2), clipped to a file of `size` bytes. Null means the whole
 * file: no header, several ranges, or nothing that can be understood, all of which a server may answer in full.
 * 'unsatisfiable' means that the range begins behind the end.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end };
}

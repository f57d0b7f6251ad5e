import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../platform/storage/storage.ts';

export interface SentFile {
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Changes with the content; used as a strong ETag. */
  readonly version: string;
  read(range?: ByteRange): Promise<Readable>;
}

/**
 * Sends a file or the requested range of it; only headers for HEAD, and nothing if the caller has this version. A range
 * of another version than the one in If-Range is answered with the whole file, so that nobody joins parts of two files.
 */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): Promise<FastifyReply> {
  const { type, size } = file;
  const etag = `"${file.version}"`;
  const { 'if-none-match': known, 'if-range': valid, range: asked } = request.headers;
  reply.headers({ etag, 'accept-ranges': 'bytes' });
  if (known?.includes(etag)) return reply.code(304).send();
  // No date is sent, so a date in If-Range never matches; a weak ETag must not.
  const range = valid === undefined || valid === etag ? parseRange(asked, size) : null;
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
  const stream = request.method === 'HEAD' ? undefined : await file.read(range ?? undefined);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  reply.headers({ 'content-type': type, 'content-length': range ? range.end - range.start + 1 : size });
  return reply.send(stream);
}

/**
 * Parses a Range header (RFC 9110, 14.2) for a file of `size` bytes. Returns null without a header and for several or
 * invalid ranges, which permit sending the whole file; 'unsatisfiable' if the range begins after the end.
 */
function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
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

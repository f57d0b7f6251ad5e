import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../platform/storage/storage.ts';
import { parseRange } from './range.ts';

/**
 * Answers a file of this size, or the one range of it that was asked for, so that videos can be sought in. A HEAD gets the
 * headers alone.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: { readonly type: string; readonly size: number; read(range?: ByteRange): Promise<Readable> },
): Promise<FastifyReply> {
  const { type, size } = file;
  const range = parseRange(request.headers.range, size);
  reply.header('accept-ranges', 'bytes');
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
  const stream = request.method === 'HEAD' ? undefined : await file.read(range ?? undefined);
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  reply.headers({ 'content-type': type, 'content-length': range ? range.end - range.start + 1 : size });
  return reply.send(stream);
}

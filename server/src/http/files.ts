import { ApiError } from '@framelift/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentDisposition } from '../platform/storage/content-disposition.ts';
import { type DiskStorage, isDiskStorage } from '../platform/storage/disk.ts';
import { FILES_PATH } from '../platform/storage/links.ts';
import { isObjectKey, type Storage } from '../platform/storage/storage.ts';
import { drainRequest } from './drain-request.ts';
import { sendFile } from './send-file.ts';

export interface FileRules {
  /** Returns whether an upload under a key is still pending, so that a link ends with its upload. */
  isExpected(key: string): Promise<boolean>;
  /** Returns whether an object is a file of a media that is not deleted, so that a link ends with it. */
  isShown(key: string, mediaId: string): Promise<boolean>;
  /** Returns whether an object is a file of a media that a frame plays, so that a link ends with its item. */
  isPlayed(key: string, mediaId: string, frameId: string): Promise<boolean>;
}

/**
 * Serves the links of the store. They need no session: the signature grants access. Uploads to a bucket never come here,
 * and downloads from it are redirected.
 */
export function mountFiles(app: FastifyInstance, storage: Storage, { isExpected, isShown, isPlayed }: FileRules): void {
  app.register(async (scope) => {
    // Uploads are streamed, without any parser or buffer.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    if (isDiskStorage(storage)) scope.put(`${FILES_PATH}*`, (request, reply) => receive(storage, request, reply));

    async function receive(storage: DiskStorage, request: FastifyRequest, reply: FastifyReply) {
      const body = request.raw;
      try {
        const { key, query } = target(request, 'uploadLinkInvalid');
        const claims = storage.links.readPut(key, query);
        if (request.headers['content-type'] !== claims.type)
          throw new ApiError('uploadTypeMismatch', [`content-type must be ${claims.type}`]);
        const announced = request.headers['content-length'];
        if (announced !== undefined && Number(announced) !== claims.size)
          throw new ApiError('uploadSizeMismatch', [`${announced} instead of the announced ${claims.size} bytes`]);
        if (!(await isExpected(key))) throw new ApiError('uploadLinkInvalid');
        await storage.receive(key, body, claims.size);
      } catch (error) {
        drainRequest(body);
        throw error;
      }
      return reply.code(204).send();
    }

    // Fastify's own HEAD route would open the file and send a length of 0.
    scope.route({
      method: ['GET', 'HEAD'],
      url: `${FILES_PATH}*`,
      exposeHeadRoute: false,
      handler: answerFile,
    });

    async function answerFile(request: FastifyRequest, reply: FastifyReply) {
      const { key, query } = target(request, 'linkInvalid');
      const claims = storage.links.readGet(key, query);
      const { mediaId, frameId } = claims;
      const isOpen = frameId === undefined ? await isShown(key, mediaId) : await isPlayed(key, mediaId, frameId);
      if (!isOpen) throw new ApiError('mediaNotFound');
      // A link of a bucket is signed for one method. The page of a frame may read no other origin.
      const isDirect = request.method === 'GET' && frameId === undefined;
      const direct = isDirect ? await storage.directGet(key, claims) : null;
      if (direct !== null) return reply.header('cache-control', 'no-store').redirect(direct, 302);
      const info = await storage.head(key);
      if (!info) throw new ApiError('mediaNotFound');
      reply.headers({
        'cache-control': 'private, no-store',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'content-disposition': contentDisposition(claims.name, claims.inline),
      });
      return sendFile(request, reply, {
        type: claims.type,
        size: info.size,
        // The key of a result or original ends with the hash of its content.
        version: key.slice(key.lastIndexOf('/') + 1),
        async read(range) {
          const stream = await storage.openRead(key, range);
          if (stream === null) throw new ApiError('mediaNotFound');
          return stream;
        },
      });
    }
  });
}

function target(request: FastifyRequest, invalid: 'uploadLinkInvalid' | 'linkInvalid') {
  const { pathname, searchParams } = new URL(request.url, 'http://files.invalid');
  const key = pathname.slice(FILES_PATH.length);
  if (!isObjectKey(key)) throw new ApiError(invalid);
  return { key, query: searchParams };
}

import { ApiError, LIMITS } from '@framelift/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contentDisposition } from '../storage/content-disposition.ts';
import type { DiskStorage } from '../storage/disk.ts';
import { FILES_PATH } from '../storage/links.ts';
import { isObjectKey } from '../storage/storage.ts';
import { parseRange } from './range.ts';

const UPLOAD_TIMEOUT_MS = LIMITS.uploadTimeoutMinutes * 60_000;
/** How long the rest of a refused upload is read and thrown away. */
const LINGER_MS = 20_000;

/**
 * The links of the disk store. They need no session: the signature is the permission. `isExpected` tells whether an
 * upload under this key is still waited for, which makes upload links single-use once their upload is finished.
 */
export function mountFiles(
  app: FastifyInstance,
  storage: DiskStorage,
  isExpected: (key: string) => Promise<boolean>,
): void {
  app.register(async (scope) => {
    // The body is a stream of bytes of any type; nothing may parse or buffer it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));

    scope.put(`${FILES_PATH}*`, async (request, reply) => {
      const body = request.raw;
      try {
        const { key, query } = target(request, 'uploadLinkInvalid');
        const terms = storage.links.readPut(key, query);
        if (request.headers['content-type'] !== terms.type)
          throw new ApiError('uploadTypeMismatch', [`content-type must be ${terms.type}`]);
        const announced = request.headers['content-length'];
        if (announced !== undefined && Number(announced) !== terms.size)
          throw new ApiError('uploadSizeMismatch', [`${announced} instead of the announced ${terms.size} bytes`]);
        if (!(await isExpected(key))) throw new ApiError('uploadLinkInvalid');
        await storage.receive(key, body, terms.size, AbortSignal.timeout(UPLOAD_TIMEOUT_MS));
      } catch (error) {
        // Many senders read the answer only after they have sent everything, and a connection closed on unread bytes
        // loses the answer.
        body.resume();
        const timer = setTimeout(() => body.destroy(), LINGER_MS);
        body.once('close', () => clearTimeout(timer));
        throw error;
      }
      return reply.code(204).send();
    });

    // A route of its own for HEAD: Fastify's would open the file and call its length 0.
    scope.route({
      method: ['GET', 'HEAD'],
      url: `${FILES_PATH}*`,
      exposeHeadRoute: false,
      handler: answerFile,
    });

    async function answerFile(request: FastifyRequest, reply: FastifyReply) {
      const { key, query } = target(request, 'linkInvalid');
      const terms = storage.links.readGet(key, query);
      const info = await storage.head(key);
      if (!info) throw new ApiError('notFound');
      const range = parseRange(request.headers.range, info.size);
      const common = {
        'accept-ranges': 'bytes',
        'cache-control': 'private, no-store',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      };
      if (range === 'unsatisfiable')
        return reply
          .code(416)
          .headers({ ...common, 'content-range': `bytes */${info.size}` })
          .send();
      const stream = request.method === 'HEAD' ? undefined : await storage.openRead(key, range ?? undefined);
      if (stream === null) throw new ApiError('notFound');
      if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${info.size}`);
      reply.headers({
        ...common,
        'content-type': terms.type,
        'content-disposition': contentDisposition(terms.name, terms.inline),
        'content-length': range ? range.end - range.start + 1 : info.size,
      });
      return reply.send(stream);
    }
  });
}

function target(request: FastifyRequest, invalid: 'uploadLinkInvalid' | 'linkInvalid') {
  const { pathname, searchParams } = new URL(request.url, 'http://files.invalid');
  const key = pathname.slice(FILES_PATH.length);
  if (!isObjectKey(key)) throw new ApiError(invalid);
  return { key, query: searchParams };
}

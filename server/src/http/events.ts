import { PassThrough } from 'node:stream';
import { ApiError, MEDIA_STATUS, type MediaDetail } from '@framelift/contract';
import type { FastifyInstance } from 'fastify';
import { getMedia } from '../domain/media/media.ts';
import { isStillSignedIn } from '../domain/user/session.ts';
import type { Handlers } from './endpoint.ts';

/** Interval of keep-alive comments: proxies and browsers close a silent connection after 30 s or more. */
const HEARTBEAT_MS = 15_000;
/** Maximum per user and process. A page without a stream polls. */
const MAX_STREAMS = 30;

/** Streams the state of a media: immediately, then after every change until it is no longer processing. */
export function eventHandlers(app: FastifyInstance): Pick<Handlers, 'mediaEvents'> {
  /** Open streams and their users. */
  const open = new Map<PassThrough, string | null>();
  app.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.end();
  });

  return {
    mediaEvents: async ({ context, actor, params, reply }) => {
      const { id } = params;
      const read = () => getMedia(context, actor, { id });
      const first = await read();
      const own = [...open.values()].filter((userId) => userId === actor.userId);
      if (own.length >= MAX_STREAMS) throw new ApiError('tooManyRequests');
      const stream = new PassThrough();
      open.set(stream, actor.userId);

      let sent = '';
      const send = (media: MediaDetail): void => {
        const data = JSON.stringify(media);
        if (data !== sent && stream.writable) stream.write(`event: media\ndata: ${data}\n\n`);
        sent = data;
        if (media.status !== MEDIA_STATUS.processing) stream.end();
      };
      // Sequential reads, so that an older state never follows a newer one.
      let reading = Promise.resolve();
      const tell = (): void => {
        reading = reading.then(async () => {
          if (!stream.writable) return;
          // Ends if the caller was logged out or restricted meanwhile.
          if (await isStillSignedIn(context, actor)) send(await read());
          else stream.end();
        });
        // Deleted or expired meanwhile.
        reading = reading.catch(() => void stream.end());
      };
      const unwatch = context.changes.watch(id, tell);
      const heartbeat = setInterval(() => stream.writable && stream.write(':\n\n'), HEARTBEAT_MS);
      stream.once('close', () => {
        clearInterval(heartbeat);
        unwatch();
        open.delete(stream);
      });

      send(first);
      // Covers changes between the first read and the start of the watch.
      tell();
      return reply
        .headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
          // Prevents nginx from buffering events.
          'x-accel-buffering': 'no',
        })
        .send(stream);
    },
  };
}

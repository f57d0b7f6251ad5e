import { PassThrough } from 'node:stream';
import { ApiError, MEDIA_STATUS, type MediaDetail } from '@framelift/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { asFrame, signedIn } from '../actor.ts';
import type { Context } from '../context.ts';
import { frameState } from '../domain/frame/playlist.ts';
import { startPreparation } from '../domain/frame/prepare.ts';
import { getMedia } from '../domain/media/media.ts';
import { notificationsVersion } from '../domain/notification/notifications.ts';
import { isStillSignedIn } from '../domain/user/session.ts';
import { fingerprints } from '../fingerprints.ts';
import type { Handlers } from './endpoint.ts';

/** Interval of keep-alive comments: proxies and browsers close a silent connection after 30 s or more. */
const HEARTBEAT_MS = 15_000;
/** Maximum per user and process. A page without a stream polls. */
const MAX_STREAMS = 30;
/** Maximum per frame and process; a further one ends the oldest, which is mostly one that broke unnoticed. */
const MAX_FRAME_STREAMS = 3;

interface Watch {
  /** Id of the row that is watched. */
  readonly id: string;
  /** Whose stream it is. */
  readonly whose: string | null;
  /** Called at once and after every change, one call at a time, so that an older state never follows a newer one. */
  tell(context: Context, stream: EventWriter): Promise<void>;
  /** Called after each `tell`, outside of its transaction, with the fingerprint of what was read. */
  told?(fingerprint: string | undefined): Promise<void>;
}

interface EventWriter {
  /** Sends an event, unless it equals the last one. */
  send(event: string, data: string): void;
  end(): void;
}

/**
 * Streams of changes: of a media until it is no longer processing, of a member's notifications, and of the playlist of a
 * frame until it is unpaired.
 */
export function eventHandlers(
  app: FastifyInstance,
): Pick<Handlers, 'mediaEvents' | 'notificationEvents' | 'frameEvents'> {
  /** Open streams and whose they are, oldest first. */
  const open = new Map<PassThrough, string | null>();
  const streamsOf = (whose: string | null) =>
    [...open].filter(([, owner]) => owner === whose).map(([stream]) => stream);
  app.addHook('preClose', async () => {
    for (const stream of open.keys()) stream.end();
  });

  function start(context: Context, reply: FastifyReply, { id, whose, tell, told }: Watch): FastifyReply {
    const stream = new PassThrough();
    open.set(stream, whose);
    let sent = '';
    const writer: EventWriter = {
      send(event, data) {
        const text = `event: ${event}\ndata: ${data}\n\n`;
        if (text !== sent && stream.writable) stream.write(text);
        sent = text;
      },
      end: () => stream.end(),
    };
    /** In one snapshot: a frame is there or unpaired, not gone in the middle, and the fingerprint is that of what is sent. */
    const look = async () => {
      if (!stream.writable) return undefined;
      try {
        const fingerprint = await context.db.transaction(
          async (db) => {
            await tell({ ...context, db }, writer);
            return (await fingerprints(db, [id], context.clock.now())).get(id);
          },
          { isolationLevel: 'repeatable read', accessMode: 'read only' },
        );
        await told?.(fingerprint);
        return fingerprint;
      } catch {
        // Deleted or expired meanwhile.
        stream.end();
        return undefined;
      }
    };
    const unwatch = context.changes.watch(id, look);
    const heartbeat = setInterval(() => stream.writable && stream.write(':\n\n'), HEARTBEAT_MS);
    stream.once('close', () => {
      clearInterval(heartbeat);
      unwatch();
      open.delete(stream);
    });
    return reply
      .headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // Prevents nginx from buffering events.
        'x-accel-buffering': 'no',
      })
      .send(stream);
  }

  return {
    mediaEvents: async ({ context, actor, params, reply }) => {
      const { id } = params;
      const send = (stream: EventWriter, media: MediaDetail): void => {
        stream.send('media', JSON.stringify(media));
        if (media.status !== MEDIA_STATUS.processing) stream.end();
      };
      await getMedia(context, actor, { id });
      if (streamsOf(actor.userId).length >= MAX_STREAMS) throw new ApiError('tooManyRequests');
      return start(context, reply, {
        id,
        whose: actor.userId,
        async tell(now, stream) {
          // Ends if the caller was logged out or restricted meanwhile.
          if (await isStillSignedIn(now, actor)) send(stream, await getMedia(now, actor, { id }));
          else stream.end();
        },
      });
    },
    notificationEvents: async ({ context, actor, reply }) => {
      const { userId } = signedIn(actor);
      if (streamsOf(userId).length >= MAX_STREAMS) throw new ApiError('tooManyRequests');
      return start(context, reply, {
        id: userId,
        whose: userId,
        async tell(now, stream) {
          if (!(await isStillSignedIn(now, actor))) return stream.end();
          stream.send('notifications', JSON.stringify({ version: await notificationsVersion(now, actor) }));
        },
      });
    },
    frameEvents: async ({ context, actor, reply }) => {
      const { id } = asFrame(actor);
      for (const stream of streamsOf(id).slice(0, 1 - MAX_FRAME_STREAMS)) stream.end();
      let isIncomplete = false;
      let asked: string | undefined;
      return start(context, reply, {
        id,
        whose: id,
        async tell(now, stream) {
          const state = await frameState(now, id);
          isIncomplete = state.isIncomplete;
          if (state.version !== null) return stream.send('playlist', JSON.stringify({ version: state.version }));
          if (state.isUnpaired) stream.send('unpaired', '{}');
          stream.end();
        },
        async told(fingerprint) {
          // A picture whose conversion has ended needs its files now, and leaves the version as it was until it has them.
          // Once for each state: what cannot be started changes nothing.
          if (!isIncomplete || fingerprint === asked) return;
          await startPreparation(context, id);
          asked = fingerprint;
        },
      });
    },
  };
}

import type { Context } from './context.ts';
import { accountHandlers } from './domain/account/account.handlers.ts';
import { albumHandlers } from './domain/album/album.handlers.ts';
import { frameHandlers } from './domain/frame/frame.handlers.ts';
import { mediaHandlers } from './domain/media/media.handlers.ts';
import type { Handler } from './platform/jobs/job.ts';
import { mailHandlers } from './platform/mail/mail.handlers.ts';

/**
 * Every kind of job that there is.
 * @param converters conversions of pictures at one time in this process
 * @param videos conversions of videos at one time in this process
 */
export function createHandlers(converters: number, videos: number): readonly Handler<Context>[] {
  return [
    ...mailHandlers,
    ...accountHandlers,
    ...albumHandlers,
    ...frameHandlers,
    ...mediaHandlers(converters, videos),
  ];
}

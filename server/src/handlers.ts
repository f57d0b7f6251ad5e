import type { Context } from './context.ts';
import { accountHandlers } from './domain/account/account.handlers.ts';
import { mediaHandlers } from './domain/media/media.handlers.ts';
import type { Handler } from './jobs/job.ts';
import { mailHandlers } from './mail/mail.handlers.ts';

/**
 * Every kind of job that there is.
 * @param converters conversions at one time in this process
 */
export function createHandlers(converters: number): readonly Handler<Context>[] {
  return [...mailHandlers, ...accountHandlers, ...mediaHandlers(converters)];
}

import type { Context } from './context.ts';
import { accountHandlers } from './domain/account/account.handlers.ts';
import type { Handler } from './jobs/job.ts';
import { mailHandlers } from './mail/mail.handlers.ts';

/** Every kind of job that there is. */
export const handlers: readonly Handler<Context>[] = [...mailHandlers, ...accountHandlers];

import { languageCode } from '@framelift/contract';
import { z } from 'zod';
import { defineJob } from '../../platform/jobs/job.ts';

export const resendConfirmation = defineJob(
  'account.resendConfirmation',
  z.object({ email: z.string(), language: languageCode }),
);

export const mailReset = defineJob('account.mailReset', z.object({ email: z.string(), language: languageCode }));

/** Removes accounts whose grace is over. */
export const removeAccounts = defineJob('account.remove', z.object({}), { every: 3600 });

/** Once a day: sessions, codes and mails that nobody needs any more. */
export const tidyAccounts = defineJob('account.tidy', z.object({}), { every: 86_400 });

import type { Language } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { handle } from '../../platform/jobs/job.ts';
import { forgetOldMails } from '../../platform/mail/send-email.ts';
import { forgetReasons } from '../admin/audit-log.ts';
import { deleteExpired } from '../user/user.sql.ts';
import { mailReset, removeAccounts, resendConfirmation, tidyAccounts } from './account.jobs.ts';
import { resend } from './confirmation.ts';
import { removeDeleted } from './removal.ts';
import { sendReset } from './reset.ts';

const DAY_MS = 86_400_000;
/** How long the link of a mail still says something better than "unknown", and how long mails are counted. */
const KEPT_DAYS = 30;

export const accountHandlers = [
  handle<Context, { email: string; language: Language }>(resendConfirmation, { run: resend }),
  handle<Context, { email: string; language: Language }>(mailReset, { run: sendReset }),
  handle<Context, object>(removeAccounts, { run: removeDeleted }),
  handle<Context, object>(tidyAccounts, {
    async run(context) {
      const now = context.clock.now();
      const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
      await deleteExpired(context.db, now, before);
      await forgetReasons(context);
      await forgetOldMails(context, before);
    },
  }),
];

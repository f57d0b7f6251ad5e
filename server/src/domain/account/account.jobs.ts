import type { Language } from '@framelift/contract';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { eraseAuditReasons } from '../../platform/audit.ts';
import { defineJob, handle } from '../../platform/jobs/job.ts';
import { deleteEmailsBefore } from '../../platform/mail/send-email.ts';
import { DAY_MS } from '../../platform/time.ts';
import { canSendMail, sendConfirmation, sendPasswordLink } from '../user/mail-code.ts';
import { deleteExpired, findMemberForUpdate } from '../user/user.sql.ts';
import { deleteRemovedAccounts } from './removal.ts';

/** How long old links report "expired" instead of "unknown", and how long emails are counted. */
const KEPT_DAYS = 30;

interface ToAddress {
  readonly email: string;
  readonly language: Language;
}
const toAddress = z.object({ email: z.string(), language: z.enum(['en', 'zh', 'ja']) });

/** Asynchronous part of `sendConfirmEmail`. */
export const resendConfirmation = defineJob('account.resendConfirmation', toAddress);

/** Asynchronous part of `forgetPassword`. */
export const mailReset = defineJob('account.mailReset', toAddress);

/** Deletes accounts whose grace period is over. */
export const removeAccounts = defineJob('account.remove', z.object({}), { every: 3600 });

/** Deletes sessions, codes and emails that are no longer needed. */
export const cleanUpAccounts = defineJob('account.cleanUp', z.object({}), { every: 86_400 });

export const accountJobs = [
  handle<Context, ToAddress>(resendConfirmation, {
    run: (context, { email, language }) =>
      context.db.transaction(async (tx) => {
        const row = await findMemberForUpdate(tx, email);
        if (row?.email && !row.confirmedAt) await sendConfirmation(context, tx, { ...row, email: row.email }, language);
      }),
  }),
  handle<Context, ToAddress>(mailReset, {
    // An unconfirmed member gets the email too: its link also proves access to the mailbox.
    run: (context, { email, language }) =>
      context.db.transaction(async (tx) => {
        const row = await findMemberForUpdate(tx, email);
        if (row?.email && (await canSendMail(context, tx, row.email)))
          await sendPasswordLink(context, tx, row, 'resetPassword', language);
      }),
  }),
  handle<Context, object>(removeAccounts, { run: deleteRemovedAccounts }),
  handle<Context, object>(cleanUpAccounts, {
    async run(context) {
      const { db, clock } = context;
      const now = clock.now();
      const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
      await deleteExpired(db, now, before);
      await eraseAuditReasons(db);
      await deleteEmailsBefore(context, before);
    },
  }),
];

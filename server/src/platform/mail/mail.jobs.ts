import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, handle } from '../jobs/job.ts';
import { emailTemplate, renderEmail } from './email-templates.ts';
import { findMail, setMailFailed, setMailSent, setMailTried } from './mails.sql.ts';

/** Retried for about an hour, because a mail server may be down for a while. */
export const sendMail = defineJob('mail.send', z.object({ mailId: z.uuid() }), { attempts: 30, retryDelay: 120 });

export const mailJobs = [
  handle<Context, { mailId: string }>(sendMail, {
    concurrency: 2,
    /**
     * Sends one email. If a process dies between sending and recording, the email is sent again with the same
     * Message-ID: twice is better than never.
     */
    async run(context, { mailId }) {
      const row = await findMail(context.db, mailId);
      if (row?.state !== 'waiting' || !row.data) return;
      try {
        await context.mailer.send({
          id: row.id,
          to: row.toAddress,
          date: row.createdAt,
          ...renderEmail(emailTemplate.parse(row), row.language),
        });
      } catch (error) {
        await setMailTried(context.db, mailId, error instanceof Error ? error.message : String(error));
        throw error;
      }
      await setMailSent(context.db, mailId, context.clock.now());
    },
    async dead(context, { mailId }) {
      await setMailFailed(context.db, mailId);
      context.log.error({ mailId }, 'A mail could not be sent and was given up');
    },
  }),
];

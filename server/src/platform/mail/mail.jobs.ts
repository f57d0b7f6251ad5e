import { z } from 'zod';
import type { Context } from '../../context.ts';
import { defineJob, handle } from '../jobs/job.ts';
import { emailTemplate, renderEmail } from './email-templates.ts';
import { MailRefused } from './mailer.ts';
import { findMail, setMailFailed, setMailSent, setMailTried } from './mails.sql.ts';

/**
 * Retried for most of a day, as long as the links of an email are valid: after a minute at first, because many servers
 * only greet late, and hourly in the end, because one may be down for a while.
 */
export const sendMail = defineJob('mail.send', z.object({ mailId: z.uuid() }), {
  attempts: 24,
  retryDelay: 60,
  longestDelay: 3600,
});

export const mailJobs = [
  handle<Context, { mailId: string }>(sendMail, {
    concurrency: 2,
    /**
     * Sends one email. If a process dies between sending and recording, the email is sent again with the same
     * Message-ID: twice is better than never.
     */
    async run(context, { mailId }) {
      const { db, mailer, clock, log } = context;
      const row = await findMail(db, mailId);
      // Deleted with its account, possibly while it was being sent by a process that died.
      if (!row) return mailer.erase([mailId]);
      if (row.state !== 'waiting' || !row.data) return;
      try {
        await mailer.send({
          id: row.id,
          to: row.toAddress,
          date: row.createdAt,
          ...renderEmail(emailTemplate.parse(row), row.language),
        });
      } catch (error) {
        await setMailTried(db, mailId, error instanceof Error ? error.message : String(error));
        if (!(error instanceof MailRefused)) throw error;
        await setMailFailed(db, mailId);
        log.error({ err: error, mailId }, 'A mail was refused and is not sent again');
        return;
      }
      if (!(await setMailSent(db, mailId, clock.now()))) await mailer.erase([mailId]);
    },
    async dead(context, { mailId }) {
      await setMailFailed(context.db, mailId);
      context.log.error({ mailId }, 'A mail could not be sent and was given up');
    },
  }),
];

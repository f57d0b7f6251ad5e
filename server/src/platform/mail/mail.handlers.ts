import type { Context } from '../../context.ts';
import { handle } from '../jobs/job.ts';
import { letter, renderLetter } from './email-templates.ts';
import { sendMail } from './mail.jobs.ts';
import { findMail, setMailFailed, setMailSent, setMailTried } from './mails.sql.ts';

export const mailHandlers = [
  handle<Context, { mailId: string }>(sendMail, {
    concurrency: 2,
    /**
     * Sends one mail. A process that dies between sending and noting it sends the mail again: twice is better than
     * never, and the Message-ID is the same.
     */
    async run(context, { mailId }) {
      const row = await findMail(context.db, mailId);
      if (row?.state !== 'waiting' || !row.data) return;
      try {
        await context.mailer.send({
          id: row.id,
          to: row.toAddress,
          date: row.createdAt,
          ...renderLetter(letter.parse(row), row.language),
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

import type { Language } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../db/open.ts';
import type { Letter } from './email-templates.ts';
import { sendMail } from './mail.jobs.ts';
import { countMailsSince, deleteMailsBefore, deleteMailsTo, insertMail } from './mails.sql.ts';

interface Post {
  readonly to: string;
  readonly language: Language;
  readonly letter: Letter;
}

/** Addresses are counted in any case. */
const addressOf = (email: string) => email.toLowerCase();

/** Puts a mail and the job that sends it into the caller's transaction: it leaves when that commits, and only then. */
export async function postMail(context: Context, tx: Tx, post: Post): Promise<void> {
  const id = context.ids.uuid();
  await insertMail(tx, {
    id,
    toAddress: post.to,
    addressKey: addressOf(post.to),
    template: post.letter.template,
    language: post.language,
    data: { ...post.letter.data },
    createdAt: context.clock.now(),
  });
  await context.jobs.enqueue(tx, sendMail, { mailId: id });
}

/** Mails posted to one address since then, whether they have left or not. */
export function mailsSince(tx: Tx, address: string, since: Date): Promise<number> {
  return countMailsSince(tx, addressOf(address), since);
}

/** Whom we wrote to is nobody's business for ever. */
export function forgetOldMails(context: Context, before: Date): Promise<void> {
  return deleteMailsBefore(context.db, before);
}

/** All that is known of mails to an address; one that has not left yet does not leave. */
export function forgetMailsTo(tx: Tx, address: string): Promise<void> {
  return deleteMailsTo(tx, addressOf(address));
}

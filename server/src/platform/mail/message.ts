import { domainToASCII } from 'node:url';
import type Mail from 'nodemailer/lib/mailer/index.js';
import type { OutgoingMail } from './mailer.ts';

/** Returns the host of a sender's address in ASCII, as header fields and greetings need it. */
export function hostOf(from: string): string {
  const host = /@([^@\s<>]+)>?\s*$/.exec(from)?.[1] ?? '';
  return host.startsWith('[') ? host : domainToASCII(host);
}

/** Converts an email for nodemailer, for the outbox and for SMTP. */
export function toMessage(mail: OutgoingMail, from: string): Mail.Options {
  return {
    // Of a host of ours (RFC 5322, 3.6.4): filters of spam look at it.
    messageId: `<${mail.id}@${hostOf(from)}>`,
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.date,
    // Asks auto-responders not to reply.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

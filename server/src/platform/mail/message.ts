import type Mail from 'nodemailer/lib/mailer/index.js';
import type { OutgoingMail } from './mailer.ts';

/** Converts an email for nodemailer, for the outbox and for SMTP. */
export function toMessage(mail: OutgoingMail, from: string): Mail.Options {
  return {
    messageId: `<${mail.id}@framelift>`,
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

import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.ts';
import { toMessage } from './message.ts';

/**
 * Sends through a mail server. `url` is smtp://user:password@host:587 (STARTTLS where the server offers it;
 * `?requireTLS=true` insists) or smtps://…:465.
 */
export function createSmtp(url: string, from: string): Mailer {
  const transport = createTransport({ url, connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 });
  return {
    async send(mail) {
      await transport.sendMail(toMessage(mail, from));
    },
    async close() {
      transport.close();
    },
  };
}

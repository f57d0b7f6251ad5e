import { createTransport } from 'nodemailer';
import { type Mailer, MailRefused } from './mailer.ts';
import { hostOf, toMessage } from './message.ts';

/**
 * Sends through a mail server. `url` is smtp://user:password@host:587 (STARTTLS where the server offers it;
 * `?requireTLS=true` insists) or smtps://…:465.
 */
export function createSmtp(url: string, from: string): Mailer {
  const timeouts = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000 };
  // Without a name the greeting has that of the machine, which in a container is no name that anybody can look up.
  const transport = createTransport({ url, name: hostOf(from), ...timeouts });
  return {
    async send(mail) {
      try {
        await transport.sendMail(toMessage(mail, from));
      } catch (error) {
        throw isFinal(error) ? new MailRefused((error as Error).message, { cause: error }) : error;
      }
    },
    // An email that left this machine cannot be called back.
    async erase() {},
    async close() {
      transport.close();
    },
  };
}

/**
 * Returns whether the server refused this sender, recipient or content for good. A refused login or greeting concerns
 * every email, until the operator mends it.
 */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500 && responseCode < 600;
}

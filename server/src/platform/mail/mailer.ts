/** An email to be sent, in the reader's language. */
export interface OutgoingMail {
  /** Used as the Message-ID, also if the email is sent again after a crash. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
}

/** A mail server's final answer (5xx) to one email: sending it again cannot help. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/**
 * Sends emails. A rejected promise means that the email may not have been sent; its job retries unless it is rejected
 * with `MailRefused`.
 */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
  /** Removes what this machine keeps of emails that were sent. Succeeds for unknown ids. */
  erase(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

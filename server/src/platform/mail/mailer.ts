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

/** Sends emails. A rejected promise means that the email may not have been sent; its job retries. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
  close(): Promise<void>;
}

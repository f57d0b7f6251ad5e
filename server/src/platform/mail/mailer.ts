/** A mail as it leaves: already in the reader's language. */
export interface OutgoingMail {
  /** Of its row; the same mail sent again after a crash carries the same Message-ID. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
}

/** The way out. A rejected promise means that the mail may not have left; the job that sends it tries again. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<void>;
  close(): Promise<void>;
}

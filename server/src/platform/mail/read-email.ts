import PostalMime, { type Address } from 'postal-mime';

/** A parsed email file. */
export type ReadEmail = Readonly<Record<'from' | 'to' | 'subject' | 'date' | 'text' | 'html', string>>;

/** Reads a file of the outbox. Line ends are `\n`. */
export async function readEmail(raw: Buffer): Promise<ReadEmail> {
  const { from, to, subject = '', headers, text = '', html = '' } = await PostalMime.parse(raw);
  return {
    from: addressText(from),
    to: to?.map(addressText).join(', ') ?? '',
    subject,
    date: headers.find(({ key }) => key === 'date')?.value ?? '',
    text: text.replaceAll('\r\n', '\n'),
    html: html.replaceAll('\r\n', '\n'),
  };
}

function addressText(address: Address | undefined): string {
  const { name = '', address: written = '' } = address ?? {};
  // Nodemailer quotes a local part whose dots are not those of RFC 5321.
  const at = written.replace(/^"(.*)"(?=@)/, '$1');
  return name === '' ? at : `${name} <${at}>`;
}

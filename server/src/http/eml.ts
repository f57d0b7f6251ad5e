/** A mail file as a person reads it. */
export interface ReadMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Reads the mails that our own outbox writes: headers with encoded words (RFC 2047), one level of multipart/alternative,
 * quoted-printable, base64 or plain bodies in UTF-8. No mail reader for mails of others.
 */
export function readEml(raw: Buffer): ReadMail {
  const whole = split(raw.toString('latin1'));
  const boundary = /boundary="?([^";]+)"?/i.exec(whole.headers.get('content-type') ?? '')?.[1];
  const parts = boundary === undefined ? [whole] : multipart(whole.body, boundary).map(split);
  const bodyOf = (type: string) => {
    const part = parts.find(({ headers }) => (headers.get('content-type') ?? 'text/plain').startsWith(type));
    const body = part ? decodeBody(part.body, part.headers.get('content-transfer-encoding') ?? '7bit') : '';
    return body.replaceAll('\r\n', '\n');
  };
  const header = (name: string) => decodeWords(whole.headers.get(name) ?? '');
  return {
    from: header('from'),
    to: header('to'),
    subject: header('subject'),
    date: header('date'),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
  };
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

function split(text: string): Part {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const headers = head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    });
  return { headers: new Map(headers), body: end < 0 ? '' : text.slice(end + 4) };
}

function multipart(body: string, boundary: string): string[] {
  const [, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`);
  return parts.filter((part) => !part.startsWith('--')).map((part) => part.replace(/^\r\n/, ''));
}

function decodeBody(body: string, encoding: string): string {
  const kind = encoding.toLowerCase();
  if (kind === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (kind === 'quoted-printable') return decodeQuotedPrintable(body.replace(/=\r\n/g, ''));
  return Buffer.from(body, 'latin1').toString('utf8');
}

function decodeQuotedPrintable(text: string): string {
  return quotedBytes(text).toString('utf8');
}

function quotedBytes(text: string): Buffer {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}

const WORD = '=\\?utf-8\\?([bq])\\?([^?]*)\\?=';
const WORDS = new RegExp(`${WORD}(?:\\s+${WORD})*`, 'gi');

/** Encoded words; neighbours are one text, whose bytes may be cut in the middle of a letter. */
function decodeWords(value: string): string {
  return value.replace(WORDS, (run) => {
    const words = [...run.matchAll(new RegExp(WORD, 'gi'))].map(([, kind = '', text = '']) =>
      kind.toLowerCase() === 'b' ? Buffer.from(text, 'base64') : quotedBytes(text.replaceAll('_', ' ')),
    );
    return Buffer.concat(words).toString('utf8');
  });
}

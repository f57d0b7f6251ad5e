import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  privateDecrypt,
  publicDecrypt,
  publicEncrypt,
  timingSafeEqual,
} from 'node:crypto';
import { z } from 'zod';

/** The four fields around every message, in both directions. */
export const envelope = z.object({
  web: z.string(),
  send_time: z.string(),
  rsamsg: z.string(),
  check_value: z.string(),
});
export type Envelope = z.output<typeof envelope>;

/** Named values of a message. Values that are undefined are not sent. */
export type Fields = Readonly<Record<string, string | undefined>>;

/**
 * How a message is percent-encoded. The two manuals of SunPay differ in the space and in `!*'()`: the one of the cash
 * page has RFC 3986, the one of the card tokens PHP's `urlencode`.
 */
export type Encoding = 'rfc3986' | 'php';

/** PKCS #1 v1.5 needs at least this much of each block, which leaves 117 bytes of the 128 of SunPay's key. */
const PADDING_BYTES = 11;

/** Returns the key in this PEM; line breaks may be written as `\n`, as environment files need them. */
export function readKey(pem: string, kind: 'public' | 'private'): KeyObject {
  const text = pem.replaceAll('\\n', '\n').trim();
  return kind === 'public' ? createPublicKey(text) : createPrivateKey(text);
}

/** Returns the JSON of a message: keys in ASCII order on both levels, no spaces, nothing that is undefined. */
function toJson(head: Fields, body: Fields): string {
  const sorted = (fields: Fields) => Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify({ body: sorted(body), head: sorted(head) });
}

function encode(text: string, encoding: Encoding): string {
  const strict = encodeURIComponent(text).replace(
    /[!*'()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return encoding === 'php' ? strict.replaceAll('%20', '+').replaceAll('~', '%7E') : strict;
}

/** Returns the text of both encodings: a plus sign itself is %2B in each of them. */
function decode(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll('+', ' '));
}

function blocksOf(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

function blockBytes(key: KeyObject): number {
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8;
}

/** Returns the lower-case hex SHA-256 of the encoded message with the merchant's secret at its end. */
function checkValueOf(encoded: string, secret: string): string {
  return createHash('sha256')
    .update(encoded + secret)
    .digest('hex');
}

/** Returns a signed message to SunPay, encrypted with its public key. */
export function seal(
  message: { readonly web: string; readonly sentAt: Date; readonly body: Fields },
  keys: { readonly publicKey: KeyObject; readonly secret: string },
  encoding: Encoding,
): Envelope {
  const head = { send_time: toSendTime(message.sentAt), web: message.web };
  const encoded = encode(toJson(head, message.body), encoding);
  const key = { key: keys.publicKey, padding: constants.RSA_PKCS1_PADDING };
  const blocks = blocksOf(Buffer.from(encoded), blockBytes(keys.publicKey) - PADDING_BYTES);
  return {
    ...head,
    rsamsg: Buffer.concat(blocks.map((block) => publicEncrypt(key, block))).toString('base64'),
    check_value: checkValueOf(encoded, keys.secret),
  };
}

/** Why a message is not one of SunPay. */
export type Forgery = 'unreadable' | 'badCheckValue' | 'headDiffers';

/**
 * Returns head and body of a message of SunPay. Anyone who has the public key can read it; the check value, which needs
 * the secret, is what proves where it comes from. It is compared before anything of the message is parsed.
 */
export function unseal(
  sealed: Envelope,
  keys: { readonly callbackKey: KeyObject; readonly secret: string },
): { readonly sendTime: string; readonly web: string; readonly body: unknown } | Forgery {
  const { callbackKey } = keys;
  const bytes = Buffer.from(sealed.rsamsg, 'base64');
  const size = blockBytes(callbackKey);
  if (bytes.length === 0 || bytes.length % size !== 0) return 'unreadable';
  const key = { key: callbackKey, padding: constants.RSA_PKCS1_PADDING };
  const decrypt = callbackKey.type === 'public' ? publicDecrypt : privateDecrypt;
  let encoded: string;
  try {
    encoded = Buffer.concat(blocksOf(bytes, size).map((block) => decrypt(key, block))).toString('latin1');
  } catch {
    return 'unreadable';
  }
  const [right, given] = [Buffer.from(checkValueOf(encoded, keys.secret)), Buffer.from(sealed.check_value)];
  if (right.length !== given.length || !timingSafeEqual(right, given)) return 'badCheckValue';
  try {
    const { head, body } = message.parse(JSON.parse(decode(encoded)));
    // The fields outside are not signed.
    if (head.web !== sealed.web || head.send_time !== sealed.send_time) return 'headDiffers';
    return { sendTime: head.send_time, web: head.web, body };
  } catch {
    return 'unreadable';
  }
}

const message = z.object({ head: z.object({ send_time: z.string(), web: z.string() }), body: z.unknown() });

const TAIPEI_OFFSET_MS = 8 * 60 * 60_000;

/** Returns a time as SunPay writes it: `fffssmmHHyyyyMMdd` in Taipei, which has no summer time. */
export function toSendTime(time: Date): string {
  const [, year, month, day, hours, minutes, seconds, milliseconds] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})Z$/.exec(
      new Date(time.getTime() + TAIPEI_OFFSET_MS).toISOString(),
    ) ?? [];
  return `${milliseconds}${seconds}${minutes}${hours}${year}${month}${day}`;
}

/** Returns the moment of a `send_time`; null if it is none. */
export function fromSendTime(text: string): Date | null {
  const parts = /^(\d{3})(\d\d)(\d\d)(\d\d)(\d{4})(\d\d)(\d\d)$/.exec(text);
  if (!parts) return null;
  const [milliseconds = 0, seconds = 0, minutes = 0, hours = 0, year = 0, month = 0, day = 0] = parts
    .slice(1)
    .map(Number);
  const time = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds, milliseconds) - TAIPEI_OFFSET_MS);
  // Refuses what `Date` would carry over, such as the 31st of February.
  return toSendTime(time) === text ? time : null;
}

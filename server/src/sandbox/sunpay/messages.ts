import { constants, createHash, createPrivateKey, privateDecrypt, privateEncrypt } from 'node:crypto';
import { z } from 'zod';
import { type Account, RESULTS, type Trade } from './state.ts';

/**
 * SunPay's side of its messages. Written from the protocol, not shared with our client: a mistake made twice in the same
 * words would not be seen.
 */

/** Why a message of the shop is refused, with the code that the sandbox answers. */
export const REFUSALS = {
  malformed: '01',
  unknownMerchant: '02',
  staleSendTime: '03',
  badCheckValue: '04',
  badField: '05',
  duplicateOrder: '07',
  unknownToken: '08',
  declined: '11',
} as const;
export type Refusal = keyof typeof REFUSALS;

const outer = z.object({
  web: z.string(),
  send_time: z.string().regex(/^\d{17}$/),
  rsamsg: z.string().max(64 * 1024),
  check_value: z.string(),
});
const inner = z.object({
  head: z.strictObject({ send_time: z.string(), web: z.string() }),
  body: z.record(z.string(), z.string()),
});

const VALID_MS = 120_000;
const FIELDS: Readonly<Record<string, RegExp>> = {
  td: /^[A-Za-z0-9]{1,50}$/,
  // Whole dollars.
  mn: /^[1-9]\d{0,7}$/,
  order_info: /^.{0,50}$/su,
  email: /^.{0,100}$/su,
  sna: /^[^*'<>[\]"]{0,30}$/u,
  sdt: /^\d{0,20}$/,
  note1: /^[^*'<>[\]"]{0,400}$/u,
  note2: /^[^*'<>[\]"]{0,400}$/u,
  save_card_token: /^[A-Za-z0-9]{0,36}$/,
};

/** Returns the body of a message of the shop, or why it is refused. */
export function readMessage(
  account: Account,
  given: unknown,
  now: number,
): { readonly body: Readonly<Record<string, string>> } | { readonly refusal: Refusal } {
  const fields = outer.safeParse(given);
  if (!fields.success) return { refusal: 'malformed' };
  const { web, send_time, rsamsg, check_value } = fields.data;
  if (web !== account.web) return { refusal: 'unknownMerchant' };
  if (Math.abs(now - timeOf(send_time)) > VALID_MS) return { refusal: 'staleSendTime' };
  let encoded: string;
  try {
    encoded = decrypt(account, rsamsg);
  } catch {
    return { refusal: 'malformed' };
  }
  if (checkValue(encoded, account.secret) !== check_value) return { refusal: 'badCheckValue' };
  try {
    const { head, body } = inner.parse(JSON.parse(decodeURIComponent(encoded.replaceAll('+', ' '))));
    if (head.web !== web || head.send_time !== send_time) return { refusal: 'malformed' };
    const wrong = Object.entries(body).some(([name, value]) => FIELDS[name] && !FIELDS[name].test(value));
    return wrong ? { refusal: 'badField' } : { body };
  } catch {
    return { refusal: 'malformed' };
  }
}

function decrypt(account: Account, rsamsg: string): string {
  const bytes = Buffer.from(rsamsg, 'base64');
  if (bytes.length % 128 !== 0) throw new RangeError('These are no blocks');
  const key = { key: createPrivateKey(account.privateKey), padding: constants.RSA_PKCS1_PADDING };
  let text = '';
  for (let start = 0; start < bytes.length; start += 128)
    text += privateDecrypt(key, bytes.subarray(start, start + 128)).toString('latin1');
  return text;
}

function checkValue(encoded: string, secret: string): string {
  return createHash('sha256').update(encoded, 'latin1').update(secret).digest('hex');
}

/** Returns the moment of a `send_time`, which is Taipei's time: milliseconds, seconds, … and the date at its end. */
function timeOf(text: string): number {
  const date = `${text.slice(9, 13)}-${text.slice(13, 15)}-${text.slice(15, 17)}`;
  const time = `${text.slice(7, 9)}:${text.slice(5, 7)}:${text.slice(3, 5)}.${text.slice(0, 3)}`;
  const moment = Date.parse(`${date}T${time}+08:00`);
  // Not a time: as old as can be.
  return Number.isNaN(moment) ? 0 : moment;
}

/** Returns date and time of a moment in Taipei: `20261129`, `091500`, and as a `send_time`. */
function inTaipei(moment: number) {
  const text = new Date(moment + 8 * 3600_000).toISOString().replace(/\D/g, '');
  const [date, time] = [text.slice(0, 8), text.slice(8, 14)];
  const sendTime = `${text.slice(14, 17)}${time.slice(4, 6)}${time.slice(2, 4)}${time.slice(0, 2)}${date}`;
  return { date, time, sendTime };
}

/** Returns the four fields that tell the shop the result of a payment: signed, and encrypted with SunPay's private key. */
export function resultMessage(account: Account, trade: Trade): Record<string, string> {
  const { date, time, sendTime } = inTaipei(trade.settledAt ?? trade.createdAt);
  const body: Record<string, string | null> = {
    approve_code: trade.approveCode,
    card_no: trade.cardLast4,
    card_type: trade.result === 'created' ? '06' : '01',
    currency: 'TWD',
    mn: trade.mn,
    name: trade.name,
    note1: trade.note1,
    note2: trade.note2,
    // A code of a shop's machine, not an address.
    pay_code: trade.result === 'created' ? `CVS${trade.tradeNo.slice(-11)}` : null,
    pay_date: date,
    pay_result: trade.result ? RESULTS[trade.result] : null,
    pay_time: time,
    save_card_token_result: trade.tokenKey ? '1' : null,
    td: trade.td,
    token_key: trade.tokenKey,
    token_life: trade.tokenKey ? '20281231' : null,
    trade_no: trade.tradeNo,
  };
  const told = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
  const plain = JSON.stringify({ body: told, head: { send_time: sendTime, web: account.web } });
  // As PHP does it.
  const encoded = encodeURIComponent(plain)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
  const key = { key: createPrivateKey(account.privateKey), padding: constants.RSA_PKCS1_PADDING };
  const bytes = Buffer.from(encoded, 'latin1');
  const blocks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += 117)
    blocks.push(privateEncrypt(key, bytes.subarray(start, start + 117)));
  return {
    web: account.web,
    send_time: sendTime,
    rsamsg: Buffer.concat(blocks).toString('base64'),
    check_value: checkValue(encoded, account.secret),
  };
}

import { toDecimal } from '@framelift/contract';
import type { Fields } from './envelope.ts';

/** What is paid, and by whom. Texts may be in any language. */
export interface SunPayOrder {
  /** Number of the order, unique for ever: up to 50 letters and digits. SunPay calls it `td`. */
  readonly td: string;
  /** Minor units of TWD; whole dollars only, because SunPay charges nothing else. */
  readonly amount: number;
  /** What the buyer reads: up to 50 characters. */
  readonly info: string;
  readonly email?: string | undefined;
  /** Name of the buyer: up to 30 characters, see `fitSunPayText`. */
  readonly name?: string | undefined;
  /** Digits only. */
  readonly phone?: string | undefined;
  /** Comes back with the result: up to 400 characters. */
  readonly note?: string | undefined;
  /** Of the buyer. SunPay's own page has a choice of languages; the local sandbox speaks this one. */
  readonly language?: string | undefined;
}

/** A field that SunPay would refuse. Nothing was sent. */
export class SunPayFieldError extends Error {
  readonly field: string;
  constructor(field: string, reason: string) {
    super(`${field}: ${reason}`);
    this.name = 'SunPayFieldError';
    this.field = field;
  }
}

const FORBIDDEN = /[*'<>[\]"]/;
const MAX_DOLLARS_DIGITS = 8;
const NAME_CHARACTERS = 30;

/** Returns the text without what SunPay refuses in names and notes, and no longer than the field: O'Neill is O’Neill. */
export function fitSunPayText(text: string, characters: number = NAME_CHARACTERS): string {
  const plain = text
    .replaceAll("'", '’')
    .replaceAll('"', '”')
    .replace(/[*<>[\]\p{Cc}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [...plain].slice(0, characters).join('').trim();
}

/** SunPay's limits by its own names of the fields. Lengths are in characters, not in bytes. */
const LIMITS: Readonly<Record<string, { readonly max: number; readonly pattern?: RegExp; readonly plain?: true }>> = {
  td: { max: 50, pattern: /^[A-Za-z0-9]+$/ },
  order_info: { max: 50 },
  email: { max: 100 },
  sna: { max: NAME_CHARACTERS, plain: true },
  sdt: { max: 20, pattern: /^\d+$/ },
  note1: { max: 400, plain: true },
  save_card_token: { max: 36, pattern: /^[A-Za-z0-9]+$/ },
};

/**
 * Returns the fields of an order under SunPay's names, with those of `more`.
 * @throws SunPayFieldError for anything that SunPay would refuse
 */
export function toFields(order: SunPayOrder, more: Fields = {}): Fields {
  const fields: Fields = {
    td: order.td,
    mn: toDollars(order.amount),
    order_info: order.info,
    email: order.email,
    sna: order.name,
    sdt: order.phone,
    note1: order.note,
    note2: order.language,
    ...more,
  };
  for (const [name, value] of Object.entries(fields)) {
    const limit = LIMITS[name];
    if (value === undefined || !limit) continue;
    if ([...value].length > limit.max) throw new SunPayFieldError(name, `has more than ${limit.max} characters`);
    if (limit.pattern && !limit.pattern.test(value))
      throw new SunPayFieldError(name, 'has characters that may not be there');
    if (limit.plain && FORBIDDEN.test(value)) throw new SunPayFieldError(name, `may have none of *'<>[]"`);
  }
  return fields;
}

function toDollars(amount: number): string {
  let dollars: string;
  try {
    dollars = toDecimal(amount, 'TWD');
  } catch {
    throw new SunPayFieldError('mn', 'must be whole dollars, more than none');
  }
  if (dollars.length > MAX_DOLLARS_DIGITS)
    throw new SunPayFieldError('mn', `has more than ${MAX_DOLLARS_DIGITS} digits`);
  return dollars;
}

import { z } from 'zod';
import { htmlLangOf, type Language } from './limits.ts';

/**
 * The currencies. Amounts are integers in minor units everywhere: `exponent` is the ISO 4217 exponent of the minor unit
 * (12.00 USD is 1200, 300 TWD is 30000, 1500 JPY is 1500), `digits` the decimals that people see and providers charge.
 * Both differ for TWD: its minor unit exists, but nobody pays with it.
 */
export const CURRENCIES = {
  USD: { exponent: 2, digits: 2 },
  TWD: { exponent: 2, digits: 0 },
  JPY: { exponent: 0, digits: 0 },
} as const;
export type Currency = keyof typeof CURRENCIES;

export const currencyCode = z.enum(['USD', 'TWD', 'JPY'] as const satisfies readonly Currency[]);
/** States of a payment, in the order in which it goes through them; `failed` and `expired` may still be paid late. */
export const paymentStates = z.enum(['created', 'pending', 'failed', 'expired', 'paid', 'granted', 'refunded']);
/** An amount in minor units of its currency. */
export const moneyAmount = z.int().nonnegative();
export const money = z.object({ amount: moneyAmount, currency: currencyCode });
export type Money = z.output<typeof money>;

/** Units without leading zeros, at most fifteen digits in all, and perhaps a fraction: no sign, exponent or space. */
const DECIMAL = /^(0|[1-9]\d{0,11})(?:\.(\d{1,3}))?$/;

/** Returns whether a provider can charge exactly this amount: more than nothing, and in TWD whole dollars. */
export function isChargeable(amount: number, currency: Currency): boolean {
  const { exponent, digits } = CURRENCIES[currency];
  return Number.isSafeInteger(amount) && amount > 0 && amount % 10 ** (exponent - digits) === 0;
}

/**
 * Returns the amount as the decimal that a provider gets: `12.00` for USD, `300` for TWD, `1500` for JPY.
 * @throws RangeError if the amount is not chargeable: it is never rounded
 */
export function toDecimal(amount: number, currency: Currency): string {
  if (!isChargeable(amount, currency)) throw new RangeError(`${amount} is no chargeable amount of ${currency}`);
  const { exponent, digits } = CURRENCIES[currency];
  const shown = String(amount / 10 ** (exponent - digits)).padStart(digits + 1, '0');
  return digits === 0 ? shown : `${shown.slice(0, -digits)}.${shown.slice(-digits)}`;
}

/**
 * Returns the minor units of a provider's decimal, such as `300` and `300.00` of TWD: 30000. Null for any other text and
 * for more decimals than the currency has: a wrong guess about money is worse than a refusal.
 */
export function fromDecimal(text: string, currency: Currency): number | null {
  const { exponent } = CURRENCIES[currency];
  const [, units, fraction = ''] = DECIMAL.exec(text) ?? [];
  if (units === undefined || fraction.length > exponent) return null;
  return Number(units + fraction.padEnd(exponent, '0'));
}

/**
 * Returns an amount as people write it: in English `$12.00`, `NT$300`, `¥1,500`, in Chinese of Taiwan `US$12.00`, `NT$300`.
 * The dollar of Taiwan is never a plain `$`, as its language would have it: prices in US dollars stand beside it.
 * @param short without decimals where all of them are zero: `$12`
 */
export function formatMoney({ amount, currency }: Money, language: Language, short = false): string {
  const { exponent, digits } = CURRENCIES[currency];
  const format = new Intl.NumberFormat(htmlLangOf(language), {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    // A fraction that cannot be charged is shown, not rounded away.
    maximumFractionDigits: exponent,
    trailingZeroDisplay: short ? 'stripIfInteger' : 'auto',
  });
  const parts = format.formatToParts(amount / 10 ** exponent);
  return parts.map(({ type, value }) => (type === 'currency' && currency === 'TWD' ? 'NT$' : value)).join('');
}

import { byLanguage, CURRENCIES, type Currency, type Language } from '@framelift/contract';

type Field = number | string;

/** Returns an amount in minor units as it is typed, `12.5`; '' for none. */
export const typedAmount = (amount: number | null, currency: Currency): Field =>
  amount === null ? '' : amount / 10 ** CURRENCIES[currency].exponent;

/** Returns what was typed in minor units; null for nothing. */
export const amountOf = (typed: Field, currency: Currency): number | null =>
  typed === '' ? null : Math.round(Number(typed) * 10 ** CURRENCIES[currency].exponent);

/** Returns the lines of each language as they are typed, one below the other. */
export const typedLines = (lines: Readonly<Record<Language, readonly string[]>>): Record<Language, string> =>
  byLanguage((language) => lines[language].join('\n'));

export const linesOf = (typed: Readonly<Record<Language, string>>): Record<Language, string[]> =>
  byLanguage((language) =>
    typed[language]
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  );

import { LIMITS } from './limits.ts';

/** Signs that people type or paste as a hyphen: dashes, the minus sign, the long-vowel mark of Japanese keyboards, dots. */
const HYPHENS = /[\u002d\u00ad\u02d7\u2010-\u2015\u2043\u2212\u2500\u30fb\u30fc\ufe58\ufe63\u00b7.]/g;
const EXTENSION = /\s*(?:[,;]?\s*(?:extension|ext|x|内線|內線|分機|分机|轉|转)[\s.:=]*|#\s*)(\d{1,7})$/i;
/** One digit or group in parentheses at a time: no input can make the match slow. */
const NUMBER = /^(?:\+|\(\+\d{1,3}\)[ -]?)?(?:\(\d{1,6}\)|\d)(?:[ -]?(?:\(\d{1,6}\)|\d))*$/;
/** The longest international number has 15 digits; three are enough for an emergency or internal number. */
const FEWEST_DIGITS = 3;
const MOST_DIGITS = 15;
/** Typed text is longer than what is stored; anything longer is no number. */
const LONGEST_TYPED = 100;

/**
 * Returns a phone number in the form in which it is stored: ASCII digits, groups kept and separated by a space, `-` or
 * parentheses, an extension as ` ext. 12`. Returns '' for nothing, and null for something else.
 */
export function asPhone(typed: string): string | null {
  if (typed.length > LONGEST_TYPED) return null;
  const plain = typed
    .normalize('NFKC')
    // Marks that come along when a number is copied from a list of contacts.
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain === '') return '';
  const [, extension] = EXTENSION.exec(plain) ?? [];
  const number = (extension === undefined ? plain : plain.replace(EXTENSION, ''))
    .replace(HYPHENS, '-')
    .replace(/ ?-[ -]*/g, '-')
    .replace(/\( /g, '(')
    .replace(/ \)/g, ')');
  const digits = number.replace(/\D/g, '').length;
  if (!NUMBER.test(number) || digits < FEWEST_DIGITS || digits > MOST_DIGITS) return null;
  const stored = extension === undefined ? number : `${number} ext. ${extension}`;
  return stored.length <= LIMITS.phoneLength ? stored : null;
}

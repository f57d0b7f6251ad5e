import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** What would break a line, or turn its reading direction around for all that follows. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** Something to see, besides spaces and signs without a shape. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u;

/** Text as people type it: NFC, no control characters, trimmed, so that equal names compare equal. */
const typed = z
  .string()
  .normalize('NFC')
  .trim()
  .refine((text) => !CONTROLS.test(text), 'control characters are not allowed');

/** Characters as people count them; an emoji or a rare kanji is one. */
const atMost = (length: number) => (text: string) => [...text].length <= length;

export const shortText = typed.refine(atMost(LIMITS.textLength), `at most ${LIMITS.textLength} characters`);
export const shortName = shortText.refine((text) => VISIBLE.test(text), 'must not be empty');

export const email = z.string().trim().max(LIMITS.emailLength).pipe(z.email());

/** At least 8 characters with uppercase, lowercase and a digit; compared exactly as typed. */
export const newPassword = z
  .string()
  .min(LIMITS.password.min)
  .max(LIMITS.password.max)
  .refine(isStrongPassword, 'needs an uppercase letter, a lowercase letter and a digit');

export function isStrongPassword(password: string): boolean {
  return (
    password.length >= LIMITS.password.min &&
    /\p{Lu}/u.test(password) &&
    /\p{Ll}/u.test(password) &&
    /\p{Nd}/u.test(password)
  );
}

export const phone = z
  .string()
  .trim()
  .max(LIMITS.phoneLength)
  .regex(/^\+?[\d ()-]*$/);

export const id = z.uuid();
/** Small integers: device types, effect params, plans. */
export const smallId = z.int().min(0).max(2_147_483_647);
/** The same in a query, where everything is text. */
export const smallIdText = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(smallId);
/** Years that JavaScript, PostgreSQL and people all write the same way. */
const FIRST_TIME = Date.UTC(1900, 0, 1);
const LAST_TIME = Date.UTC(9999, 0, 1);
const isKept = (text: string) => Date.parse(text) >= FIRST_TIME && Date.parse(text) < LAST_TIME;
/** Times on the wire are UTC in ISO 8601. */
export const time = z.iso.datetime().refine(isKept, 'must be of the years 1900 to 9998');
/** The same, as people who live elsewhere may name it. */
export const timeAnywhere = z.iso.datetime({ offset: true }).refine(isKept, 'must be of the years 1900 to 9998');
/** A zone of the IANA list, as browsers name their own. */
export const timeZone = z.string().max(64).refine(isTimeZone, 'unknown time zone');

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Opaque position in a keyset-paged list, as found in `links.next`. */
export const cursor = z.string().max(200);

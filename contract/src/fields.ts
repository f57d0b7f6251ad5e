import { z } from 'zod';
import { LIMITS } from './limits.ts';

/** Text as people type it: NFC, no control characters, trimmed, so that equal names compare equal. */
const typed = z
  .string()
  .normalize('NFC')
  .trim()
  .refine((text) => !/\p{Cc}/u.test(text), 'control characters are not allowed');

/** Characters as people count them; an emoji or a rare kanji is one. */
const atMost = (length: number) => (text: string) => [...text].length <= length;

export const shortText = typed.refine(atMost(LIMITS.textLength), `at most ${LIMITS.textLength} characters`);
export const shortName = shortText.refine((text) => text.length > 0, 'must not be empty');

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
  .regex(/^\+?[\d\s()-]*$/);

export const id = z.uuid();
/** Small integers: device types, effect params, plans. */
export const smallId = z.int().min(0).max(2_147_483_647);
/** The same in a query, where everything is text. */
export const smallIdText = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(smallId);
/** Times on the wire are UTC in ISO 8601. */
export const time = z.iso.datetime();
/** Opaque position in a keyset-paged list, as found in `links.next`. */
export const cursor = z.string().max(200);

import { z } from 'zod';
import { asEmail } from './email-address.ts';
import { fittingText } from './graphemes.ts';
import { LIMITS } from './limits.ts';
import { passwordForm } from './password-form.ts';
import { asPhone } from './phone-number.ts';

/** Control and line-break characters, and bidirectional overrides that affect the text that follows. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/**
 * At least one visible character: no space, control, unassigned or default-ignorable character (fillers of Hangul, joiners,
 * variation selectors, tags), and none of the letters that fonts draw as a blank: Braille blank, null notehead, blanks of
 * hieroglyphs.
 */
const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{13441}\u{13442}]/u;

/** Single-line text: NFC-normalised and trimmed, without control characters, so that equal names compare equal. */
const typed = z
  .string()
  .normalize('NFC')
  .trim()
  .refine((text) => !CONTROLS.test(text), 'control characters are not allowed');

const isSeen = (text: string) => VISIBLE.test(text);
const unseen = 'must have a visible character';

const fitting = typed.refine(
  (text) => text.length <= LIMITS.textUnits && fittingText(text) === text,
  `at most ${LIMITS.textLength} characters`,
);
/** Text of a name-like field that may be empty. */
export const shortText = fitting.refine((text) => text === '' || isSeen(text), unseen);
export const shortName = fitting.refine(isSeen, unseen);
const titled = typed.refine((text) => text.length <= LIMITS.shop.titleLength, 'too long');
/** One line that operators write for everyone, such as the name of a product, which may be empty. */
export const titleText = titled.refine((text) => text === '' || isSeen(text), unseen);
export const title = titled.refine(isSeen, unseen);
/** Name of a picture or video, without folders. */
export const fileName = typed
  .refine((text) => text.length <= LIMITS.fileNameLength, `at most ${LIMITS.fileNameLength} characters`)
  .refine((text) => !/[/\\]/.test(text), 'must not contain / or \\')
  .refine(isSeen, unseen);
/** Part of a name to search for. */
export const searchText = typed.refine((text) => text.length <= LIMITS.searchLength, 'too long').refine(isSeen, unseen);
/** Several lines that are shown to everyone. */
export const notice = z.string().trim().max(LIMITS.announcementLength).refine(isSeen, unseen);

/** Returns a schema of text that a function brings into the form in which it is stored; null refuses it. */
const formed = (form: (text: string) => string | null, refusal: string) =>
  z.string().transform((text, { addIssue }) => {
    const stored = form(text);
    if (stored !== null) return stored;
    addIssue({ code: 'custom', message: refusal });
    return z.NEVER;
  });

export const email = formed(asEmail, `must be an email address of at most ${LIMITS.emailLength} characters`);
export const phone = formed(asPhone, 'must be a phone number');

/** A password with the form in which it is hashed and compared. */
export const passwordText = z.string().overwrite(passwordForm).max(LIMITS.password.max);
/** At least 8 characters with uppercase, lowercase and a digit. */
export const newPassword = passwordText
  .min(LIMITS.password.min)
  .refine(isStrongPassword, 'needs an uppercase letter, a lowercase letter and a digit');
/** A password as typed to prove who calls. It may be longer than a new one while its letters are not composed. */
export const typedPassword = z
  .string()
  .min(1)
  .max(4 * LIMITS.password.max);

export function isStrongPassword(password: string): boolean {
  return (
    passwordForm(password).length >= LIMITS.password.min &&
    /\p{Lu}/u.test(password) &&
    /\p{Ll}/u.test(password) &&
    /\p{Nd}/u.test(password)
  );
}

export const id = z.uuid();
/** Ids that are small integers: device types, effect params, plans. */
export const smallId = z.int().min(0).max(2_147_483_647);
/** A `smallId` as text in a query string. */
export const smallIdText = z
  .string()
  .regex(/^\d{1,10}$/)
  .transform(Number)
  .pipe(smallId);
/** Range of years with the same notation in JavaScript, PostgreSQL and ISO 8601. */
const FIRST_TIME = Date.UTC(1900, 0, 1);
const LAST_TIME = Date.UTC(9999, 0, 1);
const isKept = (text: string) => Date.parse(text) >= FIRST_TIME && Date.parse(text) < LAST_TIME;
/** A time in UTC, ISO 8601. */
export const time = z.iso.datetime().refine(isKept, 'must be of the years 1900 to 9998');
/** A time in ISO 8601 with any UTC offset. */
export const timeAnywhere = z.iso.datetime({ offset: true }).refine(isKept, 'must be of the years 1900 to 9998');
/** An IANA time zone, as reported by browsers. */
export const timeZone = z.string().max(64).refine(isTimeZone, 'unknown time zone');

/** Returns whether this is the name of an IANA time zone that this system knows. */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Opaque cursor of a keyset-paged list, taken from `links.next`. */
export const cursor = z.string().max(600);

import { LIMITS } from './limits.ts';

/** The rule of `<input type="email">` in the HTML standard: dots may stand anywhere, as in addresses of carriers. */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~-]+$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
/** What separates the parts of a URL, or is decoded in one, is never part of a domain. */
const NOT_IN_DOMAIN = /[\s\p{Cc}/\\?#%:@[\]]/u;

/** Returns an international domain in ASCII (punycode), an ASCII domain as it is, or null for something else. */
function toAscii(domain: string): string | null {
  if (/^[\x21-\x7e]*$/.test(domain)) return domain;
  if (NOT_IN_DOMAIN.test(domain)) return null;
  try {
    return new URL(`http://${domain}/`).hostname;
  } catch {
    return null;
  }
}

/**
 * Returns an address as it is stored, trimmed and with an international domain in ASCII, or null if it is not one. As
 * in browsers the local part is ASCII. A domain has a dot and does not end with a number: `mia@example` is a typing
 * error, `mia@1.2` would be read as a network address.
 */
export function asEmail(typed: string): string | null {
  const text = typed.trim();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const domain = toAscii(text.slice(at + 1));
  if (domain === null || !LOCAL_PART.test(local)) return null;
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label)) || /^\d+$/.test(last)) return null;
  const email = `${local}@${domain}`;
  return email.length <= LIMITS.emailLength ? email : null;
}

/** Returns the form in which addresses are compared: without differences in case and in the spelling of the domain. */
export function emailKey(typed: string): string {
  return (asEmail(typed) ?? typed.trim().normalize('NFC')).toLowerCase();
}

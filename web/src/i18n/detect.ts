import { type Language, LIMITS } from '@framelift/contract';

/** Returns the cookie that stores the language for 30 days, as a `document.cookie` string. */
export function cookieOf(language: Language): string {
  return `lang=${language}; path=/; max-age=${LIMITS.languageCookieDays * 24 * 60 * 60}; samesite=lax`;
}

/** Returns the value of the cookie `lang` in a `document.cookie` string. */
export function languageCookie(cookies: string): string | null {
  return /(?:^|;\s*)lang=([^;]*)/.exec(cookies)?.[1] ?? null;
}

import { asLanguage, FIRST_LANGUAGE, type Language, LIMITS } from '@framelift/contract';

/** A guest always sees English. Else the `lang` parameter, then the cookie, then Chinese. */
export function chooseLanguage(from: { guest: boolean; parameter: string | null; cookie: string | null }): Language {
  if (from.guest) return 'en';
  return asLanguage(from.parameter) ?? asLanguage(from.cookie) ?? FIRST_LANGUAGE;
}

/** The cookie that keeps a choice for 30 days, as `document.cookie` takes it. */
export function cookieOf(language: Language): string {
  return `lang=${language}; path=/; max-age=${LIMITS.languageCookieDays * 24 * 60 * 60}; samesite=lax`;
}

/** The value of the cookie `lang` in a `document.cookie` string. */
export function languageCookie(cookies: string): string | null {
  return /(?:^|;\s*)lang=([^;]*)/.exec(cookies)?.[1] ?? null;
}

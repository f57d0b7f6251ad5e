import { asLanguage, FIRST_LANGUAGE, type Language, LIMITS, preferredLanguage } from '@framelift/contract';

/**
 * Chooses the language: always English for guests; otherwise the `lang` parameter, the cookie, the first of the
 * browser's languages that is ours, or Chinese.
 */
export function chooseLanguage(from: {
  readonly guest: boolean;
  readonly parameter: string | null;
  readonly cookie: string | null;
  /** The browser's languages, best first; none where the preset `literal` takes Chinese at once. */
  readonly browser: readonly string[];
}): Language {
  if (from.guest) return 'en';
  return asLanguage(from.parameter) ?? asLanguage(from.cookie) ?? preferredLanguage(from.browser) ?? FIRST_LANGUAGE;
}

/** Returns the cookie that stores the language for 30 days, as a `document.cookie` string. */
export function cookieOf(language: Language): string {
  return `lang=${language}; path=/; max-age=${LIMITS.languageCookieDays * 24 * 60 * 60}; samesite=lax`;
}

/** Returns the value of the cookie `lang` in a `document.cookie` string. */
export function languageCookie(cookies: string): string | null {
  return /(?:^|;\s*)lang=([^;]*)/.exec(cookies)?.[1] ?? null;
}

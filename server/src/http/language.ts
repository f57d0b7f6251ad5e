import { asLanguage, FALLBACK_LANGUAGE, type Language, preferredLanguage } from '@framelift/contract';

/**
 * Returns the supported language that an Accept-Language header prefers; English if it names none. A reader of
 * Simplified Chinese alone is answered in Traditional Chinese, as the web app does.
 */
export function languageOf(header: string | undefined): Language {
  const wishes = wishesOf(header);
  const related = wishes.map((tag) => asLanguage(tag.split('-')[0])).find((language) => language !== null);
  return preferredLanguage(wishes) ?? related ?? FALLBACK_LANGUAGE;
}

/** Returns the languages of an Accept-Language header, best first. */
export function wishesOf(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined);
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

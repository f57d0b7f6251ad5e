import { asLanguage, FALLBACK_LANGUAGE, type Language } from '@framelift/contract';

/** Returns the supported language that an Accept-Language header prefers; English if it names none. */
export function languageOf(header: string | undefined): Language {
  if (!header) return FALLBACK_LANGUAGE;
  const wishes = header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const weight = parameters.map((text) => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find((text) => text !== undefined);
      return { language: tag.trim().split('-')[0], weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { language } of wishes) {
    const known = asLanguage(language);
    if (known) return known;
  }
  return FALLBACK_LANGUAGE;
}

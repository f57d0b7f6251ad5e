import { FALLBACK_LANGUAGE, type Language, preferredLanguage } from '@framelift/contract';
import type { Texts as AllTexts } from '@framelift/texts';

/** Texts of the page. `{{…}}` placeholders are filled in by the code that shows them. */
export type Texts = AllTexts['frame'];

const all = import.meta.glob<Texts>('../../texts/*/frame.json', { eager: true, import: 'default' });
const pathOf = (language: Language) => `../../texts/${language}/frame.json`;

export function textsOf(language: Language): Texts {
  return { ...(all[pathOf(FALLBACK_LANGUAGE)] as Texts), ...all[pathOf(language)] };
}

/** Returns the first supported language of the browser's list, English otherwise. */
export function languageOf(languages: readonly string[]): Language {
  return preferredLanguage(languages) ?? FALLBACK_LANGUAGE;
}

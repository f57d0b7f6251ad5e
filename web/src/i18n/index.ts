import { asLanguage, FALLBACK_LANGUAGE, htmlLangOf, LANGUAGES, type Language } from '@framelift/contract';
import i18next, { type BackendModule, type ReadCallback, type ResourceKey } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isGuestSession } from '../api/session.ts';
import { chooseLanguage, cookieOf, languageCookie } from './detect.ts';

/** Each area in each language is fetched when it is first needed; the build joins those of the first pages. */
const areas = import.meta.glob<ResourceKey>(['../../../texts/*/*.json', '!**/emails.json', '!**/frame.json'], {
  import: 'default',
});

async function load(language: string, area: string): Promise<ResourceKey> {
  const texts = areas[`../../../texts/${language}/${area}.json`];
  if (!texts) throw new Error(`There are no texts for ${language}/${area}`);
  return texts();
}

/** Fetches the texts of one area in one language when a page first needs them. */
const backend: BackendModule = {
  type: 'backend',
  init: () => {},
  read(language: string, area: string, done: ReadCallback) {
    load(language, area).then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    );
  },
};

/** The language of the page now. */
export const currentLanguage = (): Language => asLanguage(i18next.language) ?? FALLBACK_LANGUAGE;

/** The language that address, cookie and session ask for. */
function wantedLanguage(): Language {
  return chooseLanguage({
    guest: isGuestSession(),
    parameter: new URLSearchParams(location.search).get('lang'),
    cookie: languageCookie(document.cookie),
  });
}

function remember(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and older Safari.
  document.cookie = cookieOf(language);
}

/** Starts the texts. Resolves when those of the first page can be shown. */
export async function startTexts(): Promise<void> {
  const parameter = asLanguage(new URLSearchParams(location.search).get('lang'));
  if (parameter && !isGuestSession()) remember(parameter);
  i18next.on('languageChanged', () => {
    document.documentElement.lang = htmlLangOf(currentLanguage());
  });
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: wantedLanguage(),
      // The build fills what a language lacks from English (texts/vite.ts), so one language is enough here.
      fallbackLng: false,
      supportedLngs: LANGUAGES.map(({ code }) => code),
      ns: ['common', 'shell'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
}

/** A person's choice: shown now and kept for 30 days. */
export async function setLanguage(language: Language): Promise<void> {
  remember(language);
  await i18next.changeLanguage(language);
}

/** Follows a session that began or ended: a guest sees English, and the kept choice stays as it was. */
export async function followSession(): Promise<void> {
  const language = wantedLanguage();
  if (language !== currentLanguage()) await i18next.changeLanguage(language);
}

export { i18next };

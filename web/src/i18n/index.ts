import { FALLBACK_LANGUAGE, LANGUAGES, type Language } from '@framelift/contract';
import i18next, { type BackendModule, type ReadCallback } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isGuestSession } from '../api/session.ts';
import { asLanguage, chooseLanguage, cookieOf, languageCookie } from './detect.ts';

type Texts = Record<string, unknown>;

/** One chunk per language with the areas of the first pages. */
const start: Record<Language, () => Promise<Record<string, Texts>>> = {
  en: () => import('./start-en.ts'),
  zh: () => import('./start-zh.ts'),
  ja: () => import('./start-ja.ts'),
};
/** Every other area is a chunk of its own. */
const areas = import.meta.glob<Texts>(
  ['./*/*.json', '!./*/auth.json', '!./*/common.json', '!./*/guest.json', '!./*/landing.json', '!./*/shell.json'],
  { import: 'default' },
);

async function load(language: Language, area: string): Promise<Texts> {
  const own = areas[`./${language}/${area}.json`];
  const texts = own ? await own() : (await start[language]())[area];
  if (!texts) throw new Error(`There are no texts for ${language}/${area}`);
  return texts;
}

/** Fetches the texts of one area in one language when a page first needs them. */
const backend: BackendModule = {
  type: 'backend',
  init: () => {},
  read(language: string, area: string, done: ReadCallback) {
    load(asLanguage(language) ?? FALLBACK_LANGUAGE, area).then(
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
    document.documentElement.lang = LANGUAGES.find(({ code }) => code === currentLanguage())?.htmlLang ?? 'en';
  });
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: wantedLanguage(),
      // The build fills texts missing in zh or ja from en (texts.plugin.ts), so one language is enough here.
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

import {
  asLanguage,
  chooseLanguage,
  FALLBACK_LANGUAGE,
  htmlLangOf,
  LANGUAGES,
  type Language,
} from '@framelift/contract';
import i18next, { type BackendModule, type ReadCallback, type ResourceKey } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isGuestSession } from '../api/session.ts';
import { loadCode } from '../ui/load-code.ts';
import { cookieOf, languageCookie } from './detect.ts';

/** Text loaders of the first pages, by path; the build merges most of these files. */
const firstTexts = import.meta.glob<ResourceKey>('../../../texts/*/{auth,common,depth,landing,shell}.json', {
  import: 'default',
});

async function load(language: string, area: string): Promise<ResourceKey> {
  const path = `../../../texts/${language}/${area}.json`;
  const texts = firstTexts[path] ?? (await loadCode(() => import('./other-texts.ts'))).otherTexts[path];
  if (!texts) throw new Error(`There are no texts for ${language}/${area}`);
  return loadCode(texts);
}

/** Loads the texts of one namespace in one language on first use. */
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

/** Returns the current language of the page. */
export const currentLanguage = (): Language => asLanguage(i18next.language) ?? FALLBACK_LANGUAGE;

let asksBrowser = true;

/** Returns the language selected by URL, cookie, session and browser. */
function wantedLanguage(): Language {
  return chooseLanguage({
    guest: isGuestSession(),
    parameter: new URLSearchParams(location.search).get('lang'),
    cookie: languageCookie(document.cookie),
    browser: asksBrowser ? navigator.languages : [],
  });
}

function remember(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and older Safari.
  document.cookie = cookieOf(language);
}

/** Initialises the texts. Resolves when those of the first page can be shown. */
export async function startTexts(): Promise<void> {
  const parameter = asLanguage(new URLSearchParams(location.search).get('lang'));
  if (parameter && !isGuestSession()) remember(parameter);
  i18next.on('languageChanged', () => {
    document.documentElement.lang = htmlLangOf(currentLanguage());
    const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
    if (manifest) manifest.href = `/manifest.${currentLanguage()}.webmanifest`;
  });
  await loadTexts(wantedLanguage());
}

/** Loads the texts that every page needs. */
export async function loadTexts(language: Language): Promise<void> {
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      // The build fills missing texts from English (texts/vite.ts), so no fallback language has to be loaded.
      fallbackLng: false,
      supportedLngs: LANGUAGES.map(({ code }) => code),
      ns: ['common', 'shell'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
}

/** Applies the user's choice of language and stores it for 30 days. */
export async function setLanguage(language: Language): Promise<void> {
  remember(language);
  await i18next.changeLanguage(language);
}

/** Updates the language after the session began or ended: a guest sees English, and the stored choice is unchanged. */
export async function followSession(): Promise<void> {
  const language = wantedLanguage();
  if (language !== currentLanguage()) await i18next.changeLanguage(language);
}

/** Takes Chinese on a first visit whatever the browser asks for, as the preset `literal` does. */
export async function ignoreBrowserLanguages(): Promise<void> {
  asksBrowser = false;
  await followSession();
}

export { i18next };

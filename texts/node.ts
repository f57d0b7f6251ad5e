import { readdirSync, readFileSync } from 'node:fs';
import { FALLBACK_LANGUAGE, isErrorCode, LANGUAGES, type Language } from '@framelift/contract';
import i18next, { type Resource } from 'i18next';
import type { Area } from './types.ts';

const HERE = import.meta.dirname;
const files = readdirSync(`${HERE}/${FALLBACK_LANGUAGE}`);
const resources: Resource = Object.fromEntries(
  LANGUAGES.map(({ code }) => [
    code,
    Object.fromEntries(
      files.map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(`${HERE}/${code}/${file}`, 'utf8'))]),
    ),
  ]),
);

const texts = i18next.createInstance();
void texts.init({
  resources,
  initAsync: false,
  fallbackLng: FALLBACK_LANGUAGE,
  defaultNS: 'common',
  interpolation: { escapeValue: false },
});

/** Returns the texts of an area in one language, with English for missing ones. */
export const textsIn = <A extends Area>(language: Language, area: A) => texts.getFixedT(language, area);

/** Returns the text of an error, with names filled in. Unknown codes read as `internal`. */
export function errorText(code: string, language: Language, values: Readonly<Record<string, string>> = {}): string {
  const text = textsIn(language, 'errors') as (code: string, values: Readonly<Record<string, string>>) => string;
  return text(isErrorCode(code) ? code : 'internal', values);
}

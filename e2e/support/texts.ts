import { readFileSync } from 'node:fs';

import { LANGUAGES, type Language } from '@framelift/contract';

export const LANGUAGE_CODES: readonly Language[] = LANGUAGES.map(({ code }) => code);

/** Returns a text of the web app, e.g. `textOf('ja', 'edit', 'crop.open')` for the label of a button. */
export function textOf(language: Language, area: string, key: string): string {
  const path = new URL(`../../texts/${language}/${area}.json`, import.meta.url);
  let found: unknown = JSON.parse(readFileSync(path, 'utf8'));
  for (const part of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[part];
  if (typeof found !== 'string') throw new Error(`No text ${key} in ${area}`);
  return found;
}

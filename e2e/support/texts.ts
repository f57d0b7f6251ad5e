import { readFileSync } from 'node:fs';

export type Language = 'en' | 'zh' | 'ja';
export const LANGUAGES: readonly Language[] = ['en', 'zh', 'ja'];

/** A text of the web app, e.g. `textOf('ja', 'edit', 'crop.open')`: what a button is called in each language. */
export function textOf(language: Language, area: string, key: string): string {
  const path = new URL(`../../web/src/i18n/${language}/${area}.json`, import.meta.url);
  let found: unknown = JSON.parse(readFileSync(path, 'utf8'));
  for (const part of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[part];
  if (typeof found !== 'string') throw new Error(`No text ${key} in ${area}`);
  return found;
}

import { readdirSync, readFileSync } from 'node:fs';
import { FALLBACK_LANGUAGE } from '@framelift/contract';
import type { Area } from './types.ts';
import type { TextTree } from './vite.ts';

/** All areas, from the files of the English texts. */
export const areas = readdirSync(`${import.meta.dirname}/${FALLBACK_LANGUAGE}`).map(
  (file) => file.replace('.json', '') as Area,
);

export function readTexts(language: string, area: string): TextTree {
  return JSON.parse(readFileSync(`${import.meta.dirname}/${language}/${area}.json`, 'utf8'));
}

/** Returns every text by its full key, like `about.title`. */
export function flatten(texts: TextTree, prefix = ''): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, text] of Object.entries(texts))
    if (typeof text === 'string') all.set(prefix + key, text);
    else for (const [below, inner] of flatten(text, `${prefix}${key}.`)) all.set(below, inner);
  return all;
}

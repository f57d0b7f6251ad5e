import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { FALLBACK_LANGUAGE, LANGUAGES } from '@framelift/contract';
import type { Plugin } from 'vite';

const HERE = import.meta.dirname;

export interface TextTree {
  readonly [key: string]: string | TextTree;
}

/** Returns `texts` with missing ones taken from `fallback`. */
export function fillTexts(texts: TextTree, fallback: TextTree): TextTree {
  const filled = Object.entries(fallback).map(([key, text]) => {
    const own = texts[key];
    if (own === undefined) return [key, text];
    return [key, typeof own === 'string' || typeof text === 'string' ? own : fillTexts(own, text)];
  });
  return Object.fromEntries(filled);
}

/**
 * Adds the English fallback to each language at build time, so that a browser fetches only one language, and tells
 * visitors without JavaScript in every language that it is required.
 *
 * @param area contains the text `noScript`
 */
export function texts(area: 'common' | 'frame'): Plugin {
  const pathOf = (language: string, file: string) => `${HERE}/${language}/${file}`;
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  return {
    name: 'texts',
    enforce: 'pre',
    transform(code, id) {
      const english = pathOf(FALLBACK_LANGUAGE, basename(id));
      if (!id.startsWith(`${HERE}/`) || !id.endsWith('.json') || id === english) return null;
      this.addWatchFile(english);
      const filled = fillTexts(JSON.parse(code), read(english));
      return { code: JSON.stringify(filled), map: { mappings: '' } };
    },
    transformIndexHtml: () => [
      {
        tag: 'noscript',
        injectTo: 'body-prepend',
        children: LANGUAGES.map(({ code, htmlLang }) => ({
          tag: 'p',
          attrs: { lang: htmlLang },
          children: read(pathOf(code, `${area}.json`)).noScript,
        })),
      },
    ],
  };
}

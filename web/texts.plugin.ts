import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

interface Texts {
  readonly [key: string]: string | Texts;
}

/** `texts` with what is missing in it taken from `fallback`. */
export function fillTexts(texts: Texts, fallback: Texts): Texts {
  const filled = Object.entries(fallback).map(([key, text]) => {
    const own = texts[key];
    if (own === undefined) return [key, text];
    return [key, typeof own === 'string' || typeof text === 'string' ? own : fillTexts(own, text)];
  });
  return Object.fromEntries(filled);
}

/** Falls back to English text by text when the app is built, so that a browser fetches one language only. */
export function texts(): Plugin {
  return {
    name: 'texts',
    enforce: 'pre',
    transform(code, id) {
      const file = /^(.*\/src\/i18n\/)(?:zh|ja)(\/\w+\.json)$/.exec(id);
      if (!file) return null;
      const english = `${file[1]}en${file[2]}`;
      this.addWatchFile(english);
      return JSON.stringify(fillTexts(JSON.parse(code), JSON.parse(readFileSync(english, 'utf8'))));
    },
  };
}

import { readdirSync, readFileSync } from 'node:fs';
import { FALLBACK_LANGUAGE, LANGUAGES } from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { fillTexts } from './vite.ts';

type Texts = { readonly [key: string]: string | Texts };

const here = import.meta.dirname;
const codes = LANGUAGES.map(({ code }) => code);
const others = codes.filter((code) => code !== FALLBACK_LANGUAGE);
const areas = readdirSync(`${here}/en`).map((file) => file.replace('.json', ''));
const read = (language: string, area: string): Texts =>
  JSON.parse(readFileSync(`${here}/${language}/${area}.json`, 'utf8'));

function flat(texts: Texts, path = ''): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, text] of Object.entries(texts))
    if (typeof text === 'string') all.set(path + key, text);
    else for (const [below, inner] of flat(text, `${path}${key}.`)) all.set(below, inner);
  return all;
}
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort();

describe.each(areas)('the texts of %s', (area) => {
  const english = flat(read('en', area));

  it.each(others)('[A105] [R-1.languages.1] have the same keys and placeholders in %s', (language) => {
    const translated = flat(read(language, area));
    expect([...translated.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [key, text] of translated)
      expect(placeholders(text), `${language}/${area} ${key}`).toEqual(placeholders(english.get(key) ?? ''));
  });

  it.each(codes)('are never empty in %s', (language) => {
    for (const [key, text] of flat(read(language, area))) expect(text.trim(), key).not.toBe('');
  });

  it('use full-width punctuation in Chinese', () => {
    for (const [key, text] of flat(read('zh', area))) {
      expect(text, key).not.toMatch(/\p{Script=Han}\s?[,;:?!()]|[,;:?!()]\s?\p{Script=Han}/u);
    }
  });
});

it('every language has the same areas', () => {
  for (const code of others) expect(readdirSync(`${here}/${code}`), code).toEqual(readdirSync(`${here}/en`));
});

it('[R-9.languages.2] a text missing in zh or ja is filled from English when the app is built', () => {
  const english = { title: 'Title', steps: { one: 'One', two: 'Two' } };
  expect(fillTexts({ steps: { one: '一' } }, english)).toEqual({ title: 'Title', steps: { one: '一', two: 'Two' } });
});

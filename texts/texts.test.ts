import { readdirSync } from 'node:fs';
import { FALLBACK_LANGUAGE, htmlLangOf, LANGUAGES, type Language } from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { textsIn } from './node.ts';
import { areas, flatten, readTexts } from './testing.ts';
import { fillTexts, type TextTree } from './vite.ts';

const codes = LANGUAGES.map(({ code }) => code);
const others = codes.filter((code) => code !== FALLBACK_LANGUAGE);

const PLURAL = /_(zero|one|two|few|many|other)$/;
const placeholders = (text: string) => [...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name))].sort();

/** Returns the faults of a translation: missing or excess keys, different placeholders, and wrong plural forms. */
function faultsOf(language: Language, translation: TextTree, english: TextTree): string[] {
  const own = flatten(translation);
  const wanted = new Map<string, string>();
  const { pluralCategories } = new Intl.PluralRules(htmlLangOf(language)).resolvedOptions();
  for (const [key, text] of flatten(english)) {
    if (PLURAL.test(key)) for (const form of pluralCategories) wanted.set(key.replace(PLURAL, `_${form}`), text);
    else wanted.set(key, text);
  }
  return [
    ...[...wanted.keys()].filter((key) => !own.has(key)).map((key) => `${key} is missing`),
    ...[...own.keys()].filter((key) => !wanted.has(key)).map((key) => `${key} is not in English`),
    ...[...own].flatMap(([key, text]) => {
      const [is, should] = [placeholders(text), placeholders(wanted.get(key) ?? text)].map(String);
      // Forms of zero, one or two may omit the number.
      return is === should || /_(zero|one|two)$/.test(key) ? [] : [`${key} has {{${is}}}, not {{${should}}}`];
    }),
  ].sort();
}

describe.each(areas)('the texts of %s', (area) => {
  it.each(others)('[A105] [R-1.languages.1] have the same keys and placeholders in %s', (language) => {
    expect(faultsOf(language, readTexts(language, area), readTexts(FALLBACK_LANGUAGE, area))).toEqual([]);
  });

  it.each(codes)('are never empty in %s, and have no space around them', (language) => {
    for (const [key, text] of flatten(readTexts(language, area)))
      expect([key, text]).toEqual([key, text.trim() || 'a text']);
  });

  it('use full-width punctuation in Chinese', () => {
    for (const [key, text] of flatten(readTexts('zh', area))) {
      expect(text, key).not.toMatch(/\p{Script=Han}\s?[,;:?!()]|[,;:?!()]\s?\p{Script=Han}/u);
    }
  });
});

it('missing, further and wrong texts are found, plural forms by the rules of each language', () => {
  const english = { a: 'A {{name}}', b: { c: 'C' }, n_one: '{{count}} day', n_other: '{{count}} days' };
  expect(faultsOf('en', english, english)).toEqual([]);
  expect(faultsOf('ja', { a: '{{name}} A', b: { c: 'C' }, n_other: '{{count}} 日' }, english)).toEqual([]);
  expect(faultsOf('ja', { a: 'A {{nam}}', b: { d: 'D' }, n_one: '{{count}} 日' }, english)).toEqual([
    'a has {{nam}}, not {{name}}',
    'b.c is missing',
    'b.d is not in English',
    'n_one is not in English',
    'n_other is missing',
  ]);
});

it('every folder is a language of the list, and every language has the same areas', () => {
  const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules',
  );
  expect(folders.map(({ name }) => name).sort()).toEqual([...codes].sort());
  const files = areas.map((area) => `${area}.json`);
  for (const code of codes) expect(readdirSync(`${import.meta.dirname}/${code}`), code).toEqual(files);
});

it('[R-9.languages.2] a text missing in zh or ja is filled from English when the app is built', () => {
  const english = { title: 'Title', steps: { one: 'One', two: 'Two' } };
  expect(fillTexts({ steps: { one: '一' } }, english)).toEqual({ title: 'Title', steps: { one: '一', two: 'Two' } });
});

it('what people have typed is filled in as it is', () => {
  const name = '$t(errors:internal) {{name}} $& <b>';
  expect(textsIn('ja', 'emails')('greetingNamed', { name })).toBe(`${name}様`);
});

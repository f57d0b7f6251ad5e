import { describe, expect, it } from 'vitest';
import { languageOf } from './language.ts';

describe('the language of an answer', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['ja', 'ja'],
    ['zh-TW,zh;q=0.9,en;q=0.8', 'zh'],
    ['zh-Hant-HK', 'zh'],
    ['zh', 'zh'],
    ['zh-Hans-CN', 'zh'],
    ['zh-CN,zh-Hans;q=0.9,ja;q=0.8', 'ja'],
    ['fr-FR,fr;q=0.9', 'en'],
    ['fr, ja;q=0.3, en;q=0.7', 'en'],
    ['en;q=0.1, ja;q=0.9', 'ja'],
    ['ja;q=0, zh', 'zh'],
    ['*', 'en'],
    ['nonsense;;;q=x,,', 'en'],
  ])('of "%s" is %s', (header, language) => {
    expect(languageOf(header)).toBe(language);
  });
});

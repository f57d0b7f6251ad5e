import { expect, test } from 'vitest';
import { noticeFor } from './notice.ts';

test('a screen speaks the first of its languages that we know', () => {
  expect(noticeFor(['fr-FR', 'ja-JP', 'en']).htmlLang).toBe('ja');
  expect(noticeFor(['zh-HK']).htmlLang).toBe('zh-Hant-TW');
});

test('a screen of any other language speaks English', () => {
  expect(noticeFor(['fr-FR', 'de']).htmlLang).toBe('en');
  expect(noticeFor([]).htmlLang).toBe('en');
});

import { chooseLanguage } from '@framelift/contract';
import { expect, it } from 'vitest';
import { cookieOf, languageCookie } from './detect.ts';

const visitor = { guest: false, parameter: null, cookie: null, browser: [] };

it('[A104] [R-1.guest.8] shows a guest English, whatever parameter, cookie and browser say', () => {
  expect(chooseLanguage({ guest: true, parameter: 'ja', cookie: 'zh', browser: ['ja'] })).toBe('en');
});

it('[R-2.query.4] takes the parameter before the cookie, and both before the browser', () => {
  expect(chooseLanguage({ ...visitor, parameter: 'ja', cookie: 'en', browser: ['zh-TW'] })).toBe('ja');
  expect(chooseLanguage({ ...visitor, cookie: 'en', browser: ['zh-TW'] })).toBe('en');
});

it.each([
  [['ja-JP', 'en'], 'ja'],
  [['fr-FR', 'en-GB', 'ja'], 'en'],
  [['zh'], 'zh'],
  [['zh-TW', 'en'], 'zh'],
  [['zh-HK', 'en'], 'zh'],
  [['zh-MO', 'en'], 'zh'],
  [['zh-Hant', 'en'], 'zh'],
  [['zh-Hant-CN', 'en'], 'zh'],
  [['zh-CN', 'zh', 'en'], 'zh'],
  [['zh-CN', 'ja'], 'ja'],
  [['zh-Hans', 'en'], 'en'],
  [['zh-Hans-TW', 'zh-SG', 'en-US'], 'en'],
  [['not a tag', '', '*', 'ja'], 'ja'],
] as const)('follows the languages %j of the browser on the first visit [R-2.header.8]', (browser, language) => {
  expect(chooseLanguage({ ...visitor, browser })).toBe(language);
});

it('[R-2.header.8] is Chinese where the browser has none of ours, is not asked, and where the choice makes no sense', () => {
  expect(chooseLanguage({ ...visitor, browser: ['fr', 'zh-CN'] })).toBe('zh');
  expect(chooseLanguage(visitor)).toBe('zh');
  expect(chooseLanguage({ ...visitor, parameter: 'fr', cookie: 'xx' })).toBe('zh');
});

it('[R-4.lang-change.1] [R-9.session.2] keeps a choice for 30 days in a cookie that it finds again', () => {
  expect(cookieOf('ja')).toContain('max-age=2592000');
  expect(languageCookie(`a=b; ${cookieOf('ja').split(';')[0]}; c=d`)).toBe('ja');
  expect(languageCookie('slang=en')).toBeNull();
});

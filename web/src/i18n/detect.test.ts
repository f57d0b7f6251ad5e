import { expect, it } from 'vitest';
import { chooseLanguage, cookieOf, languageCookie } from './detect.ts';

it('[A104] [R-1.guest.8] shows a guest English, whatever parameter and cookie say', () => {
  expect(chooseLanguage({ guest: true, parameter: 'ja', cookie: 'zh' })).toBe('en');
});

it('[R-2.query.4] takes the parameter before the cookie', () => {
  expect(chooseLanguage({ guest: false, parameter: 'ja', cookie: 'en' })).toBe('ja');
  expect(chooseLanguage({ guest: false, parameter: null, cookie: 'en' })).toBe('en');
});

it('[R-2.header.8] is Chinese on the very first load, and where the choice makes no sense', () => {
  expect(chooseLanguage({ guest: false, parameter: null, cookie: null })).toBe('zh');
  expect(chooseLanguage({ guest: false, parameter: 'fr', cookie: 'xx' })).toBe('zh');
});

it('[R-4.lang-change.1] [R-9.session.2] keeps a choice for 30 days in a cookie that it finds again', () => {
  expect(cookieOf('ja')).toContain('max-age=2592000');
  expect(languageCookie(`a=b; ${cookieOf('ja').split(';')[0]}; c=d`)).toBe('ja');
  expect(languageCookie('slang=en')).toBeNull();
});

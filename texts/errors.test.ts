import { readFileSync } from 'node:fs';
import {
  ERRORS,
  type ErrorCode,
  FILE_TYPES,
  fileTypes,
  isErrorCode,
  LANGUAGES,
  type Language,
} from '@framelift/contract';
import { describe, expect, it } from 'vitest';
import { errorText } from './node.ts';

const codes = Object.keys(ERRORS) as ErrorCode[];
/** Pattern that every text of a language must match. */
const SCRIPT: Record<Language, RegExp> = {
  en: /^[\x20-\x7e’“”–…×]+$/,
  zh: /\p{Script=Han}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
};

describe('the texts of errors', () => {
  it.each(codes)('has a sentence for %s in each language, written in that language', (code) => {
    for (const { code: language } of LANGUAGES) {
      const text = errorText(code, language);
      expect(text.trim()).toBe(text);
      expect(text).toMatch(SCRIPT[language]);
      expect(text).not.toBe(code);
    }
    expect(errorText(code, 'zh')).not.toMatch(SCRIPT.ja);
  });

  it('has no text without a code', () => {
    const texts = JSON.parse(readFileSync(`${import.meta.dirname}/en/errors.json`, 'utf8'));
    expect(Object.keys(texts).sort()).toEqual([...codes].sort());
  });

  it.each([
    ['systemBusy', 'R-8.catalogue.8'],
    ['updatePasswordFailed', 'R-8.catalogue.11'],
    ['invalidExtension', 'R-8.catalogue.17'],
    ['UploadTimeOut', 'R-8.catalogue.19'],
  ])('knows %s with a text in en, zh and ja [%s]', (code) => {
    expect(isErrorCode(code)).toBe(true);
    const texts = LANGUAGES.map(({ code: language }) => errorText(code, language));
    expect(new Set(texts).size).toBe(3);
    expect(texts).not.toContain(errorText('internal', 'en'));
  });

  it('tells the user to clear the album when the storage is full [R-8.catalogue.18]', () => {
    expect(errorText('storageLimitReached', 'en')).toMatch(/clear your album/);
  });

  it('tells the user to register again, or to ask for a new link, when a code is wrong or too old [R-8.catalogue.14][R-8.catalogue.15]', () => {
    for (const code of ['incorrectVerificationCode', 'expiredVerificationCode'])
      expect(errorText(code, 'en')).toMatch(/register again.*new link/);
  });

  it.each([
    ['fileUploadFailed', 'File upload failed.', 'R-8.catalogue.21'],
    ['statusChangingFailed', 'Status changing failed', 'R-8.catalogue.22'],
    ['errorUploadingFile', 'Error uploading file', 'R-8.catalogue.23'],
  ])('knows %s by the words %j [%s]', (code, text) => {
    expect(isErrorCode(code)).toBe(true);
    expect(errorText(code, 'en')).toBe(text);
  });

  it.each([
    ['tokenExpired', 'token expired / please login again'],
    ['networkError', 'Network Error / Please check your network quality'],
    ['readerError', 'reader error'],
    ['changePermissionExpired', 'change failed, permission expired'],
    ['invalidEmail', 'Invalid Format, Please Re-enter Email'],
    ['transactionFailed', 'transaction failed!'],
    ['noProductType', "There's no product_type detected."],
    ['selectFile', 'Please select a file to upload.'],
    ['upload_up_to_limit', 'Please choose media size less than 50MB'],
  ])('keeps the literal English of %s', (code, text) => {
    expect(errorText(code, 'en')).toBe(text);
  });

  it.each([
    ['notAPicture', 'picture'],
    ['notAFilm', 'video'],
  ] as const)('names in %s all types that are accepted, and no other list anywhere [U17]', (code, kind) => {
    const names = fileTypes(kind, 'all').map((type) => FILE_TYPES[type].name);
    for (const { code: language } of LANGUAGES) {
      const text = errorText(code, language);
      for (const name of names) expect(text).toContain(name);
      expect(errorText('invalidExtension', language)).not.toMatch(/jpe?g|png|mp4|mkv/i);
    }
  });

  it('answers an unknown code as an error of our side, never with the bare code', () => {
    expect(errorText('noSuchCode', 'en')).toBe(errorText('internal', 'en'));
    expect(errorText('toString', 'en')).toBe(errorText('internal', 'en'));
  });
});

import { describe, expect, it } from 'vitest';
import { api } from './endpoints.ts';
import {
  cursor,
  email,
  isStrongPassword,
  newPassword,
  notice,
  phone,
  shortName,
  shortText,
  smallIdText,
} from './fields.ts';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('fields', () => {
  it('accept a password of 8 characters with uppercase, lowercase and a digit, and no less [R-5.password.1]', () => {
    expect(['Abcdefg1', 'ÄÖÜäöü12', `Aa1${'x'.repeat(125)}`].filter((text) => !accepts(newPassword, text))).toEqual([]);
    expect(
      ['Abcdef1', 'abcdefg1', 'ABCDEFG1', 'Abcdefgh', '', `Aa1${'x'.repeat(126)}`].filter((text) =>
        accepts(newPassword, text),
      ),
    ).toEqual([]);
    expect(isStrongPassword('Abcdefg1')).toBe(true);
    expect(newPassword.parse('  Abcdefg1  ')).toBe('  Abcdefg1  ');
  });

  it('count 30 characters as people do, after making equal names equal', () => {
    expect(accepts(shortName, '字'.repeat(30))).toBe(true);
    expect(accepts(shortName, '字'.repeat(31))).toBe(false);
    expect(accepts(shortName, '🦜'.repeat(30))).toBe(true);
    expect(shortName.parse('  Zoe\u0308 ')).toBe('Zoë');
    for (const name of ['', '   ', 'a\u0000b', 'a\nb'])
      expect(accepts(shortName, name), JSON.stringify(name)).toBe(false);
  });

  it('count families and flags as one character each, and no character without end [S10]', () => {
    const names = ['👨‍👩‍👧‍👦'.repeat(5) + '🇹🇼'.repeat(16), '👨🏽‍❤️‍💋‍👨🏿'.repeat(30), '🏴󠁧󠁢󠁥󠁮󠁧󠁿'.repeat(30), 'क्षि'.repeat(30)];
    for (const name of names) expect(shortName.parse(name)).toBe(name.normalize('NFC'));
    for (const name of ['🇹🇼'.repeat(31), `a${'\u0301'.repeat(30)}`, `a${'\u200d'.repeat(1_000_000)}`])
      expect(accepts(shortName, name), name.slice(0, 20)).toBe(false);
  });

  it('refuse names of letters that cannot be seen, one or many, and keep those with a visible one [W26]', () => {
    const unseen =
      '\u3164\u2800\u115f\u1160\uffa0\u034f\ufe0f\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2064\ufeff\u00ad\u061c\u17b4\u{e0061}\u{e0100}\u{1d159}\u{1d173}\u{13441}\ue000\ud800';
    for (const letter of unseen) {
      for (const name of [letter, ` ${letter} ${letter}`]) {
        expect(accepts(shortName, name), JSON.stringify(name)).toBe(false);
        expect(accepts(shortText, name), JSON.stringify(name)).toBe(name.trim() === '');
        expect(accepts(notice, name), JSON.stringify(name)).toBe(false);
      }
    }
    expect(accepts(shortText, '')).toBe(true);
    for (const name of ['می‌خواهم', '❤️', '한', '⠓', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '.']) expect(accepts(shortName, name), name).toBe(true);
  });

  it('accept mail addresses up to 254 characters, trimmed', () => {
    expect(email.parse(' Mia@Example.com ')).toBe('Mia@Example.com');
    for (const text of ['mia', 'mia@', '@x.co', 'a b@x.co', 'a@b@c.de', `${'a'.repeat(250)}@x.co`])
      expect(accepts(email, text), text).toBe(false);
  });

  it('accept phone numbers as people write them', () => {
    expect(['', '+886 2 1234-5678', '(02) 1234 5678'].every((text) => accepts(phone, text))).toBe(true);
    expect(['phone', '1'.repeat(21), '12+3'].some((text) => accepts(phone, text))).toBe(false);
  });

  it('read small ids from a query', () => {
    expect(smallIdText.parse('12')).toBe(12);
    for (const text of ['', '-1', '1.5', '1e3', '99999999999', '2147483648'])
      expect(accepts(smallIdText, text), text).toBe(false);
    expect(accepts(cursor, 'x'.repeat(201))).toBe(false);
  });

  it('need every field of a registration but the phone and the captcha [R-5.register.3]', () => {
    const whole = {
      name: 'Mia',
      email: 'a@b.co',
      password: 'Abcdefg1',
      password_confirmation: 'Abcdefg1',
      isChecked: true,
    };
    expect(api.register.input.parse(whole)).toEqual({ ...whole, phone: '' });
    for (const key of Object.keys(whole)) {
      const { [key as keyof typeof whole]: _, ...lacking } = whole;
      expect(accepts(api.register.input, lacking), key).toBe(false);
    }
  });

  it('need a non-empty address and password for a login [R-5.login.1]', () => {
    const { input } = api.login;
    expect(accepts(input, { email: 'a', password: 'b' })).toBe(true);
    for (const wrong of [{ email: '', password: 'b' }, { email: ' ', password: 'b' }, { email: 'a', password: '' }, {}])
      expect(accepts(input, wrong)).toBe(false);
  });
});

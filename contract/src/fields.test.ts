import { describe, expect, it } from 'vitest';
import { emailKey } from './email-address.ts';
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

  it('read and count a password in one form, however its letters and spaces were typed [W22]', () => {
    expect(newPassword.parse('Cafe\u0301\u3000Paris\u00a01')).toBe('Café Paris 1');
    const composed = `Aa1${'ế'.repeat(125)}`;
    expect(newPassword.parse(composed.normalize('NFD'))).toBe(composed);
    expect(accepts(newPassword, `${composed}ế`.normalize('NFD'))).toBe(false);
    // Seven letters, although ten characters were sent.
    expect(accepts(newPassword, 'Abc1éèê'.normalize('NFD'))).toBe(false);
    expect(isStrongPassword('Abc1éèê'.normalize('NFD'))).toBe(false);
    expect(accepts(api.login.input, { email: 'a', password: composed.normalize('NFD') })).toBe(true);
  });

  it('count 30 characters as people do, after making equal names equal [R-9.text.1]', () => {
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

  it('accept the addresses that browsers accept, with an international domain in ASCII [W23]', () => {
    for (const text of [
      'foo..bar@docomo.ne.jp',
      'x.@ezweb.ne.jp',
      '.a-b.@softbank.ne.jp',
      'a&b@example.com',
      "o'neil/x=y?{z}|~`^*#$%!+tag@sub.example.co.uk",
      'a_b@xn--mnchen-3ya.de',
      '123@1und1.de',
    ])
      expect(email.parse(text)).toBe(text);
    expect(email.parse('user@münchen.de')).toBe('user@xn--mnchen-3ya.de');
    expect(email.parse('user@MU\u0308NCHEN.de')).toBe('user@xn--mnchen-3ya.de');
    expect(email.parse('mei@例え。テスト')).toBe('mei@xn--r8jz45g.xn--zckzah');
    expect(emailKey('User@MÜNCHEN.de')).toBe(emailKey('user@xn--mnchen-3ya.DE'));
    for (const text of [
      'mia@example',
      'mia@-x.de',
      'mia@x-.de',
      'mia@x..de',
      'mia@.de',
      'mia@x.de.',
      `mia@${'x'.repeat(64)}.de`,
      'mia@127.0.0.1',
      'mia@１２７.１',
      'mia@münchen.de:25',
      'mia@münchen.de/x',
      'mia@x%2eé.de',
      'mia@[127.0.0.1]',
      'a,b@x.de',
      '<mia@x.de>',
      '"mia"@x.de',
      'mia\\@x.de',
      'mia@x.de\nbcc: a@b.de',
      'mia\r\n@x.de',
      'mia@x\u0000.de',
      'mia\u200b@x.de',
      'mia@mün\u3000chen.de',
      '美@例え.jp',
      `a@${'ü'.repeat(200)}.de`,
      `${'a'.repeat(237)}@münchen.de`,
    ])
      expect(accepts(email, text), JSON.stringify(text)).toBe(false);
  });

  it('accept phone numbers as people write them', () => {
    expect(['', '+886 2 1234-5678', '(02) 1234 5678'].every((text) => accepts(phone, text))).toBe(true);
    expect(['phone', '1'.repeat(21), '12+3'].some((text) => accepts(phone, text))).toBe(false);
  });

  it('keep a phone number in one form, whatever signs it was typed with [W24]', () => {
    for (const [typed, stored] of [
      ['', ''],
      ['  ', ''],
      ['＋８１　９０‐１２３４‐５６７８', '+81 90-1234-5678'],
      ['090\u20101234\u20115678', '090-1234-5678'],
      ['090\u20121234\u20135678', '090-1234-5678'],
      ['090\u20141234\u20155678', '090-1234-5678'],
      ['090\u22121234\uff0d5678', '090-1234-5678'],
      ['０９０ー１２３４ｰ５６７８', '090-1234-5678'],
      ['02.1234.5678', '02-1234-5678'],
      ['02  1234\u00a05678', '02 1234 5678'],
      ['02 - 1234 -- 5678', '02-1234-5678'],
      ['（０２）１２３４－５６７８', '(02)1234-5678'],
      ['+49 (0) 89 123456', '+49 (0) 89 123456'],
      ['(+886) 2 1234 5678', '(+886) 2 1234 5678'],
      ['\u202a+886 2 1234 5678\u202c', '+886 2 1234 5678'],
      ['02-1234-5678 ext. 12', '02-1234-5678 ext. 12'],
      ['02-1234-5678 Ext12', '02-1234-5678 ext. 12'],
      ['02-1234-5678, extension 12', '02-1234-5678 ext. 12'],
      ['02-1234-5678#123', '02-1234-5678 ext. 123'],
      ['０２－１２３４－５６７８＃１２３', '02-1234-5678 ext. 123'],
      ['02-1234-5678x12', '02-1234-5678 ext. 12'],
      ['02-1234-5678 分機 12', '02-1234-5678 ext. 12'],
      ['03-1234-5678 内線12', '03-1234-5678 ext. 12'],
    ] as const) {
      expect(phone.parse(typed), typed).toBe(stored);
      expect(phone.parse(stored), stored).toBe(stored);
    }
    for (const nonsense of [
      'phone',
      'call 02-1234-5678',
      '-',
      '()',
      '+',
      '12',
      '++886 2 1234',
      '1234+5678',
      '(02 1234 5678',
      '02) 1234 5678',
      '((02)) 1234',
      '02-1234-',
      '-02 1234',
      '1234567890123456',
      '0x1234567890123',
      '02-1234-5678 ext.',
      '02-1234-5678 ext. 12345678',
      '#123',
      'ext. 12',
      '02-1234-5678 x1 x2',
      '1234\n5678\u0000',
      '<b>1234</b>',
      'a@b.de',
      '½1234',
      '1'.repeat(10_000),
    ])
      expect(accepts(phone, nonsense), JSON.stringify(nonsense)).toBe(false);
  });

  it('read small ids from a query', () => {
    expect(smallIdText.parse('12')).toBe(12);
    for (const text of ['', '-1', '1.5', '1e3', '99999999999', '2147483648'])
      expect(accepts(smallIdText, text), text).toBe(false);
    expect(accepts(cursor, 'x'.repeat(601))).toBe(false);
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

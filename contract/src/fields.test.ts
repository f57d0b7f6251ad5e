import { describe, expect, it } from 'vitest';
import { api } from './endpoints.ts';
import { cursor, email, isStrongPassword, newPassword, phone, shortName, smallIdText } from './fields.ts';

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

import { expect, it } from 'vitest';
import { looksLikeEmail } from '../../ui/field-rules.ts';
import { checkRegistration } from './check-registration.ts';

const good = {
  name: 'Mei',
  email: 'mei@example.com',
  phone: '',
  password: 'Passw0rd',
  passwordConfirmation: 'Passw0rd',
};

it('accepts a complete form; the phone may stay empty', () => {
  expect(checkRegistration(good)).toEqual({});
  expect(checkRegistration({ ...good, phone: '+886 (2) 1234-5678' })).toEqual({});
});

it('[R-5.register.3] needs all fields complete', () => {
  const empty = { name: ' ', email: '', phone: '', password: '', passwordConfirmation: '' };
  expect(checkRegistration(empty)).toEqual({
    name: 'required',
    email: 'required',
    password: 'required',
    passwordConfirmation: 'required',
  });
});

it('[R-5.register.4] needs matching passwords', () => {
  expect(checkRegistration({ ...good, passwordConfirmation: 'passw0rd' })).toEqual({
    passwordConfirmation: 'passwordsDoNotMatch',
  });
});

it('compares and counts passwords in the form in which the server keeps them [W22]', () => {
  const password = 'Café-Paris-1';
  const decomposed = password.normalize('NFD');
  expect(checkRegistration({ ...good, password, passwordConfirmation: decomposed })).toEqual({});
  const long = `Aa1${'é'.repeat(125)}`.normalize('NFD');
  expect(checkRegistration({ ...good, password: long, passwordConfirmation: long })).toEqual({});
  const longer = `${long}é`;
  expect(checkRegistration({ ...good, password: longer, passwordConfirmation: longer })).toEqual({
    password: 'passwordTooLong',
  });
  const short = 'Aa1éèêë'.normalize('NFD');
  expect(checkRegistration({ ...good, password: short, passwordConfirmation: short })).toEqual({
    password: 'passwordTooWeak',
  });
});

it('[R-5.register.5] knows an address from something else, by the rule of the server [W23]', () => {
  for (const address of [
    'mei@example.com',
    ' mei@example.com ',
    'm.e+i@sub.example.co.jp',
    'mei@例え.jp',
    'm..i.@docomo.ne.jp',
  ])
    expect(looksLikeEmail(address), address).toBe(true);
  for (const other of [
    'mei',
    'mei@',
    '@example.com',
    'mei@example',
    'me i@example.com',
    'mei@exa mple.com',
    '美@例え.jp',
  ])
    expect(checkRegistration({ ...good, email: other }), other).toEqual({ email: 'invalidEmail' });
});

it('refuses letters and lengths that no phone number has [W24]', () => {
  expect(checkRegistration({ ...good, phone: 'call me' })).toEqual({ phone: 'invalidPhone' });
  expect(checkRegistration({ ...good, phone: '1'.repeat(21) })).toEqual({ phone: 'invalidPhone' });
  expect(checkRegistration({ ...good, phone: '０９０‐１２３４‐５６７８ ext. 12' })).toEqual({});
});

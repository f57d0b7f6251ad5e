import { expect, it } from 'vitest';
import { confirmationOf } from './confirmation-link.ts';

it('[A49] reads code and address out of a pasted link, and takes over nothing else', () => {
  const link = ' https://framelift.example/confirmation?code=a-b_c&email=mei%2Bx%40example.com&redirect=//evil ';
  expect(confirmationOf(link)?.toString()).toBe('code=a-b_c&email=mei%2Bx%40example.com');
});

it.each(['', 'hello', 'https://framelift.example/confirmation', 'https://framelift.example/?code=abc'])(
  'says that %j is no confirmation link',
  (text) => {
    expect(confirmationOf(text)).toBeNull();
  },
);

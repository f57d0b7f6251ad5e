import { expect, it } from 'vitest';
import { containsPersonalInfo } from './contains-personal-info.ts';

const owner = { name: 'Mei Lin Chen', email: 'mei.lin+home@example.com' };

it.each(['ChenChen-1', 'x-MEI.LIN-2026', 'Meilin-2026', 'Home-Sweet-1', 'Framelift1', 'ＣＨＥＮ-2026a'])(
  'a password such as %j holds what is known of its owner or of us',
  (password) => {
    expect(containsPersonalInfo(password, owner)).toBe(true);
  },
);

it.each(['Lifted-2-Depth', 'Mei-Lin-2026', 'Example-2026'])('a password such as %j does not', (password) => {
  expect(containsPersonalInfo(password, owner)).toBe(false);
});

it('names of two characters count where two are a whole name, and what is still empty never does', () => {
  expect(containsPersonalInfo('Abc美香-2026', { name: '美香', email: 'mika@example.com' })).toBe(true);
  expect(containsPersonalInfo('Lifted-2-Depth', { name: '', email: '' })).toBe(false);
});

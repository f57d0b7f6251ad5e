import { expect, it } from 'vitest';
import { pageKey, transitionTo } from './transition.ts';

it('[R-2.transition.1] [R-2.transition.2] [R-2.transition.3] slides up, slides down, and fades elsewhere', () => {
  expect(transitionTo('/mainindex')).toBe('slide-up');
  expect(transitionTo('/login')).toBe('slide-down');
  expect(transitionTo('/LOGIN/')).toBe('slide-down');
  expect(transitionTo('/')).toBe('fade');
  expect(transitionTo('/menu/video')).toBe('fade');
});

it('[R-2.login.5] login and register are one page, so that switching the tab keeps what was typed', () => {
  expect(pageKey('/login')).toBe(pageKey('/Register'));
  expect(pageKey('/menu')).not.toBe(pageKey('/menu/video'));
});

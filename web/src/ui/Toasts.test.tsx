// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { call } from '../api/client.ts';
import { showError } from '../shared/show-error.ts';
import { answerCalls, refusal, showPage } from '../testing/page.tsx';
import { showToast, toasts } from './toasts.ts';

afterEach(() => {
  act(() => toasts.hide('error'));
  vi.useRealTimers();
});

const ENTER_MS = 150;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const stateOf = (text: string) => screen.queryByText(text)?.closest('[data-state]')?.getAttribute('data-state');

/** Shows what the server refuses, with its lines. */
async function refuse() {
  await showPage(null);
  answerCalls(() => refusal(422, 'loginFailed', 'That was not right.', ['The first line.']));
  const failure = await call('config').catch((error: unknown) => error);
  vi.useFakeTimers();
  await act(async () => showError(failure));
  await pass(ENTER_MS);
}

it('a refusal of the server is shown for 2 s and fades for 0.5 s [X5] [R-8.transport.1]', async () => {
  await refuse();
  expect(screen.getByText('The first line.')).toBeTruthy();
  await pass(1999);
  expect(stateOf('That was not right.')).toBe('shown');
  await pass(1);
  expect(stateOf('That was not right.')).toBe('hide');
  await pass(500);
  expect(screen.queryByText('That was not right.')).toBeNull();
});

it('no answer of the server is told for 5 s [X5] [R-8.transport.3]', async () => {
  await showPage(null);
  answerCalls(() => Promise.reject(new TypeError('Failed to fetch')));
  const failure = await call('config').catch((error: unknown) => error);
  vi.useFakeTimers();
  await act(async () => showError(failure));
  const text = 'Network Error / Please check your network quality';
  await pass(ENTER_MS + 4999);
  expect(stateOf(text)).toBe('shown');
  await pass(1);
  expect(stateOf(text)).toBe('hide');
});

it('any other message is shown for 5 s [X5] [R-9.timing.1]', async () => {
  await showPage(null);
  vi.useFakeTimers();
  await act(async () => showToast({ kind: 'success', text: 'Saved.' }));
  await pass(ENTER_MS + 4999);
  expect(stateOf('Saved.')).toBe('shown');
  await pass(1);
  expect(stateOf('Saved.')).toBe('hide');
  await pass(500);
  expect(screen.queryByText('Saved.')).toBeNull();
});

it.each([
  ['the focus', (toast: Element) => fireEvent.focusIn(toast), (toast: Element) => fireEvent.focusOut(toast)],
  ['the pointer', (toast: Element) => fireEvent.mouseOver(toast), (toast: Element) => fireEvent.mouseOut(toast)],
])('a message stays while %s is on it, and counts anew afterwards [X5] [R-4.toast.1] [A109]', async (_, come, go) => {
  await refuse();
  const close = screen.getByRole('button', { name: 'Close' });
  act(() => void come(close));
  await pass(60_000);
  expect(stateOf('That was not right.')).toBe('shown');
  act(() => void go(close));
  await pass(1999);
  expect(stateOf('That was not right.')).toBe('shown');
  await pass(1);
  expect(stateOf('That was not right.')).toBe('hide');
});

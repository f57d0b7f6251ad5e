// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it } from 'vitest';
import { call } from '../api/client.ts';
import { startTexts } from '../i18n/index.ts';
import { answerCalls, refusal } from '../testing/page.tsx';
import { toasts } from '../ui/toasts.ts';
import { showError } from './show-error.ts';

beforeAll(async () => {
  // biome-ignore lint/suspicious/noDocumentCookie: the app reads it there.
  document.cookie = 'lang=en; path=/';
  await startTexts();
});
afterEach(() => toasts.hide('error'));

const shown = () => toasts.current().find(({ kind, state }) => kind === 'error' && state !== 'hide');
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('the call should fail'),
    (error: unknown) => error,
  );

it('[R-8.transport.3] says for 5 s that no answer came', async () => {
  answerCalls(() => Promise.reject(new TypeError('Failed to fetch')));
  showError(await failureOf(call('config')));
  expect(shown()).toMatchObject({ text: 'Network Error / Please check your network quality', ms: 5000 });
});

it("[R-8.transport.1] shows the server's sentence with its lines", async () => {
  answerCalls(() => refusal(422, 'loginFailed', 'That was not right.', ['one', 'two']));
  showError(await failureOf(call('config')));
  expect(shown()).toMatchObject({ text: 'That was not right.', lines: ['one', 'two'] });
});

it('[R-8.transport.4] shows the message of any other failure', () => {
  showError(new Error('Something odd'));
  expect(shown()).toMatchObject({ text: 'Something odd' });
});

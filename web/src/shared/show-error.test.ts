// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it } from 'vitest';
import { call } from '../api/client.ts';
import { i18next, startTexts } from '../i18n/index.ts';
import { startQueries } from '../start.ts';
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

it('for too few points leads to the page on which they are bought', async () => {
  answerCalls(() => refusal(402, 'notEnoughPoints', 'You do not have enough points. Please top up.'));
  showError(await failureOf(call('config')));
  const action = { label: 'Buy points', to: '/addValue' };
  expect(shown()).toMatchObject({ text: 'You do not have enough points. Please top up.', action, ms: 5000 });
});

it('[R-8.transport.4] shows the message of any other failure', () => {
  showError(new Error('Something odd'));
  expect(shown()).toMatchObject({ text: 'Something odd' });
});

it.each([
  ['en', /larger than the server in front of Framelift allows/, /try again in a minute/, /log in there/],
  ['zh', /超過 Framelift 前端伺服器允許的大小/, /一分鐘後再試一次/, /請登入後再試一次/],
  ['ja', /手前のサーバーが受け付ける大きさを超えて/, /1分ほど待って/, /ログインしてから/],
] as const)(
  'says in %s what a proxy or the login page of a network answered [W30]',
  async (language, tooLarge, away, portal) => {
    await i18next.changeLanguage(language);
    startQueries();
    const said = async (status: number) => {
      answerCalls(() => ({ status, body: '<html>nginx</html>' }));
      showError(await failureOf(call('config')));
      const text = shown()?.text;
      toasts.hide('error');
      return text;
    };
    expect(await said(413)).toMatch(tooLarge);
    for (const status of [502, 503, 504]) expect(await said(status)).toMatch(away);
    expect(await said(200)).toMatch(portal);
    expect(await said(429)).toBe(i18next.t('tooManyRequests'));
  },
);

// @vitest-environment happy-dom
import { configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { GuestEntry } from '../../features/auth/GuestEntry.tsx';
import { aConfig } from '../../testing/config.ts';
import { aMember, answerCalls, type SentCall, showPage, success } from '../../testing/page.tsx';

configure({ asyncUtilTimeout: 8000 });
afterEach(() => {
  delete window.grecaptcha;
  vi.restoreAllMocks();
});

const recaptcha = { siteKey: 'the site key', script: 'https://google.test/recaptcha/api.js' };
const config = { ...aConfig, captcha: 'recaptcha' as const, recaptcha };
const enter = () => fireEvent.click(screen.getByRole('button', { name: 'Continue as guest' }));

async function showEntry(): Promise<(path: string) => SentCall[]> {
  const sent = answerCalls(({ path }) =>
    path === '/config' ? success(config) : success({ token: 't', user: { ...aMember, isGuest: true } }),
  );
  await showPage(<GuestEntry />);
  return (path) => sent.filter((call) => call.path === path);
}

/** Simulates Google's script: `answer` is called when it is requested. */
function answerScript(answer: (script: HTMLScriptElement) => void): string[] {
  const asked: string[] = [];
  const append = document.head.append.bind(document.head);
  vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
    for (const node of nodes)
      if (node instanceof HTMLScriptElement && node.src.startsWith(recaptcha.script)) {
        asked.push(node.src);
        queueMicrotask(() => answer(node));
      } else append(node);
  });
  return asked;
}

it('a script of Google that cannot be loaded is told, and nothing is sent', async () => {
  const sent = await showEntry();
  answerScript((script) => script.onerror?.(new Event('error')));
  enter();
  expect(await screen.findByText(/^The robot check could not be loaded/)).toBeTruthy();
  expect(sent('/guestLogin')).toHaveLength(0);
});

it('reCAPTCHA is asked for a token of this form once it is sent, by a script of Google, and the token goes along [R-7.misc.4]', async () => {
  const sent = await showEntry();
  const executed: unknown[] = [];
  const asked = answerScript((script) => {
    window.grecaptcha = {
      ready: (run) => run(),
      execute: async (...given) => {
        executed.push(given);
        return 'the token';
      },
    };
    script.onload?.(new Event('load'));
  });
  expect(asked).toEqual([]);
  enter();
  await waitFor(() => expect(sent('/guestLogin')).toHaveLength(1));
  expect(asked).toEqual([`${recaptcha.script}?render=the%20site%20key`]);
  expect(executed).toEqual([['the site key', { action: 'guest' }]]);
  expect(sent('/guestLogin')[0]?.input).toMatchObject({ recaptcha: 'the token' });
});

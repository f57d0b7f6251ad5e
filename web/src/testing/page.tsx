import type { User } from '@framelift/contract';
import { MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { BrowserRouter, useLocation } from 'react-router';
import { afterEach, vi } from 'vitest';
import { forgetSession } from '../api/session.ts';
import { i18next, startTexts } from '../i18n/index.ts';
import { UploadDialogProvider } from '../shared/upload-dialog.tsx';
import { startQueries } from '../start.ts';
import { cssVariablesResolver, theme } from '../theme.ts';
import { Toasts } from '../ui/Toasts.tsx';
import { toasts } from '../ui/toasts.ts';

/** A confirmed member as returned by `GET user`. */
export const aMember: User = {
  id: '6f1f9f0c-3f6e-4a55-9b52-0d6c1f1b2a3c',
  name: 'Mei',
  email: 'mei@example.com',
  phone: '',
  points: 0,
  freePoints: 0,
  myPlan: { plan: { id: 1, icon: '', name: '' } },
  isAdmin: false,
  VIP: false,
  videoSeconds: 0,
  adsTimes: 0,
  isGuest: false,
  isConfirmed: true,
  deletionAt: null,
};

/** Without a layout the button of every menu counts as scrolled out of view, which would hide the menu. */
const testTheme = mergeThemeOverrides(theme, { components: { Popover: { defaultProps: { hideDetached: false } } } });

type Answer = { status?: number; headers?: Record<string, string>; body: unknown };

/** One call as the browser would have sent it. */
export interface SentCall {
  readonly method: string;
  readonly path: string;
  readonly input: unknown;
  readonly language: string | null;
}

// On a busy machine the library's default timeout of one second expires before a lazy page is loaded.
configure({ asyncUtilTimeout: 8000 });

afterEach(() => {
  cleanup();
  forgetSession(new QueryClient());
  // They outlive their page: the next test would press an "Undo" of this one.
  toasts.clear();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

/** Streams of server-sent events that the page listens to. */
const streams = new Set<TestEventSource>();

class TestEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readonly path: string;
  readyState = 1;
  onerror: (() => void) | null = null;
  constructor(path: string) {
    super();
    this.path = path;
    streams.add(this);
  }
  close(): void {
    streams.delete(this);
  }
}

/** Returns how many streams of a path are open. */
export const openStreams = (path: string): number => [...streams].filter((stream) => stream.path === path).length;

/** Sends an event to the page, as the server does. */
export function sendEvent(path: string, event: string, data: unknown): void {
  for (const stream of streams)
    if (stream.path === path) stream.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
}

/** Refuses the streams of a path, which then stay closed. */
export function refuseStreams(path: string): void {
  for (const stream of streams) {
    if (stream.path !== path) continue;
    stream.readyState = TestEventSource.CLOSED;
    stream.onerror?.();
  }
}

/** Simulates the server's responses to the app's calls (only the network is mocked) and records the calls. */
export function answerCalls(answer: (call: SentCall) => Answer | Promise<Answer>): SentCall[] {
  const sent: SentCall[] = [];
  vi.stubGlobal('EventSource', TestEventSource);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const call: SentCall = {
      method: init.method ?? 'GET',
      path: url.replace(/^\/api/, ''),
      input: typeof init.body === 'string' ? JSON.parse(init.body) : null,
      language: headers.get('accept-language'),
    };
    sent.push(call);
    const { status = 200, headers: more, body } = await answer(call);
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...more } });
  });
  return sent;
}

export const success = (message: unknown): Answer => ({ body: { success: true, message } });
export const refusal = (status: number, code: string, message: string, errors: string[] = []): Answer => ({
  status,
  body: { success: false, code, message, errors },
});

/** Returns the answer with one page of a list; without `next` it is the last one. */
export const list = (data: readonly unknown[], next: string | null = null): Answer => ({
  body: { success: true, data, meta: { hasNext: next !== null }, links: { self: '/api/x', next } },
});

/** Answers all calls by the first part of their paths; what nobody answers is not found. */
export const answerNamed = (answers: Readonly<Record<string, (call: SentCall) => Answer | Promise<Answer>>>) =>
  answerCalls((call) => {
    const name = call.path.split(/[/?]/)[1] ?? '';
    return answers[name]?.(call) ?? refusal(404, 'notFound', `Nobody answers ${name}.`);
  });

/** Simulates the system setting for reduced motion: dialogs are removed as soon as they close. */
export const withoutMotion = () =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('reduced-motion'),
    addEventListener() {},
    removeEventListener() {},
  }));

/** Lets the time of fake timers pass, a millisecond at a time, until a state is reached. */
export async function passUntil(reached: () => boolean): Promise<void> {
  for (let ms = 0; !reached(); ms++) {
    if (ms === 10_000) throw new Error('the state is not reached');
    await act(() => vi.advanceTimersByTimeAsync(1));
  }
}

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

/** Renders a part of the app in English, with all providers of the app. */
export async function showPage(content: ReactNode, at = '/', state: unknown = null) {
  // biome-ignore lint/suspicious/noDocumentCookie: the app reads it there.
  document.cookie = 'lang=en; path=/';
  await startTexts();
  await i18next.loadNamespaces(['auth', 'guest', 'landing', 'menu']);
  // The real history: dialogs add entries to it.
  window.history.replaceState(state, '', at);
  return render(
    <MantineProvider theme={testTheme} cssVariablesResolver={cssVariablesResolver}>
      <QueryClientProvider client={startQueries()}>
        <BrowserRouter>
          <UploadDialogProvider>{content}</UploadDialogProvider>
          <Address />
          <Toasts />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

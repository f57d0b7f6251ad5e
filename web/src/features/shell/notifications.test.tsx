// @vitest-environment happy-dom
import type { Notification } from '@framelift/contract';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { i18next, setLanguage } from '../../i18n/index.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, openStreams, refusal, refuseStreams, sendEvent, showPage, success } from '../../testing/page.tsx';
import { Header } from './Header.tsx';

configure({ asyncUtilTimeout: 8000 });

beforeAll(async () => {
  await Promise.all([import('./NotificationBell.tsx'), import('./NotificationsModal.tsx')]);
}, 60_000);

const EVENTS = '/api/notifications/events';

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const message = (n: number, changes: Partial<Notification> = {}): Notification => ({
  id: idOf(n),
  title: `Title ${n}`,
  content: `Content ${n}`,
  release_at: new Date(Date.now() - n * 3_600_000).toISOString(),
  kind: 'upload',
  is_read: true,
  account: 'Mei',
  link: null,
  media_id: null,
  ...changes,
});

/** Renders the header of a member; `pages` is the paged list, `failing` makes the server refuse. */
async function show(pages: Notification[][]) {
  const state = { failing: false, release: null as Promise<void> | null };
  const sent = answerCalls(async ({ path, language }) => {
    if (path === '/config') return success({ features: {}, environment: 'production', isMaintenance: false });
    if (!path.startsWith('/notifications')) return success({});
    await state.release;
    if (state.failing) return refusal(500, 'internal', 'Something went wrong');
    const n = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 0);
    const data = (pages[n] ?? []).map((one) => ({ ...one, title: `${one.title} ${language}` }));
    const next = n + 1 < pages.length ? `/api/notifications?page=${n + 1}` : null;
    return { body: { success: true, data, meta: { hasNext: next !== null }, links: { self: path, next } } };
  });
  await showPage(
    <LoggedIn>
      <Header />
    </LoggedIn>,
    '/player',
  );
  await i18next.loadNamespaces('notifications');
  const bell = await screen.findByRole('button', { name: /^Notifications/ });
  await waitFor(() => expect(sent.some(({ path }) => path.startsWith('/notifications'))).toBe(true));
  return { sent, state, bell };
}
async function open(bell: HTMLElement) {
  bell.focus();
  fireEvent.click(bell);
  return screen.findByRole('dialog', { name: 'Notifications' });
}
async function close() {
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}
const titles = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole('listitem')
    .map((item) => item.textContent);

it('opens from the header after the list has been fetched [R-2.header.9] [R-2.notifications.1]', async () => {
  const { state, bell, sent } = await show([[message(1)]]);
  let arrive = () => {};
  state.release = new Promise((resolve) => {
    arrive = resolve;
  });
  const before = sent.length;
  fireEvent.click(bell);
  await waitFor(() => expect(sent.length).toBe(before + 1));
  expect(bell.getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByRole('dialog')).toBeNull();
  arrive();
  await screen.findByRole('dialog', { name: 'Notifications' });
  expect(bell.getAttribute('aria-busy')).toBe('false');
});

it('lists title, content and a relative time of each [R-2.notifications.2] [R-1.feature-other.3]', async () => {
  const { bell } = await show([[message(3), message(49), message(0, { kind: 'warning' })]]);
  const dialog = await open(bell);
  expect(titles(dialog)).toEqual([
    'Title 3 enContent 33 hours ago',
    'Title 49 enContent 492 days ago',
    'Title 0 enContent 0just now',
  ]);
});

it('shows a "no messages" entry for an empty list [R-2.notifications.3]', async () => {
  const { bell } = await show([[]]);
  const dialog = await open(bell);
  expect(within(dialog).getByRole('listitem').textContent).toContain('No messages');
});

it('marks what is unread, and counts it as read when the list was closed', async () => {
  const { bell, sent } = await show([[message(1, { is_read: false }), message(2)]]);
  await waitFor(() => expect(bell.getAttribute('aria-label')).toBe('Notifications (new messages)'));
  const dialog = await open(bell);
  expect(titles(dialog).map((text) => text?.startsWith('New:'))).toEqual([true, false]);
  expect(sent.some(({ path }) => path === '/readNotifications')).toBe(false);
  await close();
  await waitFor(() => expect(bell.getAttribute('aria-label')).toBe('Notifications'));
  expect(sent.find(({ path }) => path === '/readNotifications')?.input).toEqual({ ids: [idOf(1)] });
  await waitFor(() => expect(document.activeElement).toBe(bell));
});

it('leads to the picture that a message is about', async () => {
  const { bell } = await show([[message(1, { media_id: idOf(7), link: `/result/${idOf(7)}` })]]);
  const dialog = await open(bell);
  fireEvent.click(within(dialog).getByRole('link', { name: /Title 1/ }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe(`/result/${idOf(7)}`));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('shows more on demand, and the keyboard goes on at the first new message', async () => {
  const { bell } = await show([[message(1), message(2)], [message(3)]]);
  const dialog = await open(bell);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(titles(dialog)).toHaveLength(3));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Title 3'));
  expect(within(dialog).queryByRole('button', { name: 'Show more' })).toBeNull();
});

it('says when the list cannot be fetched, and tries again', async () => {
  const { bell, state } = await show([[message(1)]]);
  await i18next.changeLanguage('ja');
  state.failing = true;
  fireEvent.click(bell);
  const dialog = await screen.findByRole('dialog', { name: '通知' });
  within(dialog).getByRole('alert');
  state.failing = false;
  fireEvent.click(within(dialog).getByRole('button', { name: 'もう一度試す' }));
  await within(dialog).findByRole('listitem');
});

it('asks for the list in the language of the page, anew when it changes [R-4.lang-change.2]', async () => {
  const { bell, sent } = await show([[message(1)]]);
  await open(bell);
  await setLanguage('zh');
  await screen.findByText(/^Title 1 zh/);
  expect(sent.filter(({ path }) => path === '/notifications').at(-1)?.language).toMatch(/^zh/);
});

it('shows what arrives while the page is open, without being asked', async () => {
  const pages = [[message(2)]];
  const { bell, sent } = await show(pages);
  const asked = () => sent.filter(({ path }) => path === '/notifications').length;
  await waitFor(() => expect(openStreams(EVENTS)).toBe(1));
  // The state at the start, which the page has fetched itself.
  sendEvent(EVENTS, 'notifications', { version: 'a' });
  pages[0]?.unshift(message(1, { is_read: false }));
  const before = asked();
  sendEvent(EVENTS, 'notifications', { version: 'b' });
  await waitFor(() => expect(bell.getAttribute('aria-label')).toBe('Notifications (new messages)'));
  expect(asked()).toBe(before + 1);
  // A hidden tab leaves the connection to the others.
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(openStreams(EVENTS)).toBe(0);
  hidden.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  expect(openStreams(EVENTS)).toBe(1);
  // What came meanwhile is seen at once.
  sendEvent(EVENTS, 'notifications', { version: 'c' });
  await waitFor(() => expect(asked()).toBe(before + 2));
  cleanup();
  expect(openStreams(EVENTS)).toBe(0);
});

it('asks again and again while no events arrive, and rarely while they do', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { sent } = await show([[message(1)]]);
  const asked = () => sent.filter(({ path }) => path === '/notifications').length;
  const asksAfter = async (ms: number, count: number) => {
    const before = asked();
    await act(() => vi.advanceTimersByTimeAsync(ms));
    expect(asked() - before).toBe(count);
  };
  await waitFor(() => expect(openStreams(EVENTS)).toBe(1));
  await asksAfter(31_000, 1);
  act(() => sendEvent(EVENTS, 'notifications', { version: 'a' }));
  await asksAfter(120_000, 0);
  act(() => refuseStreams(EVENTS));
  await asksAfter(31_000, 1);
  // The next look at the page tries again.
  document.dispatchEvent(new Event('visibilitychange'));
  act(() => sendEvent(EVENTS, 'notifications', { version: 'a' }));
  await asksAfter(120_000, 0);
  vi.useRealTimers();
});

it('leads from the messages to the list of all', async () => {
  const { bell } = await show([[message(1)]]);
  const dialog = await open(bell);
  fireEvent.click(within(dialog).getByRole('link', { name: 'All notifications' }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/notify'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

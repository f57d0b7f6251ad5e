// @vitest-environment happy-dom
import type { Notification } from '@framelift/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { i18next, setLanguage } from '../../i18n/index.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, showPage, success } from '../../testing/page.tsx';
import { MenuPage } from './MenuPage.tsx';
import { NotificationPanel } from './NotificationPanel.tsx';

beforeAll(async () => {
  await import('./NotificationPanel.tsx');
}, 60_000);

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const notification = (n: number, changes: Partial<Notification> = {}): Notification => ({
  id: idOf(n),
  title: `Title ${n}`,
  content: `Content ${n}`,
  release_at: new Date(Date.now() - n * 3_600_000).toISOString(),
  kind: 'upload',
  is_read: true,
  account: `Account ${n}`,
  link: null,
  media_id: null,
  ...changes,
});
const some = (count: number, changes: Partial<Notification> = {}) =>
  Array.from({ length: count }, (_, n) => notification(n + 1, changes));

/** Opens the menu of a member with these pages of notifications. */
async function show(...pages: Notification[][]) {
  const sent = answerCalls(({ path }) => {
    if (path === '/config') return success({ features: {} });
    if (!path.startsWith('/notifications')) return success({});
    const n = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 0);
    const next = n + 1 < pages.length ? `/api/notifications?page=${n + 1}` : null;
    return {
      body: { success: true, data: pages[n] ?? [], meta: { hasNext: next !== null }, links: { self: path, next } },
    };
  });
  await showPage(
    <LoggedIn>
      <MenuPage />
    </LoggedIn>,
    '/menu',
  );
  await i18next.loadNamespaces('notifications');
  return sent;
}
const entry = () => screen.findByRole('button', { name: /^Notifications/ });
async function open() {
  const opener = await entry();
  opener.focus();
  fireEvent.click(opener);
  const panel = await screen.findByRole('dialog', { name: 'Notifications' });
  await waitFor(() => expect(within(panel).queryByRole('status')).toBeNull());
  return panel;
}
const items = (panel: HTMLElement) => within(panel).queryAllByRole('listitem');
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const overlay = () => document.querySelector<HTMLElement>('.mantine-Modal-overlay') ?? expect.fail('no overlay');
const readIds = (sent: Awaited<ReturnType<typeof show>>) =>
  sent.filter(({ path }) => path === '/readNotifications').map(({ input }) => (input as { ids: string[] }).ids);

it('is a card over the whole dimmed page, with the name of the notifications as its heading [R-2.notify-panel.1]', async () => {
  await show(some(2));
  const panel = await open();
  expect(within(panel).getByRole('heading').textContent).toBe('Notifications');
  await setLanguage('zh');
  await waitFor(() => expect(within(panel).getByRole('heading').textContent).toBe('通知'));
  await setLanguage('ja');
  await waitFor(() => expect(within(panel).getByRole('heading').textContent).toBe('通知'));
});

it('closes by a click on the overlay, on its corner tab, by Escape and by going back, and returns the focus [R-2.notify-panel.2] [R-2.notify-panel.3]', async () => {
  await show(some(1));
  const ways = [
    () => fireEvent.click(overlay()),
    () => fireEvent.click(screen.getByRole('button', { name: 'Close' })),
    () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' }),
    () => window.history.back(),
  ];
  for (const leave of ways) {
    const panel = await open();
    await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
    leave();
    await closed();
    await waitFor(async () => expect(document.activeElement).toBe(await entry()));
  }
});

it('shows of each item its icon, account, description and time, and a dot while it is unread [R-2.notify-panel.4] [R-2.notify-panel.5] [R-2.notify-panel.6]', async () => {
  await show([notification(1, { is_read: false }), notification(49, { kind: 'warning' })]);
  const [first, second] = items(await open());
  const lines = (item?: HTMLElement) =>
    [...(item?.querySelector('svg + span')?.children ?? [])].map(({ textContent }) => textContent);
  expect(lines(first)).toEqual(['New: Account 1', 'Title 1Content 1', '1 hour ago']);
  expect(lines(second)).toEqual(['Account 49', 'Title 49Content 49', '2 days ago']);
  expect([first, second].map((item) => item?.querySelector('svg')?.getAttribute('data-kind'))).toEqual([
    'upload',
    'warning',
  ]);
  expect([first, second].map((item) => item?.querySelector('[data-unread]') !== null)).toEqual([true, false]);
});

it('shows the first 5 until "View All", grows from 49 to 80 percent of the height, and "View less" takes it back [R-2.notify-panel.7] [R-2.notify-panel.8] [R-9.notifications.1] [R-9.notifications.2] [R-4.panel.1]', async () => {
  await show(some(6), [notification(7)]);
  const panel = await open();
  const height = () => panel.querySelector<HTMLElement>('[style*="max-height"]')?.style.maxHeight;
  const press = (name: string) => fireEvent.click(within(panel).getByRole('button', { name }));
  expect([items(panel).length, height(), overlay().style.height]).toEqual([5, '49dvh', '100%']);
  expect(within(panel).queryByRole('button', { name: 'Show more' })).toBeNull();
  press('View All');
  expect([items(panel).length, height()]).toEqual([6, '80dvh']);
  press('Show more');
  await waitFor(() => expect(items(panel)).toHaveLength(7));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Title 7'));
  press('View less');
  expect([items(panel).length, height()]).toEqual([5, '49dvh']);
  press('View All');
});

it('has the toggle with more than 5 items only [R-2.notify-panel.9]', async () => {
  await show(some(5));
  const panel = await open();
  expect(items(panel)).toHaveLength(5);
  expect(within(panel).queryByRole('button', { name: 'View All' })).toBeNull();
});

it('reports the id of the item that is clicked [R-2.notify-panel.10]', async () => {
  const onSelect = vi.fn();
  const pages = { pages: [{ data: some(3) }] };
  const query = { data: pages, isPending: false, isError: false, isFetching: false, hasNextPage: false } as const;
  answerCalls(() => success({}));
  await showPage(
    <NotificationPanel
      query={{ ...query, isFetchingNextPage: false, fetchNextPage: () => {}, refetch: () => {} } as never}
      opened
      onSelect={onSelect}
      onClose={() => {}}
      onClosed={() => {}}
    />,
  );
  fireEvent.click(await screen.findByRole('button', { name: /Title 2/ }));
  expect(onSelect).toHaveBeenCalledExactlyOnceWith(idOf(2), expect.anything());
});

it('leads to what an item is about, and counts as read what it has shown', async () => {
  const sent = await show(some(6, { is_read: false, link: '/menu/payments' }));
  await waitFor(async () => expect((await entry()).textContent).toContain('6 new notifications'));
  fireEvent.click(within(await open()).getByRole('button', { name: /Title 2/ }));
  await waitFor(() => expect(screen.getByTestId('address').textContent).toBe('/menu/payments'));
  await closed();
  await waitFor(() => expect(readIds(sent)).toEqual([[1, 2, 3, 4, 5].map(idOf)]));
});

it('stays open on an item that leads nowhere, which is read', async () => {
  const sent = await show([notification(1, { is_read: false }), notification(2, { is_read: false })]);
  const panel = await open();
  fireEvent.click(within(panel).getByRole('button', { name: /Title 1/ }));
  await waitFor(() => expect(readIds(sent)).toEqual([[idOf(1)]]));
  await waitFor(() => expect(panel.querySelectorAll('[data-unread]')).toHaveLength(1));
  fireEvent.click(overlay());
  await closed();
  expect(readIds(sent)).toEqual([[idOf(1)], [idOf(2)]]);
});

it('says when there is nothing', async () => {
  await show([]);
  const panel = await open();
  expect(items(panel).map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^No messages/)]);
});

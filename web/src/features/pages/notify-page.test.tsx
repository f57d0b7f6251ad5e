// @vitest-environment happy-dom
import type { Notification, PublicConfig } from '@framelift/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { aConfig } from '../../testing/config.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, showPage, success } from '../../testing/page.tsx';
import { NotifyPage } from './NotifyPage.tsx';

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const notification = (n: number, changes: Partial<Notification> = {}): Notification => ({
  id: idOf(n),
  title: `Title ${n}`,
  content: `Content ${n}`,
  // In the time zone of the browser.
  release_at: new Date(2026, 0, n, 7, n).toISOString(),
  kind: 'upload',
  is_read: true,
  account: 'Mei',
  link: null,
  media_id: null,
  ...changes,
});

const publicOnes = [
  {
    id: idOf(5),
    title: 'New pictures',
    content: 'Look.',
    release_at: new Date(2026, 1, 3, 4, 5).toISOString(),
    kind: 'info',
    link: null,
  },
];

/** Opens /notify: for a visitor, or for a member with these pages of notifications. */
async function show(pages: Notification[][] | null, config: Partial<PublicConfig> = {}) {
  const sent = answerCalls(({ path }) => {
    if (path === '/config') return success({ ...aConfig, ...config });
    if (path === '/publicNotifications')
      return { body: { success: true, data: publicOnes, meta: { hasNext: false }, links: { self: path, next: null } } };
    if (!path.startsWith('/notifications')) return success({});
    const n = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 0);
    const next = pages && n + 1 < pages.length ? `/api/notifications?page=${n + 1}` : null;
    return {
      body: { success: true, data: pages?.[n] ?? [], meta: { hasNext: next !== null }, links: { self: path, next } },
    };
  });
  await showPage(
    pages ? (
      <LoggedIn>
        <NotifyPage />
      </LoggedIn>
    ) : (
      <NotifyPage />
    ),
    '/notify',
  );
  await i18next.loadNamespaces('notifications');
  await screen.findByRole('heading', { name: 'Notifications' });
  return { sent };
}
const texts = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

it('lists everything with its release time as YYYY-MM-DD HH:mm, more on demand [R-2.notifications.4]', async () => {
  await show([[notification(9), notification(3, { is_read: false })], [notification(1)]]);
  await waitFor(() =>
    expect(texts()).toEqual(['2026-01-09 07:09Title 9Content 9', '2026-01-03 07:03New: Title 3Content 3']),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(texts()).toHaveLength(3));
  await waitFor(() => expect(document.activeElement?.textContent).toContain('2026-01-01 07:01'));
});

it('marks all as read, or the one that is followed', async () => {
  const link = '/menu/payments';
  const { sent } = await show([
    [
      notification(3, { is_read: false, link }),
      notification(2, { is_read: false }),
      notification(1, { is_read: false }),
    ],
  ]);
  const read = () => sent.filter(({ path }) => path === '/readNotifications').map(({ input }) => input);
  fireEvent.click(await screen.findByRole('link', { name: /Title 3/ }));
  await waitFor(() => expect(read()).toEqual([{ ids: [idOf(3)] }]));
  expect(screen.getByTestId('address').textContent).toBe(link);
  fireEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(read()).toEqual([{ ids: [idOf(3)] }, { ids: [idOf(2), idOf(1)] }]));
  expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  expect(document.querySelector('[data-unread]')).toBeNull();
});

it('tells a visitor what the operator announces and told all members, and how to see the own messages [R-2.route-public.2]', async () => {
  const text = { en: 'We move on Sunday.', zh: '週日搬家。', ja: '日曜日に移転します。' };
  const announcement = { id: idOf(1), text, from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
  const { sent } = await show(null, { Announcement: true, announcement });
  expect(await screen.findByText('We move on Sunday.')).toBeTruthy();
  await waitFor(() => expect(texts()).toEqual(['2026-02-03 04:05New picturesLook.']));
  expect(screen.getByRole('link', { name: 'Log in' }).getAttribute('href')).toBe('/login?redirect=%2Fnotify');
  expect(sent.filter(({ path }) => path.startsWith('/notifications'))).toEqual([]);
});

it('says when there is nothing yet', async () => {
  await show([[]]);
  expect(await screen.findByText('No messages')).toBeTruthy();
});

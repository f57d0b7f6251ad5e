// @vitest-environment happy-dom
import { type Announcement, featurePreset } from '@framelift/contract';
import { useQuery } from '@tanstack/react-query';
import { configure, fireEvent, screen, waitFor } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { configQuery } from '../../api/config.ts';
import { i18next } from '../../i18n/index.ts';
import { answerCalls, refusal, showPage, success } from '../../testing/page.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { AnnouncementHost } from './AnnouncementHost.tsx';

configure({ asyncUtilTimeout: 8000 });

const HOUR = 3_600_000;
const announcement: Announcement = {
  id: '0d4f1b9e-70f4-4d0a-8a50-0c7a3f1b2a10',
  text: {
    en: 'New frames are here.\nCome and look.',
    zh: '新相框上市了。',
    ja: '新しいフレームが届きました。',
  },
  from: new Date(Date.now() - HOUR).toISOString(),
  to: new Date(Date.now() + HOUR).toISOString(),
};
let shown: Announcement | null;

beforeAll(() => import('./AnnouncementOverlay.tsx'));
beforeEach(() => {
  shown = announcement;
  answerCalls(({ path }) =>
    path === '/config'
      ? success({
          version: '1',
          environment: 'production',
          sandbox: false,
          isMaintenance: false,
          maintenance: { from: announcement.from, to: announcement.to },
          Announcement: shown !== null,
          announcement: shown,
          captcha: 'off',
          features: featurePreset('full'),
          playerUrl: null,
          aboutUrl: null,
          storageOrigins: [],
        })
      : refusal(401, 'tokenExpired', 'token expired / please login again'),
  );
});
afterEach(() => {
  // biome-ignore lint/suspicious/noDocumentCookie: the app keeps it there.
  document.cookie = 'isKnown=; path=/; max-age=0';
});

const Overlay = lazyNamed(() => import('./AnnouncementOverlay.tsx'), 'AnnouncementOverlay');
/** Another announcement with the same delay: once it is visible, the one under test would be visible too. */
function Beside() {
  const { data } = useQuery(configQuery);
  const other = {
    ...announcement,
    id: '0d4f1b9e-70f4-4d0a-8a50-0c7a3f1b2a99',
    text: { en: 'Beside.', zh: '', ja: '' },
  };
  return data && <Overlay announcement={other} />;
}

const visit = (beside?: ReactNode) =>
  showPage(
    <Suspense fallback={null}>
      <AnnouncementHost />
      {beside}
    </Suspense>,
  );
const overlay = () => screen.findByRole('dialog', { name: 'Announcement' });
const gone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
/** A visit in which the announcement is not shown. */
const staysAway = async () => {
  const { unmount } = await visit(<Beside />);
  const other = await screen.findByText('Beside.');
  expect(screen.queryByText(/New frames are here/)).toBeNull();
  fireEvent.keyDown(other, { key: 'Escape' });
  await gone();
  unmount();
};
const knownCookie = () => document.cookie.split('; ').find((pair) => pair.startsWith('isKnown='));

it("tells the operator's text, with a 'never show again' checkbox, and closes by its button, Escape and back [R-2.announcement.1] [R-1.feature-other.7] [R-4.announcement.1]", async () => {
  const ways = [
    () => fireEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as Element),
    (dialog: HTMLElement) => fireEvent.keyDown(dialog, { key: 'Escape' }),
    () => window.history.back(),
  ];
  for (const [index, close] of ways.entries()) {
    shown = { ...announcement, id: `0d4f1b9e-70f4-4d0a-8a50-0c7a3f1b2a2${index}` };
    const { unmount } = await visit();
    const dialog = await overlay();
    expect(dialog.textContent).toContain('New frames are here.\nCome and look.');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Never show again' }).checked).toBe(false);
    await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(1));
    close(dialog);
    await gone();
    expect(knownCookie()).toBeUndefined();
    unmount();
  }
});

it('is not shown once more in the same visit, and comes again in the next [R-4.announcement.1]', async () => {
  const first = await visit();
  fireEvent.keyDown(await overlay(), { key: 'Escape' });
  await gone();
  first.unmount();
  await staysAway();
  sessionStorage.clear();
  await visit();
  await overlay();
});

it('sets the cookie isKnown for a year when it is closed with the box ticked, and is never shown again [R-4.announcement.2] [R-9.announcement.1]', async () => {
  const set = vi.spyOn(document, 'cookie', 'set');
  const first = await visit();
  await overlay();
  fireEvent.click(screen.getByRole('checkbox', { name: 'Never show again' }));
  fireEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as Element);
  await gone();
  expect(knownCookie()).toBe(`isKnown=${announcement.id}`);
  // Longer than the announcement itself, which an operator may prolong.
  expect(set.mock.calls.flat().find((cookie) => cookie.startsWith('isKnown='))).toContain(`max-age=${365 * 86_400};`);
  set.mockRestore();
  first.unmount();

  sessionStorage.clear();
  await staysAway();

  // An announcement with another id is shown again.
  shown = { ...announcement, id: '0d4f1b9e-70f4-4d0a-8a50-0c7a3f1b2a11' };
  await visit();
  await overlay();
});

it('is never displayed while the configuration has none, as in the preset of the observed product [R-2.announcement.2]', async () => {
  expect(featurePreset('literal').announcement).toBe('off');
  shown = null;
  await staysAway();
});

it.each([
  ['zh', '公告', '新相框上市了。'],
  ['ja', 'お知らせ', '新しいフレームが届きました。'],
])('speaks %s', async (language, title, text) => {
  await visit();
  await i18next.changeLanguage(language);
  const dialog = await screen.findByRole('dialog', { name: title });
  expect(dialog.textContent).toContain(text);
  await i18next.changeLanguage('en');
});

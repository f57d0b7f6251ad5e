// @vitest-environment happy-dom
import type { PointEntry } from '@framelift/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { aMember, answerCalls, refusal, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { PointsPage } from './PointsPage.tsx';

const entry = (n: number, changes: Partial<PointEntry> = {}): PointEntry => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  kind: 'points',
  amount: -3,
  balance: 9,
  reason: 'conversion',
  title: 'Conversion',
  note: 'beach.jpg',
  date: '2026-03-01T02:00:00Z',
  ...changes,
});
const pageOf = (data: readonly PointEntry[], next: string | null = null) => ({
  body: { success: true, data, meta: { hasNext: next !== null }, links: { self: '', next } },
});

async function show(
  answer: (query: URLSearchParams) => ReturnType<typeof pageOf> | ReturnType<typeof refusal>,
  ofAds: () => ReturnType<typeof refusal> | undefined = () => undefined,
) {
  withoutMotion();
  const member = { points: 1200, freePoints: 5 };
  const sent = answerCalls(({ path }) => {
    if (path.startsWith('/pointEntries')) return answer(new URLSearchParams(path.split('?')[1]));
    if (path === '/user') return success({ ...aMember, ...member });
    return ofAds() ?? success({ offered: true, reward: { type: 'freePoints', amount: 2 }, left: 1, next_at: null });
  });
  await showPage(
    <LoggedIn as={member}>
      <PointsPage />
    </LoggedIn>,
    '/menu/points',
  );
  await i18next.loadNamespaces('points');
  return sent;
}
const rows = () => within(screen.getByRole('tabpanel')).findAllByRole('listitem');

it('shows both kinds of points, what an ad gives, and every change with what is left; a tab shows one kind', async () => {
  const sent = await show((query) =>
    query.get('page')
      ? pageOf([entry(3, { title: 'Ad watched', note: '', amount: 2, balance: 5, kind: 'freePoints' })])
      : query.get('kind')
        ? pageOf([entry(1)])
        : pageOf([entry(1), entry(2, { title: 'Correction by the operator', amount: 1000, note: '' })], '/x?page=2'),
  );
  const card = within(await screen.findByRole('region', { name: 'My points' }));
  expect(card.getByText('1,200')).toBeTruthy();
  expect(await card.findByText('Each ad gives you 2 free points.1 more ad today.')).toBeTruthy();
  expect(card.getByRole('link', { name: 'Buy points' }).getAttribute('href')).toBe('/addValue');
  await waitFor(() =>
    expect(card.getByRole<HTMLButtonElement>('button', { name: 'Watch an ad' }).disabled).toBe(false),
  );

  const [first, second] = await rows();
  expect(first?.textContent).toMatch(/^Conversionbeach\.jpg.*−3Points · 9 left$/);
  expect(second?.textContent).toMatch(/\+1,000/);
  fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
  expect((await screen.findByText('Ad watched')).closest('li')?.textContent).toMatch(/\+2Free points · 5 left$/);

  fireEvent.click(screen.getByRole('tab', { name: 'Points' }));
  await waitFor(async () => expect(await rows()).toHaveLength(1));
  expect(sent.some(({ path }) => path === '/pointEntries?kind=points')).toBe(true);
  expect(screen.getByTestId('address').textContent).toBe('/menu/points?kind=points');
});

it('says that the ads could not be loaded, and tries again', async () => {
  let fails = true;
  await show(
    () => pageOf([]),
    () => (fails ? refusal(500, 'internal', 'Something went wrong.') : undefined),
  );
  const alert = (await screen.findByText('The ads could not be loaded.')).closest('[role=alert]') as HTMLElement;
  expect(screen.queryByRole('button', { name: 'Watch an ad' })).toBeNull();
  fails = false;
  fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('button', { name: 'Watch an ad' })).toBeTruthy();
  expect(screen.queryByText('The ads could not be loaded.')).toBeNull();
});

it('says that there are no entries yet, and offers to try again where they cannot be loaded', async () => {
  let fails = true;
  await show(() => (fails ? refusal(500, 'internal', 'Something went wrong.') : pageOf([])));
  expect(await screen.findByText('The history of your points could not be loaded.')).toBeTruthy();
  fails = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'No entries yet' })).toBeTruthy();
});

// @vitest-environment happy-dom
import type { Session, User } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { browserName } from '../../shared/browser-name.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { aMember, answerCalls, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { alerts } from '../../ui/alerts.ts';
import { toasts } from '../../ui/toasts.ts';
import { KeepAccount } from './KeepAccount.tsx';
import { ProfilePage } from './ProfilePage.tsx';

configure({ asyncUtilTimeout: 8000 });
beforeAll(() => import('../../ui/AlertModal.tsx'), 60_000);

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const place = (n: number, userAgent: string, current = false): Session => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  userAgent,
  createdAt: '2026-11-01T00:00:00Z',
  lastSeenAt: '2026-11-20T08:30:00Z',
  expiresAt: '2026-12-01T00:00:00Z',
  current,
});

let places: Session[];
let answers: Record<string, (input: unknown) => ReturnType<typeof success>>;
beforeEach(() => {
  places = [place(1, FIREFOX, true), place(2, IPHONE), place(3, '')];
  answers = {
    '/sessions': () => success(places),
    '/getUserUsage': () => success({ used: 1_572_864, limit: 5_368_709_120 }),
    '/revokeSession': (input) => {
      places = places.filter(({ id }) => id !== (input as { id: string }).id);
      return success(input);
    },
    '/revokeOtherSessions': () => {
      places = places.filter(({ current }) => current);
      return success({ ended: 2 });
    },
  };
});
afterEach(() => {
  for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
  for (const { kind } of toasts.current()) toasts.hide(kind);
});

async function show(as: Partial<User> = {}): Promise<SentCall[]> {
  const sent = answerCalls(({ path, input }) => answers[path]?.(input) ?? success({}));
  await showPage(
    <LoggedIn as={as}>
      <ProfilePage />
    </LoggedIn>,
    '/menu/profile',
  );
  await i18next.loadNamespaces('profile');
  await screen.findByRole('heading', { name: 'Profile' });
  return sent;
}
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
async function answer(title: string, button: string): Promise<void> {
  const dialog = await screen.findByRole('dialog', { name: title });
  fireEvent.click(within(dialog).getByRole('button', { name: button }));
}
const calls = (sent: SentCall[], path: string) => sent.filter((one) => one.path === path).map(({ input }) => input);

it('shows who one is and what one has, points and free points apart, and leads to the form [R-2.profile.7] [R-1.member.2]', async () => {
  await show({ phone: '0912 345 678', points: 1200, freePoints: 3, VIP: true });
  for (const text of ['Mei', 'mei@example.com', '0912 345 678', '1,200', '3', 'No plan', 'VIP member'])
    expect(screen.getByText(text)).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'Edit profile' }));
  expect(screen.getByTestId('address').textContent).toBe('/member/profile');
});

/** The answer of a member's subscriptions who has the plan Prime, by card. */
function ownPlan(change: object) {
  const plan = {
    ...{ id: aMember.id, kind: 'plan', plan_id: 3, product_id: null, offer_id: 7, name: 'Prime', icon: 'prime' },
    ...{ state: 'active', cancel_at_end: false, renews: true, method: 'card' },
    ...{ next_charge: null, due: null, date: '2026-10-01T00:00:00Z', ...change },
  };
  return { body: { success: true, data: [plan], meta: { hasNext: false }, links: { self: '', next: null } } };
}

it('says that the plan is paused while it is not paid, and leads to where it is paid', async () => {
  answers['/subscriptions'] = () => ownPlan({ state: 'suspended', paid_until: '2026-11-01T00:00:00Z' });
  await show();
  expect(await screen.findByText('Prime (paused)')).toBeTruthy();
  expect(screen.queryByText('No plan')).toBeNull();
  expect(screen.getByRole('link', { name: 'Pay for your plan' }).getAttribute('href')).toBe('/subscribedetail');
});

it('says until when a plan runs that was cancelled', async () => {
  answers['/subscriptions'] = () => ownPlan({ paid_until: '2099-02-15T04:00:00Z', cancel_at_end: true });
  await show({ myPlan: { plan: { id: 3, icon: 'prime', name: 'Prime' } } });
  expect(await screen.findByText(/^until Feb(ruary)? 15, 2099$/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'My subscriptions' })).toBeTruthy();
});

it('says how much room is used, how to make more when it is nearly full, and tries again after a failure', async () => {
  await show();
  expect(await screen.findByText('1.5 MB of 5 GB used')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'My content' })).toBeNull();
  cleanup();

  answers['/getUserUsage'] = () => refusal(500, 'internal', 'x');
  await show();
  await screen.findByText('Your storage use could not be loaded.', {}, { timeout: 15_000 });
  answers['/getUserUsage'] = () => success({ used: 95, limit: 100 });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/Delete what you no longer need/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'My content' }).getAttribute('href')).toBe('/member/video');
});

it('names browsers in words', () => {
  expect(browserName(FIREFOX)).toEqual({ browser: 'Firefox', version: '140', system: 'Windows', handheld: false });
  expect(browserName(IPHONE)).toEqual({ browser: 'Safari', version: '18', system: 'iOS', handheld: true });
  expect(browserName('curl/8.5.0')).toMatchObject({ browser: expect.stringMatching(/^curl$/i), system: null });
  expect(browserName('')).toEqual({ browser: null, version: null, system: null, handheld: false });
});

it('lists where one is logged in, marks this device, and ends another after a question', async () => {
  const sent = await show();
  await screen.findByText('Firefox on Windows');
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  expect(within(screen.getAllByRole('listitem')[0] as HTMLElement).getByText('This device')).toBeTruthy();
  expect(screen.getByText('Unknown device')).toBeTruthy();
  expect(screen.getAllByText(/^Last used /)[0]?.getAttribute('datetime')).toBe('2026-11-20T08:30:00Z');

  press('Log out Safari on iOS');
  await answer('Log out this device?', 'Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls(sent, '/revokeSession')).toEqual([]);
  press('Log out Safari on iOS');
  await answer('Log out this device?', 'Log out');
  await waitFor(() => expect(screen.queryByText('Safari on iOS')).toBeNull());
  expect(calls(sent, '/revokeSession')).toEqual([{ id: place(2, '').id }]);
});

it('logs out everywhere else, after a question', async () => {
  await show();
  await screen.findByText('Firefox on Windows');
  press('Log out everywhere else');
  await answer('Log out everywhere else?', 'Log out everywhere else');
  await screen.findByText('2 devices logged out');
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Log out everywhere else' })).toBeNull();
});

it('says when the devices could not be loaded, and tries again', async () => {
  answers['/sessions'] = () => refusal(500, 'internal', errorText('internal', 'en'));
  await show();
  await screen.findByText('Your devices could not be loaded.');
  answers['/sessions'] = () => success(places);
  press('Try again');
  await screen.findByText('Firefox on Windows');
});

it('gives the data as a link for the password, with its size and how long it works', async () => {
  let tries = 0;
  answers['/exportAccount'] = () =>
    ++tries === 1
      ? refusal(422, 'passwordIncorrect', errorText('passwordIncorrect', 'en'))
      : success({ url: '/api/accountExport?code=abc', expires_at: '2026-11-28T10:00:00Z', size: 5_242_880 });
  const sent = await show();
  fireEvent.click(await screen.findByRole('button', { name: 'Request the file' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Download your data' }));
  const password = dialog.getByLabelText<HTMLInputElement>('Your password');
  const send = () => fireEvent.submit(password.form as HTMLFormElement);
  send();
  await dialog.findByText('Please fill in this field.');
  expect(calls(sent, '/exportAccount')).toEqual([]);
  fireEvent.change(password, { target: { value: 'Horse-1-Staple' } });
  send();
  await dialog.findByText(errorText('passwordIncorrect', 'en'));
  send();
  const link = await dialog.findByRole<HTMLAnchorElement>('link', { name: 'Download' });
  expect(link.getAttribute('href')).toBe('/api/accountExport?code=abc');
  expect(dialog.getByRole('status').textContent).toMatch(/about 5 MB .* until /);
  expect(calls(sent, '/exportAccount')).toHaveLength(2);
});

it('deletes the account only when its address is typed and the password given, tells until when it can be kept, and logs out', async () => {
  answers['/deleteAccount'] = () => success({ deletion_at: '2026-12-12T08:00:00Z' });
  const sent = await show();
  fireEvent.click(await screen.findByRole('button', { name: 'Delete my account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete account' }));
  expect(dialog.getByText(/after 14 days/)).toBeTruthy();
  const typed = dialog.getByLabelText<HTMLInputElement>('Type mei@example.com to confirm');
  const send = () => fireEvent.submit(typed.form as HTMLFormElement);
  fireEvent.change(typed, { target: { value: 'me@example.com' } });
  fireEvent.change(dialog.getByLabelText('Your password'), { target: { value: 'Horse-1-Staple' } });
  send();
  await dialog.findByText('This is not the e-mail address of your account.');
  expect(calls(sent, '/deleteAccount')).toEqual([]);
  fireEvent.change(typed, { target: { value: 'Mei@Example.com' } });
  send();
  await screen.findByRole('dialog', { name: 'Your account will be deleted' });
  expect(screen.getByText(/It will be deleted on Dec 12, 2026/)).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Logged out', hidden: true })).toBeTruthy();
  expect(calls(sent, '/deleteAccount')).toEqual([{ password: 'Horse-1-Staple' }]);
});

it('does not offer administrators to delete themselves', async () => {
  await show({ isAdmin: true });
  expect(await screen.findByText(/administrator's account cannot be deleted/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Delete my account' })).toBeNull();
});

it('keeps the account by one press while it waits to be removed', async () => {
  answers['/keepAccount'] = () => success(aMember);
  const sent = answerCalls(({ path, input }) => answers[path]?.(input) ?? success({}));
  await showPage(
    <LoggedIn as={{ deletionAt: '2026-12-12T08:00:00Z' }}>
      <KeepAccount deletionAt="2026-12-12T08:00:00Z" />
    </LoggedIn>,
  );
  await screen.findByText('Your account will be deleted on Dec 12, 2026.');
  press('Keep my account');
  await screen.findByText('Your account was kept.');
  expect(calls(sent, '/keepAccount')).toHaveLength(1);
});

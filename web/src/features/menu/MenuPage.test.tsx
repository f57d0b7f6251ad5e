// @vitest-environment happy-dom
import { featurePreset, type User } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { GUIDES, usePendingGuides } from '../../shared/tutorial/guides.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { aMember, answerCalls, refusal, type SentCall, showPage, success } from '../../testing/page.tsx';
import { alerts } from '../../ui/alerts.ts';
import { watchInstallPrompt } from '../../ui/install-prompt.ts';
import { successNote } from '../../ui/success-note.ts';
import { toasts } from '../../ui/toasts.ts';
import { MenuPage } from './MenuPage.tsx';

configure({ asyncUtilTimeout: 8000 });

beforeAll(async () => {
  await Promise.all([import('../../ui/AlertModal.tsx'), import('../../shared/tutorial/Tour.tsx')]);
}, 60_000);

let preset: 'full' | 'literal';
let aboutUrl: string | null;
let redeem: (code: string) => ReturnType<typeof success>;
let subscriptions: readonly unknown[];
beforeEach(() => {
  subscriptions = [];
  preset = 'full';
  aboutUrl = null;
  redeem = () => success({ ...aMember, VIP: true });
  // This environment has no canvas for the fireworks.
  vi.stubGlobal('matchMedia', (media: string) =>
    Object.assign(new EventTarget(), { media, matches: media.includes('reduce') }),
  );
});
afterEach(() => {
  for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
  successNote.hide();
  vi.restoreAllMocks();
});

/** Opens the menu with every feature built and enabled, unless the test sets the preset of the observed product. */
async function show(as: Partial<User> = {}): Promise<SentCall[]> {
  const sent = answerCalls(({ path, input }) => {
    if (path === '/config') {
      const features = preset === 'full' ? allOn() : featurePreset('literal');
      return success({ features, aboutUrl, sandbox: true });
    }
    if (path === '/notifications' || path.startsWith('/subscriptions')) {
      const data = path === '/notifications' ? [] : subscriptions;
      return { body: { success: true, data, meta: { hasNext: false }, links: { self: '', next: null } } };
    }
    if (path === '/setVIP') return redeem((input as { pin_code: string }).pin_code);
    return success({});
  });
  await showPage(
    <LoggedIn as={as}>
      <MenuPage />
      <Pending />
    </LoggedIn>,
    '/menu',
  );
  await screen.findByRole('heading', { name: 'Menu' });
  await waitFor(() => expect(sent.some(({ path }) => path === '/config')).toBe(true));
  return sent;
}
const allOn = () => Object.fromEntries(Object.keys(featurePreset('full')).map((name) => [name, 'on']));

function Pending() {
  return <output data-testid="guides">{usePendingGuides(aMember.id).join(' ')}</output>;
}

const address = () => screen.getByTestId('address').textContent;
const press = (name: string | RegExp, role = 'button') => fireEvent.click(screen.getByRole(role, { name }));
async function answer(title: string, button: string): Promise<void> {
  const dialog = await screen.findByRole('dialog', { name: title });
  fireEvent.click(within(dialog).getByRole('button', { name: button }));
}

it('shows name, e-mail and phone, and leads to the profile [R-2.menu-page.1] [R-2.profile.7]', async () => {
  await show({ phone: '0912 345 678' });
  for (const text of ['Mei', 'mei@example.com', '0912 345 678']) expect(screen.getByText(text)).toBeTruthy();
  press('Edit profile', 'link');
  await waitFor(() => expect(address()).toBe('/menu/profile'));
});

it('leaves the phone out when there is none, and operation to administrators', async () => {
  await show();
  expect(screen.queryByText('Phone')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Administration' })).toBeNull();
});

it('the languages unfold, with a check on the current one; choosing changes the interface [R-2.menu-page.2] [R-1.member.12]', async () => {
  await show();
  const toggle = screen.getByRole('button', { name: 'Choose language' });
  expect(screen.queryByRole('button', { name: '日本語' })).toBeNull();
  fireEvent.click(toggle);
  expect(toggle.getAttribute('aria-expanded')).toBe('true');
  const choice = (name: string) => screen.getByRole('button', { name });
  const checked = (name: string) => choice(name).querySelector('svg') !== null;
  expect(['繁體中文', 'English', '日本語'].filter(checked)).toEqual(['English']);
  fireEvent.click(choice('日本語'));
  await screen.findByRole('heading', { name: 'メニュー' });
  expect(['繁體中文', 'English', '日本語'].filter(checked)).toEqual(['日本語']);
  await i18next.changeLanguage('en');
});

it('about asks first, and then opens the page of the company here or outside [R-2.menu-page.3]', async () => {
  const outside = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  await show();
  press('About Framelift');
  await answer('Open “About Framelift”?', 'Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(address()).toBe('/menu'));
  press('About Framelift');
  await answer('Open “About Framelift”?', 'Open');
  await waitFor(() => expect(address()).toBe('/about'));
  expect(outside).not.toHaveBeenCalled();
});

it('about names the place outside before it leads there [R-2.menu-page.3]', async () => {
  const outside = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  aboutUrl = 'https://company.example/about';
  await show();
  await waitFor(() => expect(screen.getByRole('link', { name: 'Orders' })).toBeTruthy());
  press('About Framelift');
  await screen.findByText(/company\.example/);
  await answer('Open “About Framelift”?', 'Open');
  await waitFor(() => expect(outside).toHaveBeenCalledWith('https://company.example/about'));
});

it('logout asks first, and then logs out [R-2.menu-page.4]', async () => {
  const sent = await show();
  press('Log out');
  await answer('Log out?', 'Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.some(({ path }) => path === '/logout')).toBe(false);
  press('Log out');
  await answer('Log out?', 'Log out');
  await screen.findByRole('heading', { name: 'Logged out' });
  expect(sent.some(({ path }) => path === '/logout')).toBe(true);
});

it('in the literal preset orders, questions, tutorial, frame setting and serial are disabled [R-2.menu-page.5] [R-2.menu-page.6] [R-2.menu-page.7] [R-2.menu-page.8] [R-2.menu-page.9]', async () => {
  preset = 'literal';
  await show();
  for (const name of ['Orders', 'Questions and answers', 'Tutorial', 'My frames', 'Redeem a code']) {
    const entry = await screen.findByRole<HTMLButtonElement>('button', { name: `${name} In development` });
    expect(entry.disabled).toBe(true);
    expect(screen.queryByRole('link', { name })).toBeNull();
  }
});

it('switched on, the same entries work', async () => {
  await show();
  await screen.findByRole('link', { name: 'Orders' });
  const links = { Orders: '/menu/order', 'Questions and answers': '/qa', 'My frames': '/menu/frameSetting' };
  for (const [name, path] of Object.entries(links))
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(path);
  for (const name of ['Tutorial', 'Redeem a code'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false);
});

it('the tutorial asks, makes its guides pending for this member, and goes home [R-2.menu-page.10] [R-3.client-state.2]', async () => {
  await show();
  fireEvent.click(await screen.findByRole('button', { name: 'Tutorial' }));
  await answer('Start the tutorial?', 'Start');
  await waitFor(() => expect(address()).toBe('/home'));
  expect(screen.getByTestId('guides').textContent).toBe(
    'guideList uploadGuide cropperGuide saveImageGuide orderGuideList',
  );
  expect(localStorage.getItem(`guides-${aMember.id}`)).toBe(GUIDES.join(' '));
});

it("says 'Initial Tutorial Error...' for 2 s when the tutorial cannot start [R-2.menu-page.11] [R-9.timing.6]", async () => {
  const shown: (number | undefined)[] = [];
  const unsubscribe = alerts.subscribe(() => shown.push(alerts.current()?.options.ms));
  await show();
  // Its texts cannot be loaded.
  vi.spyOn(i18next, 'loadNamespaces').mockRejectedValue(new Error('offline'));
  fireEvent.click(await screen.findByRole('button', { name: 'Tutorial' }));
  await answer('Start the tutorial?', 'Start');
  await screen.findByRole('dialog', { name: 'Initial Tutorial Error...' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  unsubscribe();
  expect(shown).toContain(2000);
  await waitFor(() => expect(address()).toBe('/menu'));
  expect(screen.getByTestId('guides').textContent).toBe('');
});

async function openSerial(): Promise<HTMLInputElement> {
  fireEvent.click(await screen.findByRole('button', { name: 'Redeem a code' }));
  return within(await screen.findByRole('dialog', { name: 'Redeem a code' })).getByLabelText('Serial code');
}
const send = (field: HTMLInputElement) => fireEvent.submit(field.form as HTMLFormElement);

it('a serial code makes the member a VIP, who is celebrated [R-1.vip.2]', async () => {
  const sent = await show();
  const field = await openSerial();
  fireEvent.change(field, { target: { value: '  ABCD-EFGH-JKMN-PQRS\t' } });
  send(field);
  await screen.findByText('VIP');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.find(({ path }) => path === '/setVIP')?.input).toEqual({ pin_code: 'ABCD-EFGH-JKMN-PQRS' });
  expect(successNote.current()?.title).toBe('Welcome, VIP!');
});

it('a wrong code is told at its field and stays there to be mended; at most 30 characters fit [R-8.catalogue.3] [R-5.text.2]', async () => {
  redeem = () => refusal(422, 'pinCodeIncorrect', errorText('pinCodeIncorrect', 'en'));
  await show();
  const field = await openSerial();
  send(field);
  await screen.findByText('Please enter the code.');
  fireEvent.change(field, { target: { value: 'x'.repeat(40) } });
  expect(field.value).toBe('x'.repeat(30));
  send(field);
  await screen.findByText(errorText('pinCodeIncorrect', 'en'));
  expect(field.value).toBe('x'.repeat(30));
  expect(field.getAttribute('aria-invalid')).toBe('true');
  await waitFor(() => expect(document.activeElement).toBe(field));
});

it('while a code is redeemed the controls that can be disabled are [R-4.loading.1]', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await show();
  vi.stubGlobal('fetch', async () => {
    await held;
    return new Response(JSON.stringify({ success: true, message: { ...aMember, VIP: true } }));
  });
  const field = await openSerial();
  fireEvent.change(field, { target: { value: 'ABCD' } });
  send(field);
  await waitFor(() => expect(field.disabled).toBe(true));
  expect(within(screen.getByRole('dialog')).getByRole<HTMLButtonElement>('button', { name: 'Redeem' }).disabled).toBe(
    true,
  );
  release();
  await screen.findByText('VIP');
});

it('offers to install the app where the browser can, and takes the answer', async () => {
  watchInstallPrompt();
  await show();
  expect(screen.queryByRole('button', { name: 'Install Framelift' })).toBeNull();
  const offer = (outcome: 'accepted' | 'dismissed') =>
    Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: vi.fn(async () => {}),
      userChoice: Promise.resolve({ outcome }),
    });
  const first = offer('dismissed');
  fireEvent(window, first);
  expect(first.defaultPrevented).toBe(true);
  fireEvent.click(await screen.findByRole('button', { name: 'Install Framelift' }));
  await waitFor(() => expect(first.prompt).toHaveBeenCalledOnce());
  expect(screen.queryByRole('button', { name: 'Install Framelift' })).toBeNull();

  fireEvent(window, offer('accepted'));
  fireEvent.click(await screen.findByRole('button', { name: 'Install Framelift' }));
  await waitFor(() => expect(toasts.current()).toMatchObject([{ kind: 'success', text: 'Framelift is installed.' }]));
});

it('says on an iPhone how to put the app on the Home Screen', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)');
  await show();
  fireEvent.click(await screen.findByRole('button', { name: 'Install Framelift' }));
  const dialog = await screen.findByRole('dialog', { name: 'Put Framelift on your Home Screen' });
  expect(within(dialog).getAllByRole('listitem')).toHaveLength(2);
});

it('names the plan, and says of one whose payment failed that it is paused, of one that was cancelled until when it runs', async () => {
  const prime = {
    ...{ id: aMember.id, kind: 'plan', plan_id: 3, product_id: null, offer_id: 7, name: 'Prime', icon: 'prime' },
    ...{ state: 'suspended', paid_until: '2026-11-01T00:00:00Z', cancel_at_end: false, renews: true, method: 'card' },
    ...{ next_charge: null, due: null, date: '2026-10-01T00:00:00Z' },
  };
  subscriptions = [prime];
  await show();
  const entry = await screen.findByRole('link', { name: /^My subscriptions.*Prime \(paused\)$/ });
  expect(entry.getAttribute('href')).toBe('/subscribedetail');
  cleanup();
  subscriptions = [];
  await show({ myPlan: { plan: { id: 3, icon: 'prime', name: 'Prime' } } });
  expect(await screen.findByRole('link', { name: /^My subscriptions.*Prime$/ })).toBeTruthy();
  cleanup();
  subscriptions = [{ ...prime, state: 'active', cancel_at_end: true, paid_until: '2099-02-15T04:00:00Z' }];
  await show({ myPlan: { plan: { id: 3, icon: 'prime', name: 'Prime' } } });
  expect(
    await screen.findByRole('link', { name: /^My subscriptions.*Prime \(until Feb(ruary)? 15, 2099\)$/ }),
  ).toBeTruthy();
});

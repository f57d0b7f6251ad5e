// @vitest-environment happy-dom
import { type Feature, type FeatureSwitches, featurePreset, type User } from '@framelift/contract';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, type SentCall, showPage, success } from '../../testing/page.tsx';
import { alerts } from '../../ui/alerts.ts';
import { BottomNav } from './BottomNav.tsx';
import { Header } from './Header.tsx';

configure({ asyncUtilTimeout: 8000 });

beforeAll(async () => {
  await Promise.all([
    import('./SideMenu.tsx'),
    import('./NotificationBell.tsx'),
    import('../../shared/feature-alert.ts'),
    import('../../ui/AlertModal.tsx'),
  ]);
}, 60_000);
afterEach(() => {
  for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
});

const ALL = Object.keys(featurePreset('full')) as Feature[];
const with_ = (ready: readonly Feature[]) =>
  Object.fromEntries(ALL.map((name) => [name, ready.includes(name) ? 'on' : 'in_development'])) as FeatureSwitches;

interface Given {
  readonly features?: FeatureSwitches;
  readonly environment?: 'production' | 'dev';
  readonly isMaintenance?: boolean;
  /** Null for a visitor. */
  readonly as?: Partial<User> | null;
  readonly at?: string;
}

function UploadState() {
  return <output data-testid="upload">{useUploadDialog().opened ? 'open' : 'closed'}</output>;
}

async function show({
  features = with_(ALL),
  environment = 'production',
  isMaintenance = false,
  as = {},
  at = '/player',
}: Given = {}): Promise<SentCall[]> {
  const sent = answerCalls(({ path }) => {
    if (path === '/config') return success({ features, environment, isMaintenance });
    if (path.startsWith('/notifications'))
      return { body: { success: true, data: [], meta: { hasNext: false }, links: { self: path, next: null } } };
    return success({});
  });
  const around = (
    <>
      <Header />
      <p>the page</p>
      <BottomNav />
      <UploadState />
    </>
  );
  await showPage(as === null ? around : <LoggedIn as={as}>{around}</LoggedIn>, at);
  await i18next.loadNamespaces('notifications');
  await screen.findByText('the page');
  await waitFor(() => expect(sent.some(({ path }) => path === '/config')).toBe(true));
  return sent;
}
const address = () => screen.getByTestId('address').textContent;
const header = () => screen.getByRole('banner');
const inHeader = (role: string, name: string) => within(header()).queryByRole(role, { name });
const footer = () => screen.getByRole('navigation', { name: 'Quick navigation' });
/** Returns the labels of the items in the footer, and whether each is available. */
const offered = () =>
  [...footer().children].map((item) => [
    item.textContent?.replace(' (in development)', ''),
    item.getAttribute('aria-disabled') !== 'true',
  ]);
async function openSideMenu() {
  fireEvent.click(within(header()).getByRole('button', { name: 'Side menu' }));
  return screen.findByRole('dialog', { name: 'Side menu' });
}
const entries = (menu: HTMLElement) => [...menu.querySelectorAll('li')].map(({ textContent }) => textContent);

describe('the header', () => {
  it('has a logo that leads to the player, plans, my content, my frames, the member area, notifications and logout for members [U15] [R-2.header.1] [R-2.header.3] [R-2.header.4] [R-2.header.5] [R-2.header.6]', async () => {
    const sent = await show({ at: '/menu' });
    expect(inHeader('link', 'My frames')?.getAttribute('href')).toBe('/menu/frameSetting');
    expect(inHeader('link', 'Plans')?.getAttribute('href')).toBe('/subscribe');
    expect(inHeader('link', 'My content')?.getAttribute('href')).toBe('/member/video');
    expect(inHeader('link', 'Menu')?.getAttribute('href')).toBe('/menu');
    fireEvent.click(within(header()).getByRole('link', { name: 'Framelift, home' }));
    await waitFor(() => expect(address()).toBe('/player'));
    fireEvent.click(within(header()).getByRole('button', { name: 'Log out' }));
    await waitFor(() => expect(sent.some(({ path }) => path === '/logout')).toBe(true));
    await screen.findByText('Logged out');
  });

  it('has a logout icon for guests, and nothing of what is for members [R-2.header.2]', async () => {
    const sent = await show({ as: { isGuest: true }, at: '/guestPage' });
    for (const name of ['Plans', 'My content', 'My frames', 'Menu']) expect(inHeader('link', name)).toBeNull();
    expect(within(header()).queryByRole('button', { name: /^Notifications/ })).toBeNull();
    const out = within(header()).getByRole('button', { name: 'Log out' });
    expect(out.querySelector('svg')).not.toBeNull();
    fireEvent.click(out);
    await waitFor(() => expect(sent.some(({ path }) => path === '/logout')).toBe(true));
  });

  it('offers visitors the plans and the login, and no logout', async () => {
    await show({ as: null, at: '/index' });
    expect(inHeader('link', 'Plans')?.getAttribute('href')).toBe('/plan');
    expect(inHeader('link', 'Log in')?.getAttribute('href')).toBe('/login');
    expect(inHeader('button', 'Log out')).toBeNull();
  });

  it('has a language chooser whose chevron points the other way while it is open [R-2.lang-chooser.7]', async () => {
    await show({ as: null, at: '/index' });
    const chooser = within(header()).getByRole('button', { name: /^Choose language/ });
    const chevron = () => chooser.querySelector('svg')?.innerHTML;
    const collapsed = chevron();
    fireEvent.click(chooser);
    expect(chevron()).not.toBe(collapsed);
    fireEvent.click(chooser);
    expect(chevron()).toBe(collapsed);
  });

  it('is hidden in maintenance mode, as the footer is, but for administrators [R-2.header.7]', async () => {
    await show({ isMaintenance: true });
    await waitFor(() => expect(screen.queryByRole('banner')).toBeNull());
    expect(screen.queryByRole('navigation')).toBeNull();
    expect(screen.getByText('the page')).toBeTruthy();
  });

  it('stays for an administrator in maintenance mode', async () => {
    await show({ isMaintenance: true, as: { isAdmin: true } });
    await waitFor(() => expect(header()).toBeTruthy());
    expect(footer()).toBeTruthy();
  });
});

describe('the footer', () => {
  it('leads to home, album, frames, store and menu, and opens the cropper [R-2.footer.1] [R-2.footer.2] [R-2.footer.3] [R-2.footer.4] [R-2.footer.5] [R-2.footer.6]', async () => {
    await show();
    expect(offered()).toEqual([
      ['Home', true],
      ['Albums', true],
      ['Convert', true],
      ['Frames', true],
      ['Store', true],
      ['Menu', true],
    ]);
    for (const [name, path] of [
      ['Home', '/home'],
      ['Albums', '/album'],
      ['Frames', '/menu/frameSetting'],
      ['Store', '/store'],
      ['Menu', '/menu'],
    ] as const) {
      fireEvent.click(within(footer()).getByRole('link', { name }));
      await waitFor(() => expect(address()).toBe(path));
      const current = within(footer()).getAllByRole('link', { current: 'page' });
      expect(current.map(({ textContent }) => textContent)).toEqual([name]);
    }
    fireEvent.click(within(footer()).getByRole('button', { name: 'Convert' }));
    await waitFor(() => expect(screen.getByTestId('upload').textContent).toBe('open'));
  });

  it('of the observed product has only home and menu, and flags the others as in development [R-2.footer.7] [R-2.footer.8]', async () => {
    await show({ features: featurePreset('literal') });
    await waitFor(() =>
      expect(offered()).toEqual([
        ['Home', true],
        ['Albums', false],
        ['Convert', false],
        ['Store', false],
        ['Menu', true],
      ]),
    );
    fireEvent.click(within(footer()).getByRole('button', { name: 'Convert (in development)' }));
    await screen.findByRole('dialog', { name: 'Under development' });
    expect(screen.getByTestId('upload').textContent).toBe('closed');
    await waitFor(() => expect(address()).toBe('/player'));
  });

  it('of our product flags exactly what is not on, and tells so in an info alert that goes by itself [R-8.alerts.6]', async () => {
    const features = featurePreset('full');
    await show({ features: { ...features, album: 'in_development' } });
    const album = await within(footer()).findByRole('button', { name: 'Albums (in development)' });
    const parts = ['home', 'album', 'convert2to3', 'frameSetting', 'store', 'menu'] as const;
    expect(offered().map(([, ready]) => ready)).toEqual(
      parts.map((part) => part !== 'album' && features[part] === 'on'),
    );
    fireEvent.click(album);
    const alert = await screen.findByRole('dialog', { name: 'Under development' });
    expect(within(alert).getByRole('alert').textContent).toContain('not available yet');
    expect(alerts.current()?.options).toMatchObject({ kind: 'info', ms: 2000 });
    expect(within(alert).queryAllByRole('button')).toEqual([]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('leaves out what is switched off', async () => {
    await show({ features: { ...with_(ALL), store: 'off' } });
    await waitFor(() =>
      expect(offered().map(([name]) => name)).toEqual(['Home', 'Albums', 'Convert', 'Frames', 'Menu']),
    );
  });

  it('with the ready list of the specification has home, convert2to3, store and menu ready, and the album not [R-2.sidemenu.4]', async () => {
    await show({ features: with_(['home', 'convert2to3', 'store', 'menu']) });
    await waitFor(() =>
      expect(
        offered()
          .filter(([, ready]) => ready)
          .map(([name]) => name),
      ).toEqual(['Home', 'Convert', 'Store', 'Menu']),
    );
  });

  it('is not there for guests and visitors [R-2.footer.9]', async () => {
    await show({ as: { isGuest: true }, at: '/guestPage' });
    expect(screen.queryByRole('navigation', { name: 'Quick navigation' })).toBeNull();
  });
});

describe('the side menu', () => {
  it('lists the items of the member area first and then the others [R-2.sidemenu.1] [R-2.sidemenu.3]', async () => {
    await show();
    const menu = await openSideMenu();
    expect(entries(menu)).toEqual([
      ...['Convert a photo', 'Menu', 'Profile', 'My content', 'Albums', 'My frames', 'Orders'],
      ...['Home', 'Store', 'Plans', 'Language', 'Use the dark theme', 'Log out'],
    ]);
    const lists = within(menu).getAllByRole('list');
    expect(lists).toHaveLength(2);
    expect(within(menu).getByRole('heading', { name: 'Your account' }).nextElementSibling).toBe(lists[0]);
    fireEvent.click(within(menu).getByRole('link', { name: 'Orders' }));
    await waitFor(() => expect(address()).toBe('/menu/order'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    // The page replaced the history entry of the menu: one step back is the previous page.
    window.history.back();
    await waitFor(() => expect(address()).toBe('/player'));
  });

  it('offers visitors login and register and nothing that is for members [R-2.sidemenu.5] [R-2.sidemenu.3]', async () => {
    await show({ as: null, at: '/login' });
    const menu = await openSideMenu();
    expect(entries(menu)).toEqual(['Log in', 'Register', 'Plans', 'Language', 'Use the dark theme']);
    // The two tabs of one card are two entries.
    expect(within(menu).getByRole('link', { current: 'page' }).textContent).toBe('Log in');
    fireEvent.click(within(menu).getByRole('link', { name: 'Register' }));
    await waitFor(() => expect(address()).toBe('/register'));
  });

  it('hides the orders from a guest, who may upload and log out [R-1.guest.7]', async () => {
    await show({ as: { isGuest: true }, at: '/guestPage' });
    const menu = await openSideMenu();
    expect(entries(menu)).toEqual(['Convert a photo', 'Use the dark theme', 'Log out']);
    fireEvent.click(within(menu).getByRole('button', { name: 'Convert a photo' }));
    await waitFor(() => expect(screen.getByTestId('upload').textContent).toBe('open'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows what is not ready as plain text [R-2.sidemenu.2]', async () => {
    await show({ features: featurePreset('literal') });
    const menu = await openSideMenu();
    await waitFor(() => expect(within(menu).queryByRole('link', { name: /^Orders/ })).toBeNull());
    for (const name of ['Convert a photo', 'Albums', 'My frames', 'Orders', 'Store']) {
      const text = within(menu).getByText(name);
      expect(text.closest('a, button')).toBeNull();
      expect(text.parentElement?.textContent).toBe(`${name}in development`);
    }
    expect(within(menu).getByRole('link', { name: 'Menu' })).toBeTruthy();
  });

  it('lets developers open what is not ready [R-2.sidemenu.2]', async () => {
    await show({ features: featurePreset('literal'), environment: 'dev' });
    const menu = await openSideMenu();
    fireEvent.click(await within(menu).findByRole('link', { name: 'Orders in development' }));
    await waitFor(() => expect(address()).toBe('/menu/order'));
  });

  it('closes on back and gives the focus to its button', async () => {
    await show();
    const burger = within(header()).getByRole('button', { name: 'Side menu' });
    burger.focus();
    const menu = await openSideMenu();
    await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true));
    await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(1));
    window.history.back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(burger));
    await waitFor(() => expect(address()).toBe('/player'));
  });

  it('stays below the languages, of which Escape closes these alone', async () => {
    await show();
    const menu = await openSideMenu();
    fireEvent.click(within(menu).getByRole('button', { name: 'Language' }));
    const modal = await screen.findByRole('dialog', { name: 'Choose language' });
    await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(2));
    // Both listen to the window.
    fireEvent.keyDown(modal, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Choose language' })).toBeNull());
    await waitFor(() => expect(window.history.state?.usr?.dialogs).toHaveLength(1));
    fireEvent.keyDown(screen.getByRole('dialog', { name: 'Side menu' }), { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('has a modal with the three languages, which changes the page [R-2.lang-chooser.3] [R-4.lang-change.1]', async () => {
    await show();
    const menu = await openSideMenu();
    fireEvent.click(within(menu).getByRole('button', { name: 'Language' }));
    const modal = await screen.findByRole('dialog', { name: 'Choose language' });
    const choices = within(modal).getAllByRole('button', { pressed: false });
    expect(choices.map(({ lang }) => lang)).toEqual(['zh-Hant-TW', 'ja']);
    expect(within(modal).getByRole('button', { pressed: true }).textContent).toBe('English');
    fireEvent.click(within(modal).getByRole('button', { name: '日本語' }));
    await screen.findByRole('dialog', { name: 'サイドメニュー' });
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1));
    expect(document.documentElement.lang).toBe('ja');
    expect(document.cookie).toContain('lang=ja');
  });
});

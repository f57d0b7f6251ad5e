// @vitest-environment happy-dom
import type { DeviceState, PublicConfig, User } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { beginSession } from './api/session.ts';
import { Pages } from './routes.tsx';
import { aConfig } from './testing/config.ts';
import { aMember, answerCalls, refusal, type SentCall, showPage, success } from './testing/page.tsx';

const address = () => screen.getByTestId('address').textContent;
/** Timeout for the first page of a kind, which loads its chunk. */
const SLOW = { timeout: 15_000 };

function SignedIn({ user, children }: { user: User; children: ReactNode }) {
  const queries = useQueryClient();
  useState(() => beginSession(queries, user));
  return children;
}

const aDevice: DeviceState = {
  state: 'waiting',
  deviceId: 'WDJB-MJHT',
  kind: 'Chrome, Android',
  screen: { width: 1280, height: 800, pixelRatio: 1 },
  expires_at: '2026-01-01T00:30:00Z',
  frame: null,
};

const askedFriend = (email: string, isSend: boolean) => ({
  id: isSend ? '00000000-0000-4000-8000-000000000000' : null,
  target_user: { name: '', email },
  isSend,
  isConfirm: false,
  isReceived: false,
  date: isSend ? '2026-01-01T00:00:00Z' : null,
});

let config: PublicConfig = aConfig;
let sent: SentCall[] = [];
/** Opens a URL as a logged-in user or as a visitor. */
function open(path: string, user: User | null = null) {
  sent = answerCalls(({ path: asked, input }) => {
    if (asked === '/config') return success(config);
    if (asked === '/user') return user ? success(user) : refusal(401, 'tokenExpired', 'token expired');
    if (asked === '/logout') return success({});
    if (asked.startsWith('/addDevice')) return success(aDevice);
    if (['/sessions', '/getDeviceType', '/faq', '/locations'].includes(asked)) return success([]);
    if (asked.startsWith('/legalText/'))
      return success({ content: null, in_force_from: null, in_force_until: null, earlier: [] });
    if (asked.startsWith('/friend?')) return success(askedFriend('bo@example.com', false));
    if (asked === '/addFriend') {
      const { email } = input as { email: string };
      if (email !== 'an@example.com') return refusal(409, 'tooManyFriends', 'You have reached the limit.');
      return success(askedFriend(email, true));
    }
    return { body: { success: true, data: [], meta: { hasNext: false }, links: { self: asked, next: null } } };
  });
  return showPage(user ? <SignedIn user={user}>{<Pages />}</SignedIn> : <Pages />, path);
}
/** Queried by tag: a role query searches the whole app each time. */
const heading = () => document.querySelector('main h1')?.textContent;
const shows = (text: string) => waitFor(() => expect(heading()).toBe(text), SLOW);
const leadsTo = (path: string) => waitFor(() => expect(address()).toBe(path), SLOW);
const asked = (path: string) => sent.filter((call) => call.path === path);

afterEach(() => {
  config = aConfig;
  vi.restoreAllMocks();
});

/** Navigates to another URL, as the address bar and "back" do. */
const goTo = (path: string, state: unknown = null) =>
  act(async () => {
    window.history.pushState({ usr: state }, '', path);
    window.dispatchEvent(new PopStateEvent('popstate', { state: { usr: state } }));
  });

const LOGIN = ['/uploadpressure', '/Store', '/addValue', '/subscribe', '/album', '/tradeResult', '/subscribedetail'];
const TITLES: Record<string, string> = {
  '/uploadpressure': 'Convert a photo',
  '/store': 'Store',
  '/member/store': 'Store',
  '/addvalue': 'Buy points',
  '/member/addvalue': 'Buy points',
  '/subscribe': 'Membership plans',
  '/album': 'Albums',
  '/traderesult': 'No payment is open here',
  '/subscribedetail': 'My subscriptions',
  '/member/subscribedetail': 'My subscriptions',
  '/addfriend': 'Friends',
  '/member/addfriend?email=an%40example.com': 'Friends',
  '/menu': 'Menu',
  '/menu/profile': 'Profile',
  '/member/profile': 'Edit profile',
  '/menu/order': 'Orders',
  '/member/order': 'Orders',
  '/menu/points': 'My points',
  '/member/points': 'My points',
  '/menu/video': 'My content',
  '/member/video': 'My content',
  '/menu/qrcode': 'Scan a code',
  '/member/qrcode': 'Scan a code',
  '/menu/framesetting': 'My frames',
  '/member/framesetting': 'My frames',
};
/** Each page redirects a visitor to the login and back afterwards, and is accessible to a member. */
async function expectForMembers(paths: readonly string[]) {
  const { unmount } = await open('/nothing');
  for (const path of paths) {
    await goTo(path);
    await leadsTo(`/login?redirect=${encodeURIComponent(path)}`);
  }
  unmount();
  await open('/nothing', aMember);
  for (const path of paths) {
    await goTo(path);
    await shows(TITLES[path.toLowerCase()] ?? 'unknown');
    await waitFor(() => expect(address()).toBe(path));
  }
}

describe('a page for members sends a visitor to the login and is there for a member', { timeout: 60_000 }, () => {
  it('pages of the first level [R-2.route-protected.1] [R-2.route-protected.3] [R-2.route-protected.4] [R-2.route-protected.5] [R-2.route-protected.6] [R-2.route-protected.7] [R-2.route-protected.8] [R-2.route-member.1]', () =>
    expectForMembers([...LOGIN, '/store', '/STORE']));

  it('the menu and adding friends [R-2.route-protected.9] [R-2.route-protected.10] [R-2.route-member.10]', () =>
    expectForMembers(['/addfriend', '/Member/AddFriend?email=an%40example.com', '/menu']));

  it('pages under /menu [R-2.route-menu.1] [R-2.route-menu.2] [R-2.route-menu.3] [R-2.route-menu.4] [R-2.route-menu.6]', () =>
    expectForMembers(['profile', 'order', 'video', 'qrcode', 'frameSetting'].map((name) => `/menu/${name}`)));

  const MEMBER = ['addValue', 'store', 'video', 'framesetting', 'order', 'qrcode', 'profile', 'subscribedetail'];
  it('pages under /member [R-2.route-member.2] [R-2.route-member.3] [R-2.route-member.4] [R-2.route-member.5] [R-2.route-member.6] [R-2.route-member.7] [R-2.route-member.8] [R-2.route-member.9]', () =>
    expectForMembers(MEMBER.map((name) => `/member/${name}`)));

  it('/menu/confirmUpload tells what became of an upload [R-2.route-menu.5]', async () => {
    await open('/menu/confirmUpload', aMember);
    await screen.findByText('This upload was not found. Choose a photo to start.', undefined, SLOW);
  });
});

it('a receipt leads to the orders, after a login if need be', { timeout: 40_000 }, async () => {
  const { unmount } = await open('/order');
  await leadsTo('/login?redirect=%2Forder');
  unmount();
  await open('/order', aMember);
  await leadsTo('/menu/order');
});

it('an unknown page is not found, with a way home, and nobody is asked to log in for it [R-2.route-member.11]', {
  timeout: 40_000,
}, async () => {
  await open('/nothing');
  for (const path of ['/menu/nothing', '/member/nothing', '/nothing/at/all', '/menu/profile/more']) {
    await goTo(path);
    await shows('Page not found');
    await waitFor(() => expect(address()).toBe(path));
    expect(document.querySelector('main a[href="/"]')).not.toBeNull();
  }
});

it('public pages are open to a visitor without a login, and to a member [R-1.visitor.1] [R-2.route-public.1] [R-2.route-public.3] [R-2.route-public.4] [R-2.route-public.5]', {
  timeout: 40_000,
}, async () => {
  const pages = {
    '/plan': 'Membership plans',
    '/notify': 'Notifications',
    '/locations': 'Where to see our frames',
    '/about': 'About Framelift',
    '/qa': 'Questions and answers',
    '/terms': 'Terms and disclaimer',
    '/privacy': 'Privacy policy',
  };
  for (const user of [null, aMember]) {
    const { unmount } = await open('/nothing', user);
    for (const [path, title] of Object.entries(pages)) {
      await goTo(path);
      await shows(title);
      await waitFor(() => expect(address()).toBe(path));
      expect(document.title).toBe(`${title} – Framelift`);
    }
    unmount();
  }
});

describe('a page that an address asks something of', { timeout: 40_000 }, () => {
  it('keeps the address that a link names for adding a friend, checks it and asks its owner [R-2.route-member.10] [R-2.add-friend.1]', async () => {
    await open('/member/addfriend?email=nobody', aMember);
    await shows('Friends');
    const field = await screen.findByLabelText<HTMLInputElement>('Your friend’s e-mail address', undefined, SLOW);
    expect(field.value).toBe('nobody');
    const ask = () => fireEvent.submit(field.form as HTMLFormElement);
    ask();
    await screen.findByText('Invalid Format, Please Re-enter Email');
    expect(asked('/addFriend')).toEqual([]);
    fireEvent.change(field, { target: { value: 'bo@example.com' } });
    ask();
    await screen.findByText('You have reached the limit.');
    expect(field.value).toBe('bo@example.com');
    fireEvent.change(field, { target: { value: 'an@example.com' } });
    ask();
    await waitFor(() => expect(field.value).toBe(''), SLOW);
    expect(asked('/addFriend').map(({ input }) => input)).toEqual([
      { email: 'bo@example.com' },
      { email: 'an@example.com' },
    ]);
  });

  it('carries a mark on the page of friends where the operator says that it is being built [R-2.add-friend.4]', async () => {
    config = { ...aConfig, features: { ...aConfig.features, addFriend: 'in_development' } };
    await open('/addfriend', aMember);
    await shows('Friends');
    await screen.findByText('Under development');
  });

  it('takes nothing for a frame that cannot be one', async () => {
    await open('/locations?device=%3Cscript%3E');
    await leadsTo('/locations');
    expect(localStorage.getItem('deviceID')).toBeNull();
  });
});

describe('a frame that a link named', { timeout: 40_000 }, () => {
  it('is asked about once, on whatever page the link is opened, and then forgotten [R-2.query.6]', async () => {
    await open('/about?device=WDJB-MJHT', aMember);
    await shows('Is this your frame?');
    await leadsTo('/menu/qrcode');
    expect(localStorage.getItem('deviceID')).toBeNull();
    await goTo('/about');
    await shows('About Framelift');
    await goTo('/menu/qrcode');
    await shows('Scan a code');
    expect(asked('/addDevice?deviceId=WDJB-MJHT')).toHaveLength(1);
  });

  it('is kept through the login of a visitor, who is asked afterwards [R-2.query.6]', async () => {
    await open('/index?device=WDJB-MJHT');
    await leadsTo('/index');
    expect(localStorage.getItem('deviceID')).toBe('WDJB-MJHT');
    cleanup();
    await open('/menu', aMember);
    await shows('Is this your frame?');
    await leadsTo('/menu/qrcode');
  });
});

describe('somebody who is logged in', { timeout: 40_000 }, () => {
  it('is taken from the pages of visitors to the player site, without a second login [R-2.route-auth.1] [R-2.route-auth.2] [R-2.route-auth.3] [R-2.route-auth.4] [R-4.session.3]', async () => {
    await open('/nothing', aMember);
    for (const path of ['/mainindex', '/login', '/register', '/registerSuccess', '/LOGIN']) {
      await goTo('/nothing');
      await goTo(path);
      await leadsTo('/player');
    }
    expect(asked('/login')).toEqual([]);
  });

  it('goes to the player site outside where there is one, with nothing of the session in its address [R-2.route-home.2] [R-2.route-auth.2]', async () => {
    config = { ...aConfig, playerUrl: 'https://player.example/live' };
    const left = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
    await open('/login', aMember);
    await waitFor(() => expect(left).toHaveBeenCalledWith('https://player.example/live'), SLOW);
    await waitFor(() => expect(address()).toBe('/player'));
  });

  it('sees the page of the upload with its dialog open [R-2.route-protected.1]', async () => {
    await open('/uploadpressure', aMember);
    await shows('Convert a photo');
    await waitFor(() => expect(document.querySelector('[role="dialog"]')).not.toBeNull(), SLOW);
  });
});

it('/home needs a login, and leads a member to the player [R-2.route-home.1] [R-2.route-home.2]', {
  timeout: 40_000,
}, async () => {
  const { unmount } = await open('/home');
  await leadsTo('/login?redirect=%2Fhome');
  unmount();
  await open('/home', aMember);
  await leadsTo('/player');
  await shows('Home');
});

it('the landing page, also in place of the player, invites visitors to log in for live broadcasts [R-1.landing.1] [R-2.route-index.2] [R-2.route-player.1]', {
  timeout: 40_000,
}, async () => {
  // The parts below the first screen are near at once.
  const near = [{ isIntersecting: true }] as IntersectionObserverEntry[];
  class Observer {
    readonly seen: IntersectionObserverCallback;
    constructor(seen: IntersectionObserverCallback) {
      this.seen = seen;
    }
    observe() {
      this.seen(near, this as unknown as IntersectionObserver);
    }
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  const told = vi.spyOn(console, 'error');
  for (const path of ['/index', '/player']) {
    const { unmount } = await open(path);
    await shows('Your photos, lifted out of the frame');
    const invitation = await screen.findByRole('link', { name: 'Log in to watch live' }, SLOW);
    expect(invitation.getAttribute('href')).toBe('/login?redirect=%2Fplayer');
    expect(screen.getByText(/Watch free-view streaming live/)).toBeTruthy();
    fireEvent.click(screen.getByRole('link', { name: 'Log in or register' }));
    await leadsTo('/login');
    unmount();
  }
  // React tells of two elements with the same key.
  expect(told.mock.calls.filter(([text]) => String(text).includes('same key'))).toEqual([]);
});

it('a visitor is sent to the player site only where there is one outside [R-2.route-index.1]', {
  timeout: 40_000,
}, async () => {
  const left = vi.spyOn(window.location, 'replace').mockImplementation(() => {});
  const { unmount } = await open('/index');
  await shows('Your photos, lifted out of the frame');
  await waitFor(() => expect(asked('/config')).toHaveLength(1));
  expect(left).not.toHaveBeenCalled();
  unmount();
  config = { ...aConfig, playerUrl: 'https://player.example/' };
  let flashed = false;
  const watch = new MutationObserver(() => {
    flashed ||= document.querySelector('main h1') !== null;
  });
  watch.observe(document.body, { childList: true, subtree: true });
  await open('/index');
  await waitFor(() => expect(left).toHaveBeenCalledWith('https://player.example/'), SLOW);
  watch.disconnect();
  expect(flashed, 'our own page was shown on the way').toBe(false);
});

describe('/temp', { timeout: 40_000 }, () => {
  it('makes the page anew and leaves no trace in the history [R-2.route-temp.1]', async () => {
    await open('/qa');
    await shows('Questions and answers');
    const old = document.querySelector('main h1');
    const before = window.history.length;
    await goTo('/temp', { from: '/qa?a=1' });
    await leadsTo('/qa?a=1');
    await shows('Questions and answers');
    expect(document.querySelector('main h1')).not.toBe(old);
    expect(window.history.length).toBe(before + 1);
  });

  it('is how the logo makes the page anew that it leads to [R-2.route-temp.1] [R-2.route-player.1]', async () => {
    await open('/menu', aMember);
    await shows('Menu');
    const logo = () => document.querySelector('header a[href="/player"]') as HTMLElement;
    fireEvent.click(logo());
    await leadsTo('/player');
    await shows('Home');
    const old = document.querySelector('main h1');
    const before = window.history.length;
    fireEvent.click(logo());
    await waitFor(() => expect(document.querySelector('main h1')).not.toBe(old));
    await shows('Home');
    await leadsTo('/player');
    expect(window.history.length).toBe(before);
  });

  it('leads to the start when it is opened by hand, and never to another place', async () => {
    const { unmount } = await open('/temp');
    await leadsTo('/index');
    unmount();
    await open('/qa');
    await goTo('/temp', { from: '//evil.example/' });
    await leadsTo('/index');
  });
});

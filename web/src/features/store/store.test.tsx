// @vitest-environment happy-dom
import type { Product, Solution, SubscriptionInfo, User } from '@framelift/contract';
import { useQueryClient } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { beginSession, hasSession } from '../../api/session.ts';
import { beginTutorial, GUIDES } from '../../shared/tutorial/guides.ts';
import { aConfig } from '../../testing/config.ts';
import { aMember, answerCalls, refusal, type SentCall, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { PlanPage } from './PlanPage.tsx';
import { StoreFeed } from './StoreFeed.tsx';
import { StorePage } from './StorePage.tsx';

configure({ asyncUtilTimeout: 8000 });

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const moon = { id: 1, name: 'Paper Moon', icon: '/api/store/1/icon' };
const sea = { id: 2, name: 'Deep Sea', icon: null };
const picture = (n: number): Product['media'][number] => ({
  id: idOf(n),
  media_type: 1,
  cover: `/api/product/1/${idOf(n)}/cover`,
  preview: null,
});
const aProduct = (id: number, changes: Partial<Product> = {}): Product => ({
  id,
  name: `Product ${id}`,
  content: 'Four evenings.',
  is_activated: true,
  hasFree: false,
  isFree: false,
  isSubscribed: false,
  paid_until: null,
  quantity: 3,
  media: [picture(1), picture(2), picture(3)],
  store: moon,
  album_id: null,
  ...changes,
});
const lanterns = aProduct(1, { name: 'Lanterns' });
const waves = aProduct(2, { name: 'Waves', hasFree: true, store: sea });
const offer = (id: number, costs: number, period: number | null, changes: Partial<Solution> = {}): Solution => ({
  ...{ id, costs, period, product_id: 1, plan_id: null, points: null, name: 'Lanterns', icon: '', content: [] },
  ...{ currency: 'USD', prices: [{ currency: 'USD', costs }] },
  ...changes,
});
const offers = [offer(10, 0, 1), offer(11, 3000, 3), offer(12, 1250, 1)];
const plan = (id: number, name: string, costs: number) =>
  offer(20 + id, costs, 1, {
    product_id: null,
    plan_id: id,
    name,
    icon: name.toLowerCase(),
    content: [`${name} room`],
  });

interface Shop {
  readonly products?: Product[];
  readonly user?: User | null;
  readonly refuse?: (call: SentCall) => ReturnType<typeof refusal> | undefined;
  readonly content?: React.ReactNode;
}

function Begin({ user, children }: { user: User | null; children: React.ReactNode }) {
  const queries = useQueryClient();
  const [begun, setBegun] = useState(user === null);
  if (begun) return children;
  const begin = () => {
    if (user) beginSession(queries, user);
    setBegun(true);
  };
  return (
    <button type="button" onClick={begin}>
      begin
    </button>
  );
}

const list = (data: readonly unknown[]) => ({
  body: { success: true, data, meta: { hasNext: false }, links: { self: '', next: null } },
});

/** Simulates the server's shop, in which free products can be saved. */
async function show(
  at: string,
  { products = [lanterns, waves], user = aMember, refuse, content = <StorePage /> }: Shop = {},
) {
  withoutMotion();
  let shelf = products;
  const sent = answerCalls((call) => {
    const refused = refuse?.(call);
    if (refused) return refused;
    const { pathname, searchParams } = new URL(call.path, 'http://localhost');
    const { target } = (call.input ?? {}) as { target?: number };
    const change = (changes: Partial<Product>) => {
      shelf = shelf.map((one) => (one.id === target ? { ...one, ...changes } : one));
      const { isSubscribed, isFree, paid_until } = shelf.find((one) => one.id === target) as Product;
      return success({ isSubscribed, isFree, paid_until });
    };
    if (pathname === '/config') return success(aConfig);
    if (pathname === '/stores') return list([moon, sea]);
    if (pathname === '/products') {
      const store = searchParams.get('store');
      return list(shelf.filter((one) => store === null || one.store.id === Number(store)));
    }
    if (pathname === '/product_solutions') return list(offers);
    if (pathname === '/plan_solutions')
      return list([plan(1, '', 0), plan(2, 'Normal', 499), plan(3, 'Prime', 999), plan(4, 'Pro', 1999)]);
    if (pathname === '/product_subscribe') return change({ isSubscribed: true, isFree: true, album_id: idOf(80) });
    if (pathname === '/product_unsubscribe') return change({ isSubscribed: false, isFree: false, album_id: null });
    const one = shelf.find(({ id }) => pathname === `/product/${id}`);
    if (one) return success(one);
    if (pathname.startsWith('/product/')) return refusal(404, 'productNotFound', 'Not found.');
    return success(user);
  });
  await showPage(<Begin user={user}>{content}</Begin>, at);
  if (user) fireEvent.click(screen.getByText('begin'));
  return sent;
}

const dialog = () => screen.findByRole('dialog');
const inDialog = async (role: string, name: string | RegExp) => within(await dialog()).findByRole(role, { name });
const address = () => screen.getByTestId('address').textContent;
const openMenu = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const card = async (name: string) =>
  (await screen.findByRole('link', { name: new RegExp(`${name}$`) })).closest('li') as HTMLElement;

describe('the feed of the store', () => {
  it('has the icons of the stores and cards of what is on show, with store, first cover, price and the notice of a test shop [R-2.home-feed.1] [R-2.home-feed.3] [R-2.home-feed.4] [R-2.home-feed.6]', async () => {
    const sent = await show('/store');
    const row = within(await screen.findByRole('list', { name: 'Stores' }));
    expect(row.getAllByRole('button').map((one) => one.textContent)).toEqual(['All', 'Paper Moon', 'DDeep Sea']);
    expect(row.getByRole('button', { name: 'Paper Moon' }).querySelector('img')?.getAttribute('src')).toBe(moon.icon);
    const first = await card('Lanterns');
    expect(within(first).getByText('Paper Moon')).toBeTruthy();
    expect([...first.querySelectorAll('img')].map((one) => one.getAttribute('src'))).toEqual([
      moon.icon,
      picture(1).cover,
    ]);
    expect(await within(first).findByText('from $12.50 / 1 month')).toBeTruthy();
    expect(await within(first).findByText('for test use only')).toBeTruthy();
    expect(within(await card('Waves')).getAllByText('Free').length).toBeGreaterThan(0);

    fireEvent.click(row.getByRole('button', { name: 'Deep Sea' }));
    await waitFor(() => expect(screen.queryByText('Lanterns')).toBeNull());
    expect(await screen.findByText('Waves')).toBeTruthy();
    expect(row.getByRole('button', { name: 'Deep Sea' }).getAttribute('aria-pressed')).toBe('true');
    expect(sent.some(({ path }) => path.startsWith('/products?') && path.includes('store=2'))).toBe(true);
    fireEvent.click(row.getByRole('button', { name: 'All' }));
    expect(await screen.findByText('Lanterns')).toBeTruthy();
  });

  it('leads from the menu of a card to buying and to a preview, in a dialog that "back" closes [R-2.home-feed.5] [R-2.home-feed.7] [R-2.home-feed.8]', async () => {
    await show('/store');
    await openMenu('Buy: Lanterns');
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Buy' }));
    expect(await inDialog('radio', '$30 / 3 months')).toBeTruthy();
    expect(address()).toBe('/store?product=1');
    window.history.back();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/store');
    await openMenu('Get it: Waves');
    const items = await screen.findAllByRole('menuitem');
    expect(items.map((one) => one.textContent)).toEqual(['Save to frame', 'Preview']);
    fireEvent.click(items[1] as HTMLElement);
    await dialog();
    expect(address()).toBe('/store?product=2&mode=preview');
  });

  it('says when there is nothing, and when it could not be loaded; on another page it appears only when there is something', async () => {
    let broken = true;
    await show('/store', {
      products: [],
      refuse: ({ path }) =>
        broken && path.startsWith('/products') ? refusal(500, 'internal', 'Something went wrong.') : undefined,
    });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByText('The store could not be loaded.')).toBeTruthy();
    broken = false;
    fireEvent.click(retry);
    expect(await screen.findByText('The shelves are being filled')).toBeTruthy();
  });

  it('says that prices and stores could not be loaded, keeps what there is, and tries again', async () => {
    const broken = new Set(['/product_solutions', '/stores']);
    await show('/store', {
      refuse: ({ path }) =>
        broken.has(path.split('?')[0] ?? '') ? refusal(500, 'internal', 'Something went wrong.') : undefined,
    });
    for (const [text, path] of [
      ['The prices could not be loaded.', '/product_solutions'],
      ['The list of stores could not be loaded.', '/stores'],
    ] as const) {
      const alert = (await screen.findByText(text)).closest('[role=alert]') as HTMLElement;
      broken.delete(path);
      fireEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(screen.queryByText(text)).toBeNull());
    }
    expect(await within(await card('Lanterns')).findByText('from $12.50 / 1 month')).toBeTruthy();
    expect(await screen.findByRole('list', { name: 'Stores' })).toBeTruthy();
  });

  it('is no section of another page while it is empty', async () => {
    const sent = await show('/player', { products: [], content: <StoreFeed asSection /> });
    await waitFor(() => expect(sent.some(({ path }) => path.startsWith('/products'))).toBe(true));
    expect(screen.queryByRole('heading', { name: 'From the store' })).toBeNull();
  });
});

describe('the dialog of a product', () => {
  it('has the store in its header, and the offers that cost something, the first of them chosen [R-2.product-preview.1] [R-2.product-preview.5] [R-2.product-preview.6] [R-4.plan-picker.3]', async () => {
    await show('/store?product=1');
    const heading = await inDialog('heading', 'Paper Moon');
    expect(heading.querySelector('img')?.getAttribute('src')).toBe(moon.icon);
    const plans = within(await dialog()).getAllByRole('radio');
    expect(plans.map((one) => one.getAttribute('aria-label'))).toEqual(['$30 / 3 months', '$12.50 / 1 month']);
    expect(plans.map((one) => one.getAttribute('aria-checked'))).toEqual(['true', 'false']);
    fireEvent.click(plans[1] as HTMLElement);
    expect(plans.map((one) => one.getAttribute('aria-checked'))).toEqual(['false', 'true']);
    expect(within(await dialog()).queryByRole('button', { name: 'Save to frame' })).toBeNull();
    fireEvent.click(await inDialog('button', 'Cancel'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/store');
  });

  it('shows its pictures one at a time, by dots, arrows, keys and swipes of 20 px, no further than the last [R-9.ui.1] [R-2.product-preview.2] [R-2.product-preview.4]', async () => {
    await show('/store?product=1');
    const dots = await inDialog('button', 'Picture 1 of 3').then((dot) => [
      ...(dot.parentElement as HTMLElement).children,
    ]);
    const current = () => dots.findIndex((dot) => dot.getAttribute('aria-current') === 'true') + 1;
    expect(dots).toHaveLength(3);
    const stage = screen.getByTestId('carousel');
    const swipe = (by: number) => {
      const pointer = { pointerId: 1, pointerType: 'touch', isPrimary: true, clientY: 50 };
      fireEvent.pointerDown(stage, { ...pointer, clientX: 200 });
      fireEvent.pointerUp(stage, { ...pointer, clientX: 200 + by });
      return current();
    };
    expect([swipe(-19), swipe(-20), swipe(19), swipe(20), swipe(20)]).toEqual([1, 2, 2, 1, 1]);
    fireEvent.click(dots[2] as Element);
    expect(current()).toBe(3);
    const next = screen.getByRole('button', { name: 'Next picture' }) as HTMLButtonElement;
    expect(next.disabled).toBe(true);
    for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowRight'])
      fireEvent.keyDown(stage, { key });
    expect(current()).toBe(2);
    fireEvent.click(next);
    expect(current()).toBe(3);
  });

  it('buys what is chosen, never for nothing, and forgets the choice when it is cancelled [R-4.plan-picker.4] [R-4.plan-picker.5]', async () => {
    // It was free once.
    await show('/store', {
      products: [{ ...lanterns, isFree: true }, waves],
      refuse: ({ path }) =>
        path === '/paymentMethods' ? success([{ method: 'paypal', currency: 'USD', sandbox: true }]) : undefined,
    });
    const open = async () => {
      fireEvent.click(await screen.findByRole('link', { name: /Lanterns$/ }));
      return inDialog('radio', '$12.50 / 1 month');
    };
    const cheap = await open();
    expect(within(await dialog()).queryByText('Yours')).toBeNull();
    fireEvent.click(cheap);
    expect(within(await dialog()).queryByText('Free')).toBeNull();
    expect(within(await dialog()).queryByRole('button', { name: 'Save to frame' })).toBeNull();
    fireEvent.click(await inDialog('button', 'Buy'));
    const confirm = within(await screen.findByRole('dialog', { name: 'Confirm your purchase' }));
    expect(confirm.getByText('$12.50 / 1 month')).toBeTruthy();
    fireEvent.click(confirm.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm your purchase' })).toBeNull());
    fireEvent.click(await inDialog('button', 'Cancel'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect((await open()).getAttribute('aria-checked')).toBe('false');
    expect((await inDialog('radio', '$30 / 3 months')).getAttribute('aria-checked')).toBe('true');
  });

  it('closes once, however often it is told to, and leaves the page below where it is', async () => {
    await show('/index');
    // Another page lies before it.
    window.history.pushState(null, '', '/store');
    window.dispatchEvent(new PopStateEvent('popstate'));
    fireEvent.click(await screen.findByRole('link', { name: /Lanterns$/ }));
    const cancel = await inDialog('button', 'Cancel');
    act(() => {
      for (let time = 0; time < 3; time++) cancel.click();
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    // It can be left again when it is open again.
    fireEvent.click(await screen.findByRole('link', { name: /Lanterns$/ }));
    fireEvent.click(await inDialog('button', 'Cancel'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/store');
  });

  it('takes a saved product back when it is undone, also after it was closed and opened again', async () => {
    await show('/store');
    const open = async () => fireEvent.click(await screen.findByRole('link', { name: /Waves$/ }));
    await open();
    const focused: (EventTarget | null)[] = [];
    document.addEventListener('focusin', ({ target }) => focused.push(target));
    fireEvent.click(await inDialog('button', 'Save to frame'));
    const yours = await within(await dialog()).findByText('Yours');
    // The button that had the focus is gone.
    await waitFor(() => expect(focused.includes(yours)).toBe(true));
    fireEvent.click((await within(await dialog()).findAllByRole('button', { name: 'Close' })).at(-1) as HTMLElement);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await open();
    expect(await within(await dialog()).findByText('Yours')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await inDialog('button', 'Save to frame')).toBeTruthy();
    expect(within(await dialog()).queryByText('Yours')).toBeNull();
  });

  it('hides the offers in preview mode, and shows them when asked to buy [R-2.product-preview.9]', async () => {
    await show('/store?product=1&mode=preview');
    const buy = await inDialog('button', 'Buy');
    expect(within(await dialog()).queryByRole('radio')).toBeNull();
    fireEvent.click(buy);
    expect(await inDialog('radio', '$30 / 3 months')).toBeTruthy();
    expect(address()).toBe('/store?product=1');
  });

  it('saves a free product for a member, says so with an undo, and ends the guide to saving for good [R-2.product-preview.8] [R-4.save-free.1] [R-4.save-free.3] [R-4.save-free.4]', async () => {
    beginTutorial(aMember.id);
    const sent = await show('/store?product=2');
    fireEvent.click(await inDialog('button', 'Save to frame'));
    expect(await screen.findByText('“Waves” is now among your albums.')).toBeTruthy();
    expect(within(await dialog()).getByText('Yours')).toBeTruthy();
    expect((await inDialog('link', 'Open album')).getAttribute('href')).toBe(`/album/${idOf(80)}`);
    expect(await inDialog('button', 'Show on frame')).toBeTruthy();
    expect(sent.find(({ path }) => path === '/product_subscribe')?.input).toEqual({ target: 2 });
    const kept = localStorage.getItem(`guides-${aMember.id}`)?.split(' ');
    expect(kept).toEqual(GUIDES.filter((guide) => guide !== 'saveImageGuide'));

    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await inDialog('button', 'Save to frame')).toBeTruthy();
    expect(sent.find(({ path }) => path === '/product_unsubscribe')?.input).toEqual({ target: 2 });
  });

  it('asks a visitor to log in and to come back before a free product can be saved [R-2.product-preview.8]', async () => {
    await show('/index?product=2', { user: null, content: <StoreFeed asSection /> });
    const login = await inDialog('link', 'Log in to get it');
    expect(login.getAttribute('href')).toBe(`/login?redirect=${encodeURIComponent('/store?product=2')}`);
    expect(within(await dialog()).queryByRole('button', { name: 'Save to frame' })).toBeNull();
  });

  it('lets a member alone buy what is chosen; a guest is led to the login or to an account, and back to the product [R-2.product-preview.7]', async () => {
    const refuse = ({ path }: SentCall) =>
      path === '/paymentMethods' ? success([{ method: 'paypal', currency: 'USD', sandbox: true }]) : undefined;
    await show('/store?product=1', { refuse });
    fireEvent.click(await inDialog('button', 'Buy'));
    const confirm = within(await screen.findByRole('dialog', { name: 'Confirm your purchase' }));
    expect(confirm.getByText('$30 / 3 months')).toBeTruthy();
    cleanup();

    await show('/store?product=1', { user: { ...aMember, isGuest: true } });
    const register = await inDialog('link', 'Create an account');
    expect(screen.queryByRole('button', { name: 'Buy' })).toBeNull();
    fireEvent.click(register);
    await waitFor(() => expect(address()).toBe(`/register?redirect=${encodeURIComponent('/store?product=1')}`));
    expect(hasSession()).toBe(false);
  });

  it('of a product that is gone says so', async () => {
    await show('/store?product=9');
    expect(await within(await dialog()).findByText('This is no longer in the store.')).toBeTruthy();
  });
});

it('the plans are Normal, Prime and Pro with benefits and price, and the one of the member is marked', async () => {
  const user = { ...aMember, myPlan: { plan: { id: 3, icon: 'prime', name: 'Prime' } } };
  await show('/plan', { user, content: <PlanPage /> });
  const headings = await screen.findAllByRole('heading', { level: 2 });
  expect(headings.map((one) => one.textContent)).toEqual(['Normal', 'Prime', 'Pro']);
  const cards = headings.map((one) => one.closest('li')?.textContent ?? '');
  expect(cards.map((one) => /\$[\d.]+ \/ 1 month/.exec(one)?.[0])).toEqual([
    '$4.99 / 1 month',
    '$9.99 / 1 month',
    '$19.99 / 1 month',
  ]);
  expect(cards.map((one) => one.includes('Your plan'))).toEqual([false, true, false]);
  expect(cards[2]).toContain('Pro room');
});

it('the plans tell a member whose plan is paused that it waits for its payment, and lead to it', async () => {
  const paused: SubscriptionInfo = {
    ...{ id: idOf(90), kind: 'plan', plan_id: 3, product_id: null, offer_id: 12, name: 'Prime', icon: 'prime' },
    ...{ state: 'suspended', paid_until: '2026-01-01T00:00:00Z', cancel_at_end: false, renews: true, method: 'card' },
    ...{ next_charge: null, due: { costs: 999, currency: 'USD' }, date: '2025-12-01T00:00:00Z' },
  };
  await show('/plan', {
    content: <PlanPage />,
    refuse: ({ path }) =>
      path.startsWith('/subscriptions')
        ? { body: { success: true, data: [paused], meta: { hasNext: false }, links: { self: '', next: null } } }
        : undefined,
  });
  expect(await screen.findByText(/Your plan Prime is paused/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Pay for your plan' }).getAttribute('href')).toBe('/subscribedetail');
  const cards = screen.getAllByRole('heading', { level: 2 }).map((one) => one.closest('li')?.textContent ?? '');
  expect(cards.map((one) => one.includes('Paused'))).toEqual([false, true, false]);
});

it('the plans tell a member who cancelled until when the plan runs, and that it ends then', async () => {
  const cancelled: SubscriptionInfo = {
    ...{ id: idOf(90), kind: 'plan', plan_id: 3, product_id: null, offer_id: 12, name: 'Prime', icon: 'prime' },
    ...{ state: 'active', paid_until: '2099-02-15T04:00:00Z', cancel_at_end: true, renews: true, method: 'card' },
    ...{ next_charge: null, due: null, date: '2025-12-01T00:00:00Z' },
  };
  await show('/plan', {
    content: <PlanPage />,
    refuse: ({ path }) =>
      path.startsWith('/subscriptions')
        ? { body: { success: true, data: [cancelled], meta: { hasNext: false }, links: { self: '', next: null } } }
        : undefined,
  });
  expect(
    await screen.findByText(/^Your plan Prime runs until Feb(ruary)? 15, 2099 and ends then\. Nothing more/),
  ).toBeTruthy();
  expect(screen.queryByText(/is paused/)).toBeNull();
});

it('the plans say that the store is closed while an operator has switched it off, and none can be chosen', async () => {
  const closed = { ...aConfig, features: { ...aConfig.features, store: 'off' as const } };
  await show('/plan', {
    content: <PlanPage />,
    refuse: ({ path }) => (path === '/config' ? success(closed) : undefined),
  });
  expect(
    await screen.findByText('The store is closed at the moment. What you already have stays, and so does any plan.'),
  ).toBeTruthy();
  const buttons = screen.getAllByRole('button', { name: /^(Choose|Switch to) / });
  expect(buttons.length).toBeGreaterThan(0);
  for (const button of buttons) expect(button.hasAttribute('disabled')).toBe(true);
});

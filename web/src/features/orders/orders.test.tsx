// @vitest-environment happy-dom
import { MEDIA_STATUS, type Media, type Order, type PaymentInfo } from '@framelift/contract';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, refusal, type SentCall, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { alerts } from '../../ui/alerts.ts';
import { OrdersPage } from './OrdersPage.tsx';
import { PaymentsPage } from './PaymentsPage.tsx';
import { latest } from './payment-state.ts';

configure({ asyncUtilTimeout: 15_000 });
beforeAll(() => import('../../ui/AlertModal.tsx'), 60_000);
afterEach(() => {
  for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
});

const { processing, finished, unable, deleted } = MEDIA_STATUS;
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const picture = (n: number, changes: Partial<Media> = {}): Media => ({
  id: idOf(50 + n),
  name: `picture ${n}.jpg`,
  status: finished,
  cover: `/api/media/${idOf(50 + n)}/cover`,
  date: '2026-03-01T02:00:00Z',
  finish_time: null,
  type: 0,
  media_type: 1,
  device_type_id: 1,
  effect: 100,
  progress: 100,
  ...changes,
});
const order = (n: number, changes: Partial<Order> = {}): Order => ({
  id: idOf(n),
  name: `picture ${n}.jpg`,
  type: 0,
  costs: 0,
  currency: 'points',
  date: '2026-03-01T02:00:00Z',
  progress: 100,
  media: [picture(n)],
  product: null,
  solution_order: null,
  ...changes,
});
const withStatus = (n: number, status: Media['status'], progress = 100) =>
  order(n, { progress, media: [picture(n, { status, progress })] });

/**
 * Simulates the server's orders: `pages` by their cursor, one list for each filter if `only` is set; media can change.
 */
async function show(
  pages: Record<string, Order[]>,
  at = '/menu/order',
  answer: (call: SentCall) => ReturnType<typeof success> | undefined = () => undefined,
) {
  withoutMotion();
  const cursors = Object.keys(pages);
  const changed = new Map<string, Media['status']>();
  const now = (one: Order): Order => ({
    ...one,
    media: one.media.map((media) => ({ ...media, status: changed.get(media.id) ?? media.status })),
  });
  const all = Object.values(pages).flat();
  const sent = answerCalls((call) => {
    const given = answer(call);
    if (given) return given;
    const { id = '' } = (call.input ?? {}) as { id?: string };
    const [path = '', query] = call.path.split('?');
    const input = new URLSearchParams(query);
    if (path === '/orders') {
      const cursor = input.get('page') ?? 'first';
      const next = cursors[cursors.indexOf(cursor) + 1];
      return {
        body: {
          success: true,
          data: (pages[cursor] ?? []).map(now),
          meta: { hasNext: next !== undefined, total: all.length },
          links: { self: '', next: next === undefined ? null : `/api/orders?page=${next}` },
        },
      };
    }
    if (path === '/deleteMedia') changed.set(id, deleted);
    if (path === '/restoreMedia') changed.set(id, finished);
    if (path === '/retryMedia') changed.set(id, processing);
    const one = all.find((candidate) => path === `/order/${candidate.id}`);
    return success(one ? now(one) : { id, status: changed.get(id) ?? finished });
  });
  await showPage(
    <LoggedIn>
      <OrdersPage />
    </LoggedIn>,
    at,
  );
  await i18next.loadNamespaces('orders');
  return sent;
}
const card = (n: number) => screen.findByRole('button', { name: new RegExp(`^picture ${n}\\.jpg`) });
const openCard = async (n: number) => {
  fireEvent.click(await card(n));
  return within(await screen.findByRole('region', { name: new RegExp(`^picture ${n}\\.jpg`) }));
};
const asked = (sent: SentCall[]) =>
  sent.filter(({ path }) => path.startsWith('/orders')).map(({ path }) => new URLSearchParams(path.split('?')[1]));
const address = () => screen.getByTestId('address').textContent;

describe('the order list', () => {
  it('has tabs for categories and for days, which ask for what they say and stand in the address [R-2.orders.1] [R-2.orders.2]', async () => {
    const sent = await show({ first: [order(1)] });
    await card(1);
    const tabs = (name: string) =>
      within(screen.getByRole('tablist', { name }))
        .getAllByRole('tab')
        .map(({ textContent }) => textContent);
    expect(tabs('Kind of order')).toEqual(['All', 'Uploads', 'Purchases']);
    expect(tabs('Period')).toEqual(['All time', 'Day', 'Week', 'Month', 'Season']);
    expect(Object.fromEntries(asked(sent)[0] ?? [])).toEqual({ order_type: 'all' });

    for (const [tab, days] of [
      ['Day', '1'],
      ['Week', '7'],
      ['Month', '31'],
      ['Season', '93'],
    ] as const) {
      fireEvent.click(screen.getByRole('tab', { name: tab }));
      await waitFor(() => expect(asked(sent).at(-1)?.get('dt_condition')).toBe(days));
    }
    expect(asked(sent).at(-1)?.get('time_zone')).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
    for (const [tab, category] of [
      ['Uploads', 'upload'],
      ['Purchases', 'purchase_details'],
    ] as const) {
      fireEvent.click(screen.getByRole('tab', { name: tab }));
      await waitFor(() => expect(asked(sent).at(-1)?.get('order_type')).toBe(category));
    }
    // The selected period is kept.
    expect(asked(sent).at(-1)?.get('dt_condition')).toBe('93');
    expect(address()).toBe('/menu/order?dates=season&category=purchase_details');
    expect(await screen.findByText('1 order in the last 93 days')).toBeTruthy();
  });

  it('opens what the address names', async () => {
    const sent = await show({ first: [order(1)] }, '/member/order?category=upload&dates=week');
    await card(1);
    expect(screen.getByRole('tab', { name: 'Uploads', selected: true })).toBeTruthy();
    expect(screen.getByRole('tab', { name: 'Week', selected: true })).toBeTruthy();
    expect(asked(sent)[0]?.get('dt_condition')).toBe('7');
  });

  it('has cards that say what became of an order and can be opened and closed [R-2.orders.3]', async () => {
    await show({
      first: [
        withStatus(1, finished),
        withStatus(2, unable),
        withStatus(3, deleted),
        order(4, { media: [] }),
        order(5, { type: 2, costs: 500, media: [], product: { album: { name: 'Islands' } } }),
      ],
    });
    const states = ['Finished', 'Could not be converted', 'Deleted', 'Permanently deleted', 'Finished'];
    for (const [n, state] of states.entries()) expect((await card(n + 1)).textContent).toMatch(new RegExp(`${state}$`));
    const closed = await card(1);
    expect(closed.getAttribute('aria-expanded')).toBe('false');
    const first = await openCard(1);
    expect(closed.getAttribute('aria-expanded')).toBe('true');
    expect(first.getByText('Order number').nextSibling?.textContent).toBe(idOf(1));
    expect(first.getByText('Kind').nextSibling?.textContent).toBe('Upload');
    fireEvent.click(closed);
    await waitFor(() => expect(screen.queryByText('Order number')).toBeNull());
    const gone = await openCard(4);
    expect(gone.getByText('The content of this order was deleted. Only the order itself is kept.')).toBeTruthy();
  });

  it('shows the points and the album of a purchase [R-3.order.4]', async () => {
    await show({ first: [order(5, { type: 2, costs: 1500, media: [], product: { album: { name: 'Islands' } } })] });
    expect((await card(5)).textContent).toContain('1,500 points');
    const opened = await openCard(5);
    expect(opened.getByText('Kind').nextSibling?.textContent).toBe('Purchase');
    expect(opened.getByText('Cost').nextSibling?.textContent).toBe('1,500 points');
    expect(opened.getByText('Album').nextSibling?.textContent).toBe('Islands');
  });

  it('shows more on demand, and the keyboard goes on at the first new order [R-2.orders.4]', async () => {
    await show({ first: [order(1), order(2)], second: [order(3)] });
    await card(1);
    expect(screen.getByText('3 orders')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    const third = await card(3);
    await waitFor(() => expect(document.activeElement).toBe(third));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('that is empty leads on: to more time, to all orders, to the first upload', async () => {
    await show({ first: [] }, '/menu/order?category=purchase_details&dates=week');
    fireEvent.click(await screen.findByRole('button', { name: 'Show all time' }));
    expect(address()).toBe('/menu/order?category=purchase_details&dates=any');
    fireEvent.click(await screen.findByRole('button', { name: 'Show all orders' }));
    expect(address()).toBe('/menu/order?category=all&dates=any');
    expect(await screen.findByRole('heading', { name: 'No orders yet' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Convert a photo' })).toBeTruthy();
  });

  it('says when it could not be loaded, and loads when asked again', async () => {
    let broken = true;
    await show({ first: [order(1)] }, '/menu/order', ({ path }) =>
      broken && path.startsWith('/orders') ? refusal(500, 'internal', 'Something went wrong.') : undefined,
    );
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.getByText('Your orders could not be loaded.')).toBeTruthy();
    broken = false;
    fireEvent.click(again);
    expect(await card(1)).toBeTruthy();
  });
});

describe('an order can be managed: it', () => {
  it('follows its conversion until it is done, and leads to the result [R-1.member.9]', async () => {
    let progress = 40;
    await show({ first: [withStatus(1, processing, 20)] }, '/menu/order', ({ path }) =>
      path === `/order/${idOf(1)}`
        ? success(withStatus(1, progress < 100 ? processing : finished, progress))
        : undefined,
    );
    await waitFor(async () => expect((await card(1)).textContent).toMatch(/Converting 40%$/));
    const opened = await openCard(1);
    expect(opened.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
    expect(opened.getByRole('link', { name: 'See progress' })).toBeTruthy();
    progress = 100;
    await waitFor(async () => expect((await card(1)).textContent).toMatch(/Finished$/));
    const link = opened.getByRole('link', { name: 'Open the result' });
    expect(link.getAttribute('href')).toBe(`/result/${idOf(51)}`);
  });

  it('is deleted at once and taken back on undo; the order stays all the while [R-1.member.9]', async () => {
    await show({ first: [withStatus(1, finished)] });
    const opened = await openCard(1);
    fireEvent.click(opened.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('picture 1.jpg was deleted.')).toBeTruthy();
    await waitFor(async () => expect((await card(1)).textContent).toMatch(/Deleted$/));
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect((await card(1)).textContent).toMatch(/Finished$/));
  });

  it('can be brought back from its card after it was deleted', async () => {
    const sent = await show({ first: [withStatus(1, deleted)] });
    const opened = await openCard(1);
    fireEvent.click(opened.getByRole('button', { name: 'Restore' }));
    await waitFor(async () => expect((await card(1)).textContent).toMatch(/Finished$/));
    expect(sent.find(({ path }) => path === '/restoreMedia')?.input).toEqual({ id: idOf(51) });
  });

  it('says why it failed, and is tried again where that can help [R-1.member.9]', async () => {
    const message = 'The conversion was stopped.';
    const sent = await show({ first: [withStatus(1, unable)] }, '/menu/order', ({ path }) =>
      path === `/media/${idOf(51)}`
        ? success({ id: idOf(51), status: unable, failure: { code: 'conversionFailed', message } })
        : undefined,
    );
    const opened = await openCard(1);
    expect(await opened.findByText(message)).toBeTruthy();
    fireEvent.click(await opened.findByRole('button', { name: 'Convert again' }));
    await waitFor(async () => expect((await card(1)).textContent).toMatch(/Converting/));
    expect(sent.find(({ path }) => path === '/retryMedia')?.input).toEqual({ id: idOf(51) });
  });

  it('that fails once more says why it failed this time', async () => {
    const message = 'The conversion took too long.';
    let tried = false;
    await show({ first: [withStatus(1, unable)] }, '/menu/order', ({ path }) => {
      if (path === '/retryMedia') {
        tried = true;
        return undefined;
      }
      // The list has loaded it while it was still processing; the conversion ends soon afterwards.
      if (tried && path === `/order/${idOf(1)}`) return success(withStatus(1, unable));
      if (path !== `/media/${idOf(51)}`) return undefined;
      const failure = { code: 'conversionFailed', message: tried ? message : 'The conversion was stopped.' };
      return success({ id: idOf(51), status: unable, failure });
    });
    const opened = await openCard(1);
    fireEvent.click(await opened.findByRole('button', { name: 'Convert again' }));
    expect(await opened.findByText(message)).toBeTruthy();
  });

  it('leads to what can be done where another try cannot help', async () => {
    const failure = { code: 'pictureDamaged', message: 'This picture is damaged and cannot be opened.' };
    await show({ first: [withStatus(1, unable)] }, '/menu/order', ({ path }) =>
      path.startsWith('/media/') ? success({ id: idOf(51), status: unable, failure }) : undefined,
    );
    const opened = await openCard(1);
    expect(await opened.findByText(failure.message)).toBeTruthy();
    expect(opened.queryByRole('button', { name: 'Convert again' })).toBeNull();
    expect(opened.getByRole('link', { name: 'See what to do' }).getAttribute('href')).toBe(`/result/${idOf(51)}`);
  });

  it('gives the file for the frame that it was made for [R-1.member.9]', async () => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    const sent = await show({ first: [withStatus(1, finished)] }, '/menu/order', ({ path }) =>
      path === '/getMediaLink'
        ? success([{ url: '/files/picture_qs8x6.png', id: idOf(51), type: 'quilt' }])
        : undefined,
    );
    const opened = await openCard(1);
    fireEvent.click(opened.getByRole('button', { name: 'Download' }));
    expect(await screen.findByText('picture 1.jpg was downloaded.')).toBeTruthy();
    expect(saved).toEqual(['picture 1.jpg']);
    expect(sent.find(({ path }) => path === '/getMediaLink')?.input).toEqual({ id: idOf(51) });
    vi.restoreAllMocks();
  });
});

const tdOf = (n: number) => String(n).padStart(32, 'a');
const payment = (n: number, changes: Partial<PaymentInfo> = {}): PaymentInfo => ({
  ...{ td: tdOf(n), order_id: idOf(n), state: 'granted', pay_result: 10, transaction_id: '8AB12345CD678901E' },
  ...{ method: 'paypal', offer_id: 4, kind: 'product', product_id: 6, plan_id: null, points: null },
  ...{
    name: `Islands ${n}`,
    costs: 3000,
    currency: 'USD',
    refunded: 0,
    awaits_code: false,
    failure: null,
    date: '2026-03-01T02:00:00Z',
  },
  ...changes,
});
const purchase = (n: number, changes: Partial<Order> = {}): Order =>
  order(n, {
    ...{ name: `Islands ${n}`, type: 2, costs: 3000, currency: 'USD', media: [], payment_state: 'granted' },
    ...{ product: { album: { name: 'Islands' } }, solution_order: { order_id: tdOf(n) } },
    ...changes,
  });
const purchaseCard = (n: number) => screen.findByRole('button', { name: new RegExp(`^Islands ${n}`) });
const openPurchase = async (n: number) => {
  fireEvent.click(await purchaseCard(n));
  return within(await screen.findByRole('region', { name: new RegExp(`^Islands ${n}`) }));
};

describe('an order of a purchase', () => {
  it('says what was paid, how, and what came back', async () => {
    await show({ first: [purchase(1), purchase(2, { payment_state: 'failed' })] }, '/menu/order', ({ path }) =>
      path === `/payment/${tdOf(1)}` ? success(payment(1, { refunded: 1000 })) : undefined,
    );
    expect((await purchaseCard(1)).textContent).toMatch(/\$30\.00Paid$/);
    expect((await purchaseCard(2)).textContent).toMatch(/Payment failed$/);
    const opened = await openPurchase(1);
    expect((await opened.findByText('Amount')).nextSibling?.textContent).toBe('$30.00');
    expect(opened.getByText('Refunded').nextSibling?.textContent).toBe('$10.00');
    expect(opened.getByText('Paid with').nextSibling?.textContent).toBe('PayPal');
    expect(opened.getByText('Payment number').nextSibling?.textContent).toBe(tdOf(1));
    // The card knows it now, too.
    expect((await purchaseCard(1)).textContent).toMatch(/Paid, partly refunded$/);
  });

  it('that is not decided can be continued or given up; then it leads back to where it can be bought', async () => {
    let now = payment(1, { state: 'created', pay_result: 12, transaction_id: null });
    const sent = await show({ first: [purchase(1, { payment_state: 'created' })] }, '/menu/order', ({ path }) => {
      if (path === '/cancelPayment') now = { ...now, state: 'expired', pay_result: 11 };
      return path === '/cancelPayment' || path === `/payment/${tdOf(1)}` ? success(now) : undefined;
    });
    const opened = await openPurchase(1);
    const link = await opened.findByRole('link', { name: 'Continue' });
    expect(link.getAttribute('href')).toBe(`/tradeResult?td=${tdOf(1)}`);
    fireEvent.click(opened.getByRole('button', { name: 'Cancel this payment' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this payment?' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel this payment' }));
    expect(await screen.findByText('The payment was cancelled. Nothing was charged.')).toBeTruthy();
    expect(sent.find(({ path }) => path === '/cancelPayment')?.input).toEqual({ td: tdOf(1) });
    expect((await opened.findByRole('link', { name: 'Try again' })).getAttribute('href')).toBe('/store?product=6');
    expect((await purchaseCard(1)).textContent).toMatch(/Not paid$/);
  });
});

describe('the payments of a member', () => {
  async function showPayments(pages: Record<string, PaymentInfo[]>, broken: { now: boolean } = { now: false }) {
    withoutMotion();
    const cursors = Object.keys(pages);
    const sent = answerCalls(({ path }) => {
      const one = Object.values(pages)
        .flat()
        .find(({ td }) => path === `/payment/${td}`);
      if (one) return success(one);
      if (path === '/cancelPayment') return success(payment(3, { state: 'expired', pay_result: 11 }));
      if (broken.now) return refusal(500, 'internal', 'Something went wrong.');
      const cursor = new URLSearchParams(path.split('?')[1]).get('page') ?? cursors[0] ?? '';
      const next = cursors[cursors.indexOf(cursor) + 1] ?? null;
      const links = { self: '', next: next && `/api/payments?page=${next}` };
      return { body: { success: true, data: pages[cursor] ?? [], meta: { hasNext: next !== null }, links } };
    });
    await showPage(
      <LoggedIn>
        <PaymentsPage />
      </LoggedIn>,
      '/menu/payments',
    );
    await i18next.loadNamespaces(['orders', 'payment']);
    return sent;
  }

  it('are listed with what, when, how much and their state, a page at a time', async () => {
    await showPayments({
      first: [
        payment(1, {
          state: 'pending',
          pay_result: 12,
          awaits_code: true,
          method: 'card',
          costs: 39000,
          currency: 'TWD',
        }),
        payment(2, { refunded: 3000, state: 'refunded', pay_result: 11 }),
      ],
      second: [payment(3, { kind: 'points', state: 'expired', pay_result: 11 })],
    });
    expect((await purchaseCard(1)).textContent).toMatch(/NT\$390Waiting for your payment$/);
    expect((await purchaseCard(2)).textContent).toMatch(/\$30\.00Refunded$/);
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(async () => expect(document.activeElement).toBe(await purchaseCard(3)));
    const code = await openPurchase(1);
    expect(code.getByText(/sent you an e-mail that says how to pay/)).toBeTruthy();
    expect(code.getByRole('button', { name: 'Cancel this payment' })).toBeTruthy();
    const expired = await openPurchase(3);
    expect(expired.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/addValue');
    expect(expired.queryByRole('button', { name: 'Cancel this payment' })).toBeNull();
  });

  it('say why one brought nothing; one in review can be given up or bought again', async () => {
    const sent = await showPayments({
      first: [
        payment(1, { state: 'failed', pay_result: 11, failure: 'declined' }),
        payment(2, { state: 'expired', pay_result: 11, failure: 'replaced' }),
        payment(3, { state: 'pending', pay_result: 12, failure: 'inReview' }),
      ],
    });
    expect((await openPurchase(1)).getByText(/PayPal: the payment was not accepted/)).toBeTruthy();
    expect((await openPurchase(2)).getByText(/You began a newer payment for the same thing/)).toBeTruthy();
    expect((await purchaseCard(3)).textContent).toMatch(/Being reviewed$/);
    const review = await openPurchase(3);
    expect(review.getByText(/we are looking at it ourselves/)).toBeTruthy();
    expect(review.getByRole('link', { name: 'See the result' }).getAttribute('href')).toBe(
      `/tradeResult?td=${tdOf(3)}`,
    );
    fireEvent.click(review.getByRole('button', { name: 'Cancel this payment' }));
    const dialog = await screen.findByRole('dialog', { name: 'Cancel this payment?' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel this payment' }));
    await waitFor(() => expect(sent.some(({ path }) => path === '/cancelPayment')).toBe(true));
  });

  it('show the state that is furthest along, whether a list told it or the payment itself', () => {
    const [pending, granted] = [payment(1, { state: 'pending' }), payment(1)];
    expect(latest(granted, pending)).toBe(granted);
    expect(latest(pending, granted)).toBe(granted);
    const told: Pick<PaymentInfo, 'state'> = { state: 'granted' };
    expect(latest(told, payment(1, { refunded: 1000 }))).toMatchObject({ refunded: 1000 });
    expect(latest(pending, undefined)).toBe(pending);
  });

  it('are none at first, and are loaded again after a failure', async () => {
    const broken = { now: true };
    await showPayments({ first: [] }, broken);
    expect(await screen.findByText('Your payments could not be loaded.')).toBeTruthy();
    broken.now = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'No payments yet' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See the plans' }).getAttribute('href')).toBe('/subscribe');
    expect(screen.getByRole('link', { name: 'Buy points' }).getAttribute('href')).toBe('/addValue');
  });
});

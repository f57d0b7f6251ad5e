// @vitest-environment happy-dom
import type { Album, SubscriptionInfo } from '@framelift/contract';
import { errorText } from '@framelift/texts/node';
import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { aConfig } from '../../testing/config.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { answerCalls, refusal, type SentCall, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { alerts } from '../../ui/alerts.ts';
import { toasts } from '../../ui/toasts.ts';
import { SubscriptionsPage } from './SubscriptionsPage.tsx';

configure({ asyncUtilTimeout: 8000 });
beforeAll(() => import('../../ui/AlertModal.tsx'), 60_000);
afterEach(() => {
  vi.useRealTimers();
  for (let alert = alerts.current(); alert; alert = alerts.current()) alert.answer({ button: null, input: '' });
  for (const { kind } of toasts.current()) toasts.hide(kind);
});

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const shown = (time: string) => new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(new Date(time));
const until = inDays(20);
const price = { costs: 999, currency: 'USD' } as const;
const prime: SubscriptionInfo = {
  ...{ id: idOf(1), kind: 'plan', plan_id: 3, product_id: null, offer_id: 7, name: 'Prime', icon: 'prime' },
  ...{ state: 'active', paid_until: until, cancel_at_end: false, renews: true, method: 'paypal' },
  next_charge: { at: until, ...price },
  due: null,
  date: '2026-01-05T02:00:00Z',
};
const suspended: SubscriptionInfo = {
  ...{ ...prime, state: 'suspended', paid_until: inDays(-1), due: price },
  next_charge: { at: inDays(2), ...price },
};
const sky: SubscriptionInfo = {
  ...{ id: idOf(2), kind: 'product', plan_id: null, product_id: 5, offer_id: null, name: 'Sky', icon: '' },
  ...{
    state: 'active',
    paid_until: null,
    cancel_at_end: false,
    renews: false,
    method: null,
    next_charge: null,
    due: null,
  },
  date: '2026-01-06T02:00:00Z',
};
const sea: SubscriptionInfo = { ...sky, id: idOf(3), product_id: 6, offer_id: 9, name: 'Sea', paid_until: until };
const albumOfSky: Album = {
  ...{ id: idOf(40), name: 'Sky', quantity: 3, cover: '/cover', cover_media_id: null, date: sky.date },
  product: { id: 5, name: 'Sky', store: 'Moon' },
};

const list = (data: readonly unknown[], next: string | null = null) => ({
  body: { success: true, data, meta: { hasNext: next !== null }, links: { self: '', next } },
});
type Answer = ReturnType<typeof success>;

/** Answers as a server where the member has `living`; a call that a test names is answered by the test. */
async function show(
  living: readonly SubscriptionInfo[],
  answers: Record<string, (call: SentCall) => Answer | Promise<Answer>> = {},
) {
  withoutMotion();
  const has = { now: living };
  const changePlan = (changes: Partial<SubscriptionInfo>) => {
    has.now = has.now.map((one) => (one.kind === 'plan' ? { ...one, ...changes } : one));
    const plan = has.now.find(({ kind }) => kind === 'plan');
    has.now = has.now.filter(({ state }) => state !== 'ended');
    return success(plan);
  };
  const sent = answerCalls((call) => {
    const path = call.path.split('?')[0] ?? '';
    const given = answers[path];
    if (given) return given(call);
    if (path === '/subscriptions') return list(has.now);
    if (path === '/albums') return list([albumOfSky]);
    if (path === '/config') return success(aConfig);
    if (path === '/product_unsubscribe') {
      has.now = has.now.filter(({ id }) => id !== sky.id);
      return success({ isSubscribed: false, isFree: false, paid_until: null });
    }
    if (path === '/product_subscribe') {
      has.now = [...has.now, sky];
      return success({ isSubscribed: true, isFree: true, paid_until: null, payment: null });
    }
    if (path === '/plan_unsubscribe') {
      const plan = has.now.find(({ kind }) => kind === 'plan');
      const lasts = plan?.state === 'active' && plan.paid_until !== null;
      return changePlan(lasts ? { cancel_at_end: true, next_charge: null } : { state: 'ended' });
    }
    if (path === '/resumeSubscription') return changePlan({ cancel_at_end: false, next_charge: prime.next_charge });
    return success({});
  });
  await showPage(
    <LoggedIn>
      <SubscriptionsPage />
    </LoggedIn>,
    '/subscribedetail',
  );
  await i18next.loadNamespaces('subscription');
  return { sent, has };
}
const plan = async () => within(await screen.findByRole('region', { name: 'Plan' }));
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const fact = async (name: string) => (await (await plan()).findByText(name)).nextSibling?.textContent;
const calls = (sent: SentCall[], path: string) => sent.filter((one) => one.path === path);
async function answer(title: string, button: string): Promise<string> {
  const dialog = await screen.findByRole('dialog', { name: title });
  const text = dialog.textContent ?? '';
  fireEvent.click(within(dialog).getByRole('button', { name: button }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  return text;
}

describe('the plan of a member', () => {
  it('is shown with how long it is paid, what is charged next and how, and leads to other plans', async () => {
    await show([prime]);
    expect(await (await plan()).findByRole('heading', { name: 'Prime' })).toBeTruthy();
    expect(await fact('Paid until')).toBe(shown(until));
    expect(await fact('Next payment')).toBe(`$9.99 on ${shown(until)}`);
    expect(await fact('Paid with')).toBe('PayPal');
    expect(await fact('Since')).toBe('Jan 5, 2026');
    expect((await plan()).getByText('Active')).toBeTruthy();
    const link = (await plan()).getByRole('link', { name: 'Change plan' });
    expect(link.getAttribute('href')).toBe('/subscribe');
  });

  it('is cancelled at its end, after a question that says until when it stays, and goes on after undo', async () => {
    const { sent } = await show([prime]);
    await press('Cancel plan');
    await answer('Cancel Prime?', 'Keep plan');
    expect(calls(sent, '/plan_unsubscribe')).toHaveLength(0);
    (await screen.findByRole('button', { name: 'Cancel plan' })).focus();
    await press('Cancel plan');
    expect(await answer('Cancel Prime?', 'Cancel plan')).toContain(`You keep Prime until ${shown(until)}`);
    expect(
      await screen.findByText(`It runs until ${shown(until)} and ends then. Nothing more will be charged.`),
    ).toBeTruthy();
    expect((await plan()).getByText('Cancelled')).toBeTruthy();
    expect((await plan()).queryByText('Next payment')).toBeNull();
    expect((await plan()).queryByRole('button', { name: 'Cancel plan' })).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Plan' })));
    await press('Undo');
    expect(await screen.findByText('Your plan will continue.')).toBeTruthy();
    await waitFor(async () => expect(await fact('Next payment')).toContain('$9.99'));
  });

  it('that was cancelled before can be kept', async () => {
    const { sent } = await show([{ ...prime, cancel_at_end: true, next_charge: null }]);
    await press('Keep plan');
    expect(await (await plan()).findByText('Active')).toBeTruthy();
    expect(calls(sent, '/resumeSubscription')).toHaveLength(1);
  });

  it('that was cancelled at PayPal itself says that it cannot be resumed, and is bought again before its end', async () => {
    const atPayPal = { ...prime, cancel_at_end: true, renews: false, next_charge: null };
    const offer = { ...{ id: 7, product_id: null, plan_id: 3, points: null, name: 'Prime', icon: 'prime' }, ...price };
    await show([atPayPal], {
      '/plan_solutions': () => list([{ ...offer, prices: [price], content: [], period: 1 }]),
      '/paymentMethods': () => success([{ method: 'paypal', currency: 'USD', sandbox: true }]),
      '/getCurrentPlan': () => success({ plan: { id: 3, icon: 'prime', name: 'Prime' } }),
    });
    expect(await screen.findByText(/This plan was cancelled at PayPal/)).toBeTruthy();
    expect(screen.getByText(/It cannot be resumed/)).toBeTruthy();
    expect((await plan()).getByText('Cancelled')).toBeTruthy();
    expect((await plan()).queryByRole('button', { name: 'Keep plan' })).toBeNull();
    await press('Subscribe again');
    expect(await screen.findByRole('dialog', { name: 'Confirm your purchase' })).toBeTruthy();
  });

  it('that was given costs nothing and has no end; giving it up ends it at once, as the question says', async () => {
    const given = { paid_until: null, offer_id: null, renews: false, method: null, next_charge: null };
    await show([{ ...prime, ...given }]);
    expect(await screen.findByText('This plan was given to you. It costs nothing and has no end date.')).toBeTruthy();
    expect((await plan()).queryByText('Paid until')).toBeNull();
    await press('Cancel plan');
    expect(await answer('Cancel Prime?', 'Cancel plan')).toContain('Prime ends at once.');
    expect(await screen.findByRole('heading', { name: 'You have no plan' })).toBeTruthy();
    expect(await screen.findByText('Prime has ended.')).toBeTruthy();
  });

  it('that could not be cancelled stays, and says so', async () => {
    const text = errorText('unsubscribeFailed', 'en');
    await show([prime], { '/plan_unsubscribe': () => refusal(502, 'unsubscribeFailed', text) });
    await press('Cancel plan');
    await answer('Cancel Prime?', 'Cancel plan');
    expect(await screen.findByText(text)).toBeTruthy();
    expect((await plan()).getByText('Active')).toBeTruthy();
  });
});

describe('a plan whose payment failed', () => {
  it('says why it is paused and what is kept, and is back as soon as it is paid', async () => {
    const { has } = await show([suspended], {
      '/payNow': () => {
        has.now = [prime];
        return success(prime);
      },
    });
    expect(await screen.findByText(/Your last payment did not go through, so your plan is paused/)).toBeTruthy();
    expect(await fact('Amount due')).toBe('$9.99');
    expect(await fact('Next attempt')).toBe(shown(suspended.next_charge?.at ?? ''));
    expect((await plan()).queryByText('Next payment')).toBeNull();
    expect((await plan()).getByRole('link', { name: 'Pay another way' }).getAttribute('href')).toBe('/subscribe');
    await press('Pay $9.99 now');
    expect(await screen.findByText('Thank you. Your plan is active again.')).toBeTruthy();
    expect((await plan()).getByText('Active')).toBeTruthy();
  });

  it('shows that the payment is being made, and then that it was declined', async () => {
    let decline = () => {};
    const declined = new Promise<Answer>((resolve) => {
      decline = () => resolve(refusal(422, 'transactionFailed', errorText('transactionFailed', 'en')));
    });
    await show([suspended], { '/payNow': () => declined });
    await press('Pay $9.99 now');
    expect(await screen.findByText(/The payment is being made/)).toBeTruthy();
    const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Pay $9.99 now' });
    expect(button().disabled).toBe(true);
    decline();
    expect(await screen.findByText(/The payment did not go through/)).toBeTruthy();
    await waitFor(() => expect(button().disabled).toBe(false));
  });

  it('waits for a payment without an answer, and shows its result by itself', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { has } = await show([suspended], {
      '/payNow': () => refusal(422, 'paymentPending', errorText('paymentPending', 'en')),
    });
    await press('Pay $9.99 now');
    expect(await screen.findByText(/The payment is being checked/)).toBeTruthy();
    has.now = [prime];
    await vi.advanceTimersByTimeAsync(5000);
    expect(await screen.findByText('Thank you. Your plan is active again.')).toBeTruthy();
    expect((await plan()).getByText('Active')).toBeTruthy();
  });
});

describe('what a member has from the store', () => {
  it('leads to its album and says how long it is theirs; a free product is removed, and comes back on undo', async () => {
    const { sent } = await show([sea, sky]);
    const rows = async () =>
      within(await screen.findByRole('region', { name: 'From the store' })).findAllByRole('listitem');
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(`^SeaYours until ${shown(until)}. It is not renewed by itself.$`),
      expect.stringMatching(/^SkyFree, no end date/),
    ]);
    const open = await screen.findByRole('link', { name: 'Open album: Sky' });
    expect(open.getAttribute('href')).toBe(`/album/${idOf(40)}`);
    expect(screen.queryByRole('button', { name: 'Remove: Sea' })).toBeNull();
    await press('Remove: Sky');
    expect(await screen.findByText('“Sky” was removed from your albums.')).toBeTruthy();
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('From the store'));
    expect(calls(sent, '/product_unsubscribe')[0]?.input).toEqual({ target: 5 });
    await press('Undo');
    await waitFor(async () => expect(await rows()).toHaveLength(2));
  });

  it('is nothing at first: the page leads to plans and to the store', async () => {
    await show([]);
    const see = await screen.findByRole('link', { name: 'See the plans' });
    expect(see.getAttribute('href')).toBe('/subscribe');
    expect((await screen.findByRole('link', { name: 'Go to the store' })).getAttribute('href')).toBe('/store');
  });

  it('is listed after its end on demand, over several pages, and can be had again', async () => {
    const gone = (n: number, changes: Partial<SubscriptionInfo>): SubscriptionInfo => ({
      ...{ ...sea, id: idOf(n), state: 'ended' },
      ...changes,
    });
    // The first page has nothing that has ended.
    const pages = [
      list([prime], '/api/subscriptions?page=b'),
      list([gone(10, { name: 'Dunes', paid_until: '2026-04-06T02:00:00Z' })], '/api/subscriptions?page=c'),
      list([gone(11, { ...prime, id: idOf(11), state: 'ended', paid_until: inDays(9), name: 'Normal' })]),
    ];
    const { sent } = await show([prime], {
      '/subscriptions': ({ path }) => {
        const query = new URLSearchParams(path.split('?')[1]);
        return query.get('all') === 'yes'
          ? (pages[['', 'b', 'c'].indexOf(query.get('page') ?? '')] ?? list([]))
          : list([prime]);
      },
    });
    await screen.findByRole('heading', { name: 'Prime' });
    expect(sent.some(({ path }) => path.includes('all=yes'))).toBe(false);
    await press('Show ended subscriptions');
    const rows = async () => within(await screen.findByRole('region', { name: 'Ended' })).findAllByRole('listitem');
    expect((await rows()).map(({ textContent }) => textContent)).toEqual([
      'DunesJan 6, 2026 – Apr 6, 2026Get it again',
    ]);
    expect(screen.getByRole('link', { name: 'Get it again: Dunes' }).getAttribute('href')).toBe('/store?product=6');
    await press('Show more');
    await waitFor(async () => expect(await rows()).toHaveLength(2));
    expect((await rows())[1]?.textContent).toContain('Started on Jan 5, 2026, now ended');
    expect(screen.getByRole('link', { name: 'Get it again: Normal' }).getAttribute('href')).toBe('/subscribe');
  });

  it('that could not be loaded is loaded when asked again', async () => {
    let broken = true;
    await show([], {
      '/subscriptions': () => (broken ? refusal(500, 'internal', 'Something went wrong.') : list([prime])),
    });
    expect(await screen.findByText('Your subscriptions could not be loaded.')).toBeTruthy();
    broken = false;
    await press('Try again');
    expect(await screen.findByRole('heading', { name: 'Prime' })).toBeTruthy();
  });
});

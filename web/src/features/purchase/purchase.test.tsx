// @vitest-environment happy-dom
import type { PaymentInfo, Solution } from '@framelift/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { i18next } from '../../i18n/index.ts';
import { BuyButton } from '../../shared/purchase/BuyButton.tsx';
import { startedPayment } from '../../shared/purchase/pay.ts';
import { LoggedIn } from '../../testing/member.tsx';
import { aMember, answerCalls, refusal, type SentCall, showPage, success, withoutMotion } from '../../testing/page.tsx';
import { AddValuePage } from './AddValuePage.tsx';
import { TradeResultPage } from './TradeResultPage.tsx';

const TD = 'a1'.repeat(16);
const pack: Solution = {
  ...{ id: 5, product_id: null, plan_id: null, points: 100, name: '100 points', icon: '', content: [], period: null },
  ...{ costs: 99, currency: 'USD' },
  prices: [
    { currency: 'USD', costs: 99 },
    { currency: 'TWD', costs: 3000 },
  ],
};
const plan: Solution = { ...pack, id: 7, plan_id: 3, points: null, name: 'Prime', period: 1 };
const payment: PaymentInfo = {
  ...{ td: TD, order_id: null, state: 'created', pay_result: 12, transaction_id: null, method: 'paypal' },
  ...{ offer_id: 5, kind: 'points', product_id: null, plan_id: null, points: 100, name: '100 points' },
  ...{ costs: 99, currency: 'USD', refunded: 0, awaits_code: false, failure: null, date: '2026-03-01T02:00:00Z' },
};
const WAYS = [
  { method: 'paypal', currency: 'USD', sandbox: false },
  { method: 'card', currency: 'TWD', sandbox: true },
];
const listOf = (data: readonly unknown[]) => ({
  body: { success: true, data, meta: { hasNext: false }, links: { self: '', next: null } },
});

type Answers = Record<string, (call: SentCall) => ReturnType<typeof refusal> | Promise<ReturnType<typeof refusal>>>;
/** Answers as a shop would whose ways to pay are set up; `answers` by path come first. */
async function show(content: React.ReactNode, at: string, answers: Answers = {}) {
  withoutMotion();
  const sent = answerCalls((call) => {
    const path = call.path.split('?')[0] ?? '';
    const answer = answers[path];
    if (answer) return answer(call);
    if (path === '/user') return success(aMember);
    if (path === '/paymentMethods') return success(WAYS);
    if (path === '/point_solutions') return listOf([pack]);
    if (path === '/getCurrentPlan') return success(aMember.myPlan);
    return listOf([]);
  });
  await showPage(<LoggedIn>{content}</LoggedIn>, at);
  await i18next.loadNamespaces(['payment', 'points', 'store', 'errors', 'upload']);
  return sent;
}
const showResult = (answer: () => ReturnType<typeof refusal>, at = `/tradeResult?td=${TD}`, answers: Answers = {}) =>
  show(<TradeResultPage />, at, { [`/payment/${TD}`]: answer, ...answers });
const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const address = () => screen.getByTestId('address').textContent;

async function openChoice(solution: Solution, answers: Answers = {}) {
  const sent = await show(
    <BuyButton solution={solution} name={solution.name}>
      Get
    </BuyButton>,
    '/addValue',
    answers,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Get' }));
  const confirm = await screen.findByRole('dialog', { name: 'Confirm your purchase' });
  fireEvent.click(within(confirm).getByRole('button', { name: 'Buy' }));
  return { sent, choice: within(await screen.findByRole('dialog', { name: 'Choose how to pay' })) };
}
const created = (sent: readonly SentCall[]) =>
  sent.filter(({ path }) => path === '/createPayment').map(({ input }) => input as { key: string; method: string });

it('asks first whether the member has a plan already, and says so instead of asking for money [R-4.purchase.7]', async () => {
  const sent = await show(
    <BuyButton solution={plan} name="Prime">
      Get
    </BuyButton>,
    '/plan',
    { '/getCurrentPlan': () => success({ plan: { id: 3, icon: '', name: 'Prime' } }) },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Get' }));
  expect(await screen.findByRole('dialog', { name: 'You have already subscribed to this.' })).toBeTruthy();
  expect(screen.queryByRole('dialog', { name: 'Confirm your purchase' })).toBeNull();
  expect(created(sent)).toEqual([]);
});

it('of an offer of nothing that can be bought says that there is no type of product [R-5.subscribe.1]', async () => {
  await show(
    <BuyButton solution={{ ...pack, points: null }} name="?">
      Get
    </BuyButton>,
    '/plan',
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Get' }));
  expect(await screen.findByRole('dialog', { name: "There's no product_type detected." })).toBeTruthy();
});

it('a double click begins one payment; without an answer the next press continues it, and a refusal begins another', async () => {
  const answers = [
    refusal(409, 'paymentPending', 'A payment for this is still being checked.'),
    refusal(502, 'paymentNotStarted', 'The payment could not be started, and nothing was charged.'),
  ];
  let lost = true;
  const { sent, choice } = await openChoice(pack, {
    '/createPayment': () => {
      if (lost) throw new TypeError('the line is broken');
      return answers.shift() as ReturnType<typeof refusal>;
    },
  });
  const paypal = await choice.findByRole('button', { name: /^PayPal.*\$0\.99$/ });
  fireEvent.click(paypal);
  fireEvent.click(paypal);
  expect(await choice.findByRole('alert')).toBeTruthy();
  expect(created(sent)).toHaveLength(1);
  lost = false;
  await waitFor(() => expect((paypal as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(paypal);
  expect(await choice.findByText('A payment for this is still being checked.')).toBeTruthy();
  expect(choice.getByRole('link', { name: 'Go to your orders' })).toBeTruthy();
  fireEvent.click(choice.getByRole('button', { name: /^PayPal.*\$0\.99$/ }));
  expect(await choice.findByText(/could not be started, and nothing was charged/)).toBeTruthy();
  const [first, second, third] = created(sent).map(({ key }) => key);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

it('offers the card only at a price in Taiwan dollars, and says why not', async () => {
  const { choice } = await openChoice({ ...pack, prices: pack.prices.slice(0, 1) });
  const card = await choice.findByRole<HTMLButtonElement>('button', { name: 'Credit card' });
  expect(card.disabled).toBe(true);
  expect(choice.getByText(/no price in Taiwan dollars/).id).toBe(card.getAttribute('aria-describedby'));
});

it('where no way to pay is set up, the packs are shown and it is said that nothing can be bought', async () => {
  await show(<AddValuePage />, '/addValue', { '/paymentMethods': () => success([]) });
  expect(await screen.findByText(/Nothing can be bought here at the moment/)).toBeTruthy();
  const buy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Buy: 100 points' });
  await waitFor(() => expect(buy.disabled).toBe(true));
  expect(screen.getByRole('link', { name: 'History of your points' }).getAttribute('href')).toBe('/menu/points');
});

it('a refusal of the card provider closes the new tab and says Oops until it hides by itself; an accepted card opens there and is waited for here [R-8.payment.1] [R-7.card.3]', async () => {
  const tab = { document: { title: '', body: { textContent: '' } }, location: { replace: vi.fn() }, close: vi.fn() };
  vi.stubGlobal('open', () => tab);
  let code = '10';
  const fields = { web: 'w', send_time: 's', rsamsg: 'r', check_value: 'c' };
  const { choice, sent } = await openChoice(plan, {
    '/createPayment': () => success({ td: TD, order_id: aMember.id, step: { kind: 'token', route: 2, fields } }),
    '/sunpayToken': () =>
      success({ code, result: code === '00' ? { pay_code: 'https://card.example/pay', trade_no: '1' } : null }),
  });
  fireEvent.click(await choice.findByRole('button', { name: /^Credit card.*NT\$30$/ }));
  const oops = await screen.findByRole('dialog', { name: /Oops/ });
  expect(within(oops).getByText('transaction failed!')).toBeTruthy();
  expect(tab.close).toHaveBeenCalledTimes(1);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /Oops/ })).toBeNull());
  code = '00';
  fireEvent.click(choice.getByRole('button', { name: /^Credit card.*NT\$30$/ }));
  await waitFor(() => expect(address()).toBe(`/tradeResult?td=${TD}`));
  expect(tab.location.replace).toHaveBeenCalledWith('https://card.example/pay');
  expect(window.history.state.usr).toMatchObject({ page: 'https://card.example/pay' });
  expect(sent.filter(({ path }) => path === '/sunpayToken').map(({ input }) => input)).toEqual([fields, fields]);
});

it('where the browser refuses a new tab, the card page opens in this one [R-7.card.3]', async () => {
  vi.stubGlobal('open', () => null);
  const left = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
  const fields = { web: 'w', send_time: 's', rsamsg: 'r', check_value: 'c' };
  const { choice } = await openChoice(plan, {
    '/createPayment': () => success({ td: TD, order_id: aMember.id, step: { kind: 'token', route: 2, fields } }),
    '/sunpayToken': () => success({ code: '00', result: { pay_code: 'https://card.example/pay', trade_no: '1' } }),
  });
  fireEvent.click(await choice.findByRole('button', { name: /^Credit card.*NT\$30$/ }));
  await waitFor(() => expect(left).toHaveBeenCalledWith('https://card.example/pay'));
  // The result announces itself when the buyer comes back to this tab.
  expect(startedPayment.get()).toBe(TD);
  expect(address()).toBe('/addValue');
  left.mockRestore();
});

it('the result of no payment, of a wrong number and of another member’s leads to the orders [R-2.trade-result.1]', async () => {
  for (const [at, name] of [
    ['/tradeResult', 'No payment is open here'],
    ['/tradeResult?td=1', 'This payment was not found'],
    [`/tradeResult?td=${TD}`, 'This payment was not found'],
  ] as const) {
    await showResult(() => refusal(404, 'noOrder', 'This order was not found.'), at);
    await title(name);
    const orders = screen.getByRole('link', { name: 'Go to your orders' });
    expect(orders.getAttribute('href')).toBe('/member/order?category=purchase_details');
    cleanup();
  }
});

it('a result that cannot be looked up is asked for again at a press', async () => {
  let fails = true;
  await showResult(() => (fails ? refusal(500, 'internal', 'Something went wrong.') : success(payment)));
  expect(await screen.findByText(/Nothing is lost, and nothing is charged twice/)).toBeTruthy();
  fails = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await title('Not paid yet');
});

it('a buyer back from PayPal has the payment captured before it is read; its success is told once [R-4.purchase.3] [R-4.purchase.5] [R-8.payment.2]', async () => {
  startedPayment.set(TD);
  const paid = { ...payment, state: 'granted', pay_result: 10, transaction_id: '8XY' } as const;
  const sent = await showResult(() => success(paid), `/tradeResult?td=${TD}&token=EC-1`, {
    '/checkout_order': () => success({ td: TD, state: 'granted', transaction_id: '8XY', pay_result: 10 }),
  });
  expect(await screen.findByRole('dialog', { name: 'PayPal payment success! transaction ID: 8XY' })).toBeTruthy();
  expect(await screen.findByText('buy 100 points success')).toBeTruthy();
  await title('Thank you, your payment is complete');
  const asked = sent.map(({ path }) => path);
  expect(asked.indexOf('/checkout_order')).toBeLessThan(asked.indexOf(`/payment/${TD}`));
  expect(startedPayment.get()).toBeNull();
});

it('a tab that did not begin the payment shows what it brought, and announces nothing', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let now: PaymentInfo = { ...payment, method: 'card', state: 'pending' };
  await showResult(() => success(now), undefined, { '/user': () => success({ ...aMember, points: 150 }) });
  await title('We are checking your payment');
  now = { ...now, state: 'granted', pay_result: 10 };
  await vi.advanceTimersByTimeAsync(5000);
  vi.useRealTimers();
  expect(await screen.findByText('100 points added. You have 150 points now.')).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('what is for sale is asked for again where it could not be loaded, and is paid then', async () => {
  let lost = true;
  await showResult(() => success({ ...payment, state: 'expired', pay_result: 11 }), undefined, {
    '/point_solutions': () => (lost ? refusal(500, 'internal', 'Something went wrong.') : listOf([pack])),
  });
  const again = await screen.findByRole<HTMLButtonElement>('button', { name: 'Try again' });
  await waitFor(() => expect(again.disabled).toBe(false));
  fireEvent.click(again);
  expect(await screen.findByText('Something went wrong.')).toBeTruthy();
  lost = false;
  await waitFor(() => expect(again.disabled).toBe(false));
  fireEvent.click(again);
  expect(await screen.findByRole('dialog', { name: 'Choose how to pay' })).toBeTruthy();
});

it('a payment that failed says Oops once, and that nothing was charged; it can be tried again [R-4.payment-result.2] [R-8.payment.1]', async () => {
  startedPayment.set(TD);
  await showResult(() => success({ ...payment, state: 'failed', pay_result: 11 }));
  expect(await screen.findByRole('dialog', { name: /Oops/ })).toBeTruthy();
  await title('The payment failed');
  expect(screen.getByText(/nothing was charged/)).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('dialog', { name: 'Choose how to pay' })).toBeTruthy();
});

it('a payment that brought nothing says why, and one in review that it can be bought again without waiting', async () => {
  const at = (changes: Partial<PaymentInfo>) => showResult(() => success({ ...payment, method: 'card', ...changes }));
  await at({ state: 'failed', pay_result: 11, failure: 'needsOwner' });
  await title('The payment failed');
  expect(screen.getByText(/Your bank wants you to confirm this payment yourself/)).toBeTruthy();
  cleanup();
  await at({ state: 'failed', pay_result: 11, failure: 'providerUnreachable' });
  expect(await screen.findByText(/^Credit card could not be reached, and nothing was charged/)).toBeTruthy();
  cleanup();
  await at({ state: 'pending', failure: 'inReview' });
  await title('We are looking at this payment');
  expect(screen.getByText(/whatever was charged for it is sent back/)).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('dialog', { name: 'Choose how to pay' })).toBeTruthy();
});

it('a payment of points is shown as complete only with the new balance, never with the old one', async () => {
  const seen: string[] = [];
  let load = () => {};
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  await showResult(() => success({ ...payment, state: 'granted', pay_result: 10 }), undefined, {
    '/user': async () => {
      await loaded;
      return success({ ...aMember, points: 150 });
    },
  });
  const watch = new MutationObserver(() => {
    if (screen.queryByText('100 points added.')) seen.push('added');
    if (screen.queryByText(/You have 50 points now/, { ignore: '[aria-hidden]' })) seen.push('old');
  });
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  load();
  expect(await screen.findByText('100 points added. You have 150 points now.')).toBeTruthy();
  watch.disconnect();
  expect(new Set(seen)).toEqual(new Set(['added']));
});

it('an order to be paid by a code asks to check the e-mail, and can be given up [R-4.payment-result.3]', async () => {
  const sent = await showResult(
    () => success({ ...payment, method: 'card', state: 'pending', awaits_code: true }),
    undefined,
    { '/cancelPayment': () => success({ ...payment, method: 'card', state: 'expired', pay_result: 11 }) },
  );
  await title('Order created');
  expect(screen.getByText(/Please check your e-mail/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel this payment' }));
  const cancelled = await title('You cancelled the payment');
  // The button that had the focus is gone.
  expect(document.activeElement).toBe(cancelled);
  expect(sent.find(({ path }) => path === '/cancelPayment')?.input).toEqual({ td: TD });
});

it('a payment that is being checked does not ask to check any e-mail; one that was refunded says how much', async () => {
  await showResult(() => success({ ...payment, state: 'pending' }));
  await title('We are checking your payment');
  expect(screen.queryByText(/check your e-mail/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Cancel this payment' })).toBeNull();
  cleanup();
  await showResult(() => success({ ...payment, state: 'refunded', pay_result: 11, refunded: 99 }));
  await title('This payment was refunded');
  expect(screen.getByText('$0.99 went back the way you paid.')).toBeTruthy();
});

it('whoever comes back without approving has given the payment up; money that came meanwhile counts', async () => {
  const at = `/tradeResult?td=${TD}&token=EC-1&cancelled=1`;
  const sent = await showResult(() => success(payment), at, {
    '/cancelPayment': () => success({ ...payment, state: 'granted', pay_result: 10 }),
  });
  await title('Thank you, your payment is complete');
  expect(sent.some(({ path }) => path === '/checkout_order')).toBe(false);
});

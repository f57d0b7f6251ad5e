// @vitest-environment happy-dom
import type { ManagedPayment, ManagedPaymentDetail, ManagedSubscription } from '@framelift/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { expect, it } from 'vitest';
import { i18next } from '../../../i18n/index.ts';
import { answerNamed, list, refusal, type SentCall, showPage, success, withoutMotion } from '../../../testing/page.tsx';
import { AlertHost } from '../../../ui/AlertHost.tsx';
import { AdminArea } from '../AdminArea.tsx';

const ID = '11111111-1111-4111-8111-111111111111';
const MIA = { id: '22222222-2222-4222-8222-222222222222', name: 'Mia', email: 'mia@example.com' };
const SUBSCRIPTION = '33333333-3333-4333-8333-333333333333';
const TD = ID.replaceAll('-', '');
const payment: ManagedPayment = {
  ...{ id: ID, td: TD, state: 'granted', problem: null, unanswered_since: null },
  ...{ method: 'paypal', route: 'order', member: MIA },
  ...{
    name: '550 points',
    costs: 499,
    currency: 'USD',
    refunded: 0,
    transaction_id: '5AB12345CD678901E',
    failure: null,
    code: null,
  },
  ...{ date: '2026-01-02T03:04:05.000Z', paid_at: '2026-01-02T03:05:00.000Z', granted_at: '2026-01-02T03:05:01.000Z' },
};
const detail: ManagedPaymentDetail = {
  ...payment,
  order_id: null,
  subscription_id: null,
  sold: { kind: 'points', points: 550, months: null },
  granted: { points: 550, points_back: 0, subscription: null },
  provider_order_id: 'ORDER-1',
  next_check_at: null,
  events: [
    {
      ...{ id: 'own:1', type: 'state.paid', body: { from: 'pending', captureId: '5AB12345CD678901E' } },
      ...{ at: '2026-01-02T03:05:00.000Z', handled: true },
    },
    {
      ...{ id: 'paypal:WH-1', type: 'PAYMENT.CAPTURE.COMPLETED', body: { kind: 'capture' } },
      ...{ at: '2026-01-02T03:05:02.000Z', handled: false },
    },
  ],
  refunds: [],
};
const card: Partial<ManagedPaymentDetail> = { method: 'card', route: 'cash', currency: 'TWD', costs: 300_00 };
const done = (costs: number, key: string): ManagedPaymentDetail['refunds'] => [
  { id: key, costs, state: 'completed', reason: 'Asked', by: 'Boss', code: null, date: '2026-01-03T03:04:05.000Z' },
];

type Answer = ReturnType<typeof success>;
async function open(at: string, answers: Record<string, (call: SentCall) => Answer | Promise<Answer>>) {
  const sent = answerNamed(answers);
  withoutMotion();
  await showPage(
    <>
      <Routes>
        <Route path="/admin/*" element={<AdminArea />} />
      </Routes>
      <AlertHost />
    </>,
    at,
  );
  await i18next.loadNamespaces(['admin', 'adminPayments']);
  return sent;
}
const openOne = (one: Partial<ManagedPaymentDetail>, answers: Parameters<typeof open>[1] = {}) =>
  open(`/admin/payments/${ID}`, { managedPayment: () => success({ ...detail, ...one }), ...answers });
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const fill = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
const inputs = (sent: readonly SentCall[], path: string) =>
  sent.filter((call) => call.path === path).map(({ input }) => input as Record<string, unknown>);
const address = () => screen.getByTestId('address').textContent;
const FORM = /^(Refund 550 points|Ask the provider now|Record as not charged|Mark the problem)/;
const QUESTION = /^Refund .*\?$/;
const form = async () => within(await screen.findByRole('dialog', { name: FORM }));
/** The button of the form; that of the question above it has the same name. */
const submit = async (name: string) => (await (await form()).findByRole('button', { name })) as HTMLButtonElement;
const confirmed = async () => {
  const question = await screen.findByRole('dialog', { name: QUESTION });
  fireEvent.click(within(question).getByRole('button', { name: /^Refund/ }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: QUESTION })).toBeNull());
};

it('lists payments in their currency with their state and problem, and keeps every filter in the address', async () => {
  const inTaiwan = { ...payment, ...card, id: SUBSCRIPTION, name: 'Harbour', refunded: 100_00, problem: 'paidTwice' };
  const sent = await open('/admin/payments?state=granted', {
    managedPayments: ({ path }) =>
      path.includes('page=') ? list([inTaiwan]) : list([payment], '/api/managedPayments?page=abc'),
  });
  const row = within(await screen.findByRole('row', { name: /550 points/ }));
  expect(row.getByText('$4.99')).toBeTruthy();
  expect(row.getByText('Completed')).toBeTruthy();
  expect(row.getByRole('link', { name: 'Mia' }).getAttribute('href')).toBe(`/admin/users/${MIA.id}`);
  await press('Show more');
  const other = within(await screen.findByRole('row', { name: /Harbour/ }));
  expect(other.getByText('NT$300')).toBeTruthy();
  expect(other.getByText('NT$100 refunded')).toBeTruthy();
  expect(other.getByText('Paid twice')).toBeTruthy();
  await fill('Problem', 'yes');
  await fill('Method', 'card');
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: ` ${TD} ` } });
  await press('Search');
  await waitFor(() => expect(address()).toBe(`/admin/payments?state=granted&problem=yes&method=card&q=${TD}`));
  await waitFor(() => expect(sent.at(-1)?.path).toBe(`/managedPayments?q=${TD}&state=granted&method=card&problem=yes`));
  expect(screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')).toBe(
    `/api/managedPaymentsCsv?q=${TD}&state=granted&method=card&problem=yes`,
  );
});

it('shows the payments of one member until that is taken back, and says when there are none', async () => {
  const sent = await open(`/admin/payments?member=${MIA.id}`, { managedPayments: () => list([]) });
  expect(await screen.findByText('No payments match.')).toBeTruthy();
  expect(sent.at(-1)?.path).toBe(`/managedPayments?member=${MIA.id}`);
  await press('One member only');
  await waitFor(() => expect(sent.at(-1)?.path).toBe('/managedPayments'));
});

it('offers another try when the payments cannot be loaded', async () => {
  let busy = true;
  await open('/admin/payments', {
    managedPayments: () => (busy ? refusal(403, 'forbidden', 'This is for administrators.') : list([payment])),
  });
  expect(await screen.findByText('This is for administrators.')).toBeTruthy();
  busy = false;
  await press('Try again');
  expect(await screen.findByRole('row', { name: /550 points/ })).toBeTruthy();
});

it('tells what a payment is, what it gave, and what happened, with the messages of the provider on demand', async () => {
  await openOne({ problem: 'disputed', refunds: done(100, SUBSCRIPTION), refunded: 100 });
  expect(await screen.findByRole('heading', { level: 1, name: '550 points' })).toBeTruthy();
  expect(screen.getByText(/opened a case at PayPal/)).toBeTruthy();
  expect(screen.getByText('What it gave').nextElementSibling?.textContent).toBe('550 points');
  expect(screen.getByText('Number (td)').nextElementSibling?.textContent).toBe(TD);
  expect(within(screen.getByRole('row', { name: /Asked/ })).getByText('Boss')).toBeTruthy();
  const events = within(screen.getByRole('region', { name: 'History' })).getAllByRole('listitem');
  expect(events.map((event) => event.textContent?.replace(/^.*[AP]M/, '').replace(/Details.*/s, ''))).toEqual([
    'State: Started',
    'State: Paid, not delivered',
    'Message from PayPalNot processed yet',
  ]);
  expect(events[2]?.querySelector('details')?.open).toBe(false);
  expect(events[2]?.querySelector('pre')?.textContent).toContain('PAYMENT.CAPTURE.COMPLETED');
});

it('refunds a part in the decimals of the currency after saying what it takes, and keeps the form after a refusal', async () => {
  let refused = true;
  const sent = await openOne(
    {},
    {
      refundPayment: ({ input }) => {
        const { key } = input as { key: string };
        return refused
          ? refusal(409, 'refundRefused', 'The payment provider refused the refund (X). Nothing was refunded.')
          : success({ ...detail, refunded: 150, refunds: done(150, key) });
      },
    },
  );
  await press('Refund…');
  // All of it takes back what was granted.
  expect(await screen.findByText('550 points are taken back, as far as they have not been spent.')).toBeTruthy();
  fireEvent.click(screen.getByLabelText('A part'));
  await fill('Amount in USD', '5');
  expect(screen.getByText('Enter an amount from $0.01 to $4.99.')).toBeTruthy();
  await fill('Amount in USD', '1.50');
  expect(screen.getByText('The member keeps everything that was delivered.')).toBeTruthy();
  expect((await submit('Refund $1.50')).disabled).toBe(true);
  await fill('Reason, for the log and the list of refunds', 'Asked');
  fireEvent.click(await submit('Refund $1.50'));
  await confirmed();
  expect(await (await form()).findByText(/refused the refund \(X\)/)).toBeTruthy();
  expect(Number((screen.getByLabelText('Amount in USD') as HTMLInputElement).value)).toBe(1.5);
  refused = false;
  fireEvent.click(await submit('Refund $1.50'));
  await confirmed();
  expect(await screen.findByText('$1.50 refunded.')).toBeTruthy();
  const [first, second] = inputs(sent, '/refundPayment');
  expect(second).toMatchObject({ id: ID, costs: 150, reason: 'Asked' });
  // What was refused is over; another try is another refund.
  expect(second?.key).not.toBe(first?.key);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('sends a refund whose answer was lost again under the same key, so that it is made once', async () => {
  let isLost = true;
  const sent = await openOne(
    {},
    {
      refundPayment: ({ input }) => {
        if (isLost) throw new TypeError('lost');
        return success({ ...detail, state: 'refunded', refunded: 499, refunds: done(499, String(input)) });
      },
    },
  );
  await press('Refund…');
  await fill('Reason, for the log and the list of refunds', 'Asked');
  for (const lost of [true, false]) {
    isLost = lost;
    fireEvent.click(await submit('Refund $4.99'));
    await confirmed();
    await waitFor(() => expect(inputs(sent, '/refundPayment')).toHaveLength(lost ? 1 : 2));
  }
  const [first, second] = inputs(sent, '/refundPayment');
  expect(first).toMatchObject({ costs: null });
  expect(second?.key).toBe(first?.key);
});

it('lets a refund by card be recorded only once it was made in the console of SunPay, in whole dollars', async () => {
  const sent = await openOne(card, { refundPayment: () => success({ ...detail, ...card, refunds: [] }) });
  await press('Refund…');
  expect(await screen.findByText(new RegExp(`First refund NT\\$300 in SunPay’s console .*${TD}`))).toBeTruthy();
  fireEvent.click(screen.getByLabelText('A part'));
  await fill('Amount in TWD', '120');
  await fill('Reason, for the log and the list of refunds', 'Asked');
  expect((await submit('Refund NT$120')).disabled).toBe(true);
  fireEvent.click(screen.getByLabelText('I have refunded it in SunPay’s console'));
  fireEvent.click(await submit('Refund NT$120'));
  await confirmed();
  await waitFor(() => expect(inputs(sent, '/refundPayment')).toMatchObject([{ costs: 120_00 }]));
  expect(await screen.findByText(/The refund of NT\$120 is on its way/)).toBeTruthy();
});

it('asks the provider again with a reason, and says what the payment is now [R-8.payment.3]', async () => {
  const open = { state: 'pending', paid_at: null, granted_at: null } as const;
  let silent = true;
  const sent = await openOne(open, {
    repairPayment: () =>
      silent ? refusal(502, 'providerSilent', 'The payment provider does not answer right now.') : success(detail),
  });
  await press('Ask the provider now');
  expect(screen.queryByRole('button', { name: 'Refund…' })).toBeNull();
  await fill('Reason, for the log', 'Mia asked');
  fireEvent.click(await submit('Ask the provider now'));
  expect(await (await form()).findByText(/does not answer right now/)).toBeTruthy();
  silent = false;
  fireEvent.click(await submit('Ask the provider now'));
  expect(await screen.findByText('Asked. The payment is now: Completed.')).toBeTruthy();
  expect(inputs(sent, '/repairPayment').at(-1)).toEqual({ id: ID, clear: false, reason: 'Mia asked' });
});

it('says that nothing is left to do once all was refunded, and what to do about charges that PayPal did not stop', async () => {
  let now: Partial<ManagedPaymentDetail> = { state: 'refunded', refunded: 499, refunds: done(499, SUBSCRIPTION) };
  await open(`/admin/payments/${ID}`, { managedPayment: () => success({ ...detail, ...now }) });
  expect(await screen.findByText(/^Nothing left to do: all of it has been refunded/)).toBeTruthy();
  cleanup();
  now = { ...now, problem: 'notStopped' };
  await open(`/admin/payments/${ID}`, { managedPayment: () => success({ ...detail, ...now }) });
  expect(await screen.findByText(/change it in PayPal’s console/)).toBeTruthy();
  expect(screen.getByText('Not changed at PayPal')).toBeTruthy();
});

it('records as not charged what its provider does not tell, once an operator has looked there', async () => {
  const open = { state: 'pending', paid_at: null, granted_at: null, code: 'unknown' } as const;
  const sent = await openOne(
    { ...open, unanswered_since: '2026-01-02T03:05:00.000Z' },
    { closePayment: () => success({ ...detail, ...open, state: 'expired', code: 'notCharged' }) },
  );
  expect(await screen.findByText(/^PayPal has not said anything about this payment since/)).toBeTruthy();
  expect(screen.getByText('No answer from the provider')).toBeTruthy();
  await press('Record as not charged');
  await fill('Reason, for the log', 'Nothing in the console');
  expect((await submit('Record as not charged')).hasAttribute('disabled')).toBe(true);
  fireEvent.click((await form()).getByLabelText(/console: nothing was charged$/));
  fireEvent.click(await submit('Record as not charged'));
  expect(await screen.findByText('Recorded as not charged.')).toBeTruthy();
  expect(inputs(sent, '/closePayment')).toEqual([{ id: ID, reason: 'Nothing in the console' }]);
});

it('marks a problem as dealt with, and says if it came back', async () => {
  const problem = 'amountMismatch';
  const sent = await openOne(
    { state: 'created', paid_at: null, granted_at: null, problem },
    { repairPayment: () => success({ ...detail, problem }) },
  );
  await press('Mark the problem as dealt with');
  await fill('Reason, for the log', 'Refunded at PayPal');
  fireEvent.click(await submit('Mark the problem as dealt with'));
  expect(await screen.findByText('The problem came back: Another amount.')).toBeTruthy();
  expect(inputs(sent, '/repairPayment')).toEqual([{ id: ID, clear: true, reason: 'Refunded at PayPal' }]);
});

it('lists subscriptions with what comes next and what became of a failed charge [A75]', async () => {
  const plan: ManagedSubscription = {
    ...{ id: SUBSCRIPTION, kind: 'plan', plan_id: 3, product_id: null, offer_id: 7, name: 'Prime', icon: 'prime' },
    ...{ state: 'active', paid_until: '2099-02-01T00:00:00.000Z', cancel_at_end: false, renews: true, method: 'card' },
    next_charge: { at: '2099-02-01T00:00:00.000Z', costs: 150_00, currency: 'TWD' },
    due: null,
    ...{ date: '2026-01-02T03:04:05.000Z', member: MIA, failed_charges: 0 },
    last_payment: { id: ID, state: 'granted', code: null, date: '2026-01-02T03:04:05.000Z' },
  };
  const unpaid: ManagedSubscription = {
    ...plan,
    ...{ id: MIA.id, name: 'Pro', state: 'suspended', paid_until: '2026-01-02T03:04:05.000Z', failed_charges: 2 },
    last_payment: { id: ID, state: 'failed', code: '05', date: '2026-01-05T03:04:05.000Z' },
  };
  const sent = await open('/admin/subscriptions', { managedSubscriptions: () => list([plan, unpaid]) });
  const row = within(await screen.findByRole('row', { name: /Prime/ }));
  expect(row.getByText(/^NT\$150 on Feb 1, 2099$|^NT\$150 on Jan 31, 2099$/)).toBeTruthy();
  const suspended = within(screen.getByRole('row', { name: /Pro Plan|ProPlan/ }));
  expect(suspended.getByText('2 charges failed')).toBeTruthy();
  expect(suspended.getByText(/^Unpaid since Jan/)).toBeTruthy();
  expect(suspended.getByRole('link', { name: /^Failed, Jan/ }).getAttribute('href')).toBe(`/admin/payments/${ID}`);
  expect(suspended.getByRole('link', { name: /All payments of Mia for Pro/ }).getAttribute('href')).toBe(
    `/admin/payments?subscription=${MIA.id}`,
  );
  await fill('State', 'suspended');
  await waitFor(() => expect(sent.at(-1)?.path).toBe('/managedSubscriptions?state=suspended'));
  expect(address()).toBe('/admin/subscriptions?state=suspended');
});

it('says why a payment failed in words, beside the code of the provider', async () => {
  const failed = { state: 'failed', failure: 'declined', code: '05', transaction_id: null, granted_at: null } as const;
  await openOne({ ...failed, paid_at: null }, {});
  const term = await screen.findByText('Why it failed');
  expect(term.nextSibling?.textContent).toBe('Refused by the bank, the card provider or PayPal');
  expect(screen.getByText('Provider’s code').nextSibling?.textContent).toBe('05');
});

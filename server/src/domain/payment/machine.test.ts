import { expect, test } from 'vitest';
import { type Evidence, isPaid, next, type Payment, RANKS } from './machine.ts';

const CREATED: Payment = { state: 'created', amount: 1200, currency: 'USD', captureId: null };
const captured = (captureId = 'C1', amount = 1200, currency: 'USD' | 'TWD' = 'USD'): Evidence => ({
  kind: 'captured',
  captureId,
  money: { amount, currency },
});
/** What is granted in the machine's world: we do it, once the money is there. */
type Told = Evidence | 'grant';
const after = (told: readonly Told[], payment = CREATED) => told.reduce(step, payment);

function step(payment: Payment, evidence: Told): Payment {
  if (evidence === 'grant') return payment.state === 'paid' ? { ...payment, state: 'granted' } : payment;
  const { to } = { to: payment.state, ...next(payment, evidence) };
  const captureId = evidence.kind === 'captured' && to === 'paid' ? evidence.captureId : payment.captureId;
  return { ...payment, state: to, captureId: isPaid(payment) ? payment.captureId : captureId };
}

test('a granted payment is not paid again by the same money, nor undone by what comes too late', () => {
  const granted = after([{ kind: 'pending', reason: 'ECHECK' }, captured(), 'grant']);
  expect(granted.state).toBe('granted');
  for (const late of [captured(), { kind: 'declined', code: 'NO' }, { kind: 'expired' }] as const)
    expect(next(granted, late)).toEqual({ kind: 'stay' });
});

test('money that comes late for a payment that failed or expired is paid all the same', () => {
  for (const end of [{ kind: 'declined', code: 'NO' }, { kind: 'expired' }] as const) {
    expect(after([end, captured()]).state).toBe('paid');
    expect(after([end, { kind: 'pending', reason: 'ECHECK' }]).state).toBe(after([end]).state);
  }
});

test('another amount, another currency and a second capture are problems, and grant nothing [A67]', () => {
  expect(next(CREATED, captured('C1', 1199))).toEqual({ kind: 'problem', problem: 'amountMismatch' });
  expect(next(CREATED, captured('C1', 1200, 'TWD'))).toEqual({ kind: 'problem', problem: 'foreignCurrency' });
  const paid = after([captured()]);
  expect(next(paid, captured())).toEqual({ kind: 'stay' });
  expect(next(paid, captured('C2'))).toEqual({ kind: 'problem', problem: 'paidTwice' });
});

test('part of the money may go back without an effect on what was granted, all of it ends the payment [A71]', () => {
  const granted = after([captured(), 'grant']);
  expect(next(granted, { kind: 'refunded', total: 1199 })).toEqual({ kind: 'stay' });
  expect(next(granted, { kind: 'refunded', total: 1200 })).toEqual({ kind: 'move', to: 'refunded' });
  expect(next(CREATED, { kind: 'refunded', total: 1200 })).toEqual({ kind: 'stay' });
});

test('in any order of anything the rank never falls, and no two orders of the same end differ in whether it is paid', () => {
  // A small generator, so that a failure is repeated by its seed.
  let seed = 20_261_129;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  const kinds: readonly Told[] = [
    captured(),
    captured('C2'),
    captured('C1', 1),
    { kind: 'pending', reason: 'unknown' },
    { kind: 'declined', code: 'NO' },
    { kind: 'expired' },
    'grant',
    { kind: 'refunded', total: 600 },
    { kind: 'refunded', total: 1200 },
  ];
  for (let round = 0; round < 5000; round += 1) {
    const told = Array.from({ length: 1 + random(9) }, () => kinds[random(kinds.length)] as Told);
    let payment = CREATED;
    for (const evidence of told) {
      const later = step(payment, evidence);
      expect(RANKS[later.state]).toBeGreaterThanOrEqual(RANKS[payment.state]);
      if (later.state === 'granted') expect(['paid', 'granted']).toContain(payment.state);
      if (isPaid(later)) expect(later.captureId).not.toBeNull();
      payment = later;
    }
    const hasMoney = told.some((one) => one !== 'grant' && one.kind === 'captured' && one.money.amount === 1200);
    expect(isPaid(payment)).toBe(hasMoney);
    expect(isPaid(after([...told].reverse()))).toBe(hasMoney);
    // Everything again, as webhooks repeat it, but for a grant, which only we make.
    const again = told.filter((one) => one !== 'grant');
    if (payment.state === 'refunded') expect(after(again, payment).state).toBe('refunded');
  }
});

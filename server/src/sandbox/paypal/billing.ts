import { z } from 'zod';
import { queueEvent } from './events.ts';
import { type Answer, type Exchange, find, read, readAmount, returnAddress, wireAmount } from './exchange.ts';
import { showSale } from './payments.ts';
import { Refusal } from './refusal.ts';
import {
  decimal,
  isoTime,
  newId,
  type SandboxPayment,
  type SandboxPlan,
  type SandboxState,
  type SandboxSubscription,
  wireMoney,
} from './state.ts';

const DAY_MS = 24 * 3_600_000;
/** A failed payment is tried again every five days, twice. */
const RETRY_MS = 5 * DAY_MS;
const RETRIES = 2;

const newProduct = z.looseObject({
  name: z.string().min(1).max(127),
  description: z.string().min(1).max(256).optional(),
  type: z.enum(['PHYSICAL', 'DIGITAL', 'SERVICE']),
});

export function createProduct({ state, now, body, apiBase }: Exchange): Answer {
  const { name, description } = read(newProduct, body);
  const id = `PROD-${newId()}`;
  state.products[id] = { id, name };
  const links = [{ href: `${apiBase}/v1/catalogs/products/${id}`, rel: 'self', method: 'GET' }];
  return { status: 201, body: { id, name, description, create_time: isoTime(now), links } };
}

const newPlan = z.looseObject({
  product_id: z.string(),
  name: z.string().min(1).max(127),
  status: z.enum(['CREATED', 'ACTIVE', 'INACTIVE']).default('ACTIVE'),
  billing_cycles: z
    .array(
      z.looseObject({
        frequency: z.looseObject({
          interval_unit: z.enum(['DAY', 'WEEK', 'MONTH', 'YEAR']),
          interval_count: z.int().min(1).max(365).default(1),
        }),
        tenure_type: z.enum(['REGULAR', 'TRIAL']),
        sequence: z.int(),
        total_cycles: z.int().default(1),
        pricing_scheme: z.looseObject({ fixed_price: wireAmount }),
      }),
    )
    .min(1)
    .max(1),
  payment_preferences: z.looseObject({ payment_failure_threshold: z.int().min(0).default(0) }).optional(),
});

export function createPlan({ state, now, body, apiBase }: Exchange): Answer {
  const told = read(newPlan, body);
  find(state.products, told.product_id);
  const [cycle] = told.billing_cycles;
  if (!cycle) throw new Refusal(400, 'MISSING_REQUIRED_PARAMETER', { field: '/billing_cycles' });
  const plan: SandboxPlan = {
    ...readAmount(cycle.pricing_scheme.fixed_price, '/billing_cycles/0/pricing_scheme/fixed_price/value'),
    id: `P-${newId(24)}`,
    productId: told.product_id,
    name: told.name,
    unit: cycle.frequency.interval_unit,
    count: cycle.frequency.interval_count,
    threshold: told.payment_preferences?.payment_failure_threshold ?? 0,
    status: told.status,
  };
  state.plans[plan.id] = plan;
  const links = [{ href: `${apiBase}/v1/billing/plans/${plan.id}`, rel: 'self', method: 'GET' }];
  return { status: 201, body: { ...showPlan(plan), create_time: isoTime(now), links } };
}

export function getPlan({ state, params }: Exchange): Answer {
  return { status: 200, body: showPlan(find(state.plans, params['id'])) };
}

function showPlan({ id, productId, name, status }: SandboxPlan): object {
  return { id, product_id: productId, name, status };
}

const newSubscription = z.looseObject({
  plan_id: z.string(),
  custom_id: z.string().min(1).max(127).optional(),
  application_context: z
    .looseObject({
      brand_name: z.string().max(127).default(''),
      locale: z.string().max(10).default('en-US'),
      return_url: returnAddress,
      cancel_url: returnAddress,
    })
    .optional(),
});

export function createSubscription({ state, now, body, ...exchange }: Exchange): Answer {
  const told = read(newSubscription, body);
  const plan = find(state.plans, told.plan_id);
  if (plan.status !== 'ACTIVE') throw new Refusal(422, 'PLAN_STATUS_INVALID');
  const pages = told.application_context;
  const subscription: SandboxSubscription = {
    id: `I-${newId(12)}`,
    approvalToken: `BA-${newId()}`,
    planId: plan.id,
    customId: told.custom_id ?? null,
    status: 'APPROVAL_PENDING',
    createdAt: now,
    brandName: pages?.brand_name ?? '',
    locale: pages?.locale ?? 'en-US',
    returnUrl: pages?.return_url ?? null,
    cancelUrl: pages?.cancel_url ?? null,
    anchor: null,
    cycles: 0,
    nextAt: null,
    retryAt: null,
    retries: 0,
    failures: 0,
    lastFailureAt: null,
    outstanding: 0,
    lastPaymentId: null,
    pays: true,
  };
  state.subscriptions[subscription.id] = subscription;
  const shown = showSubscription({ state, ...exchange }, subscription);
  queueEvent(state, now, 'BILLING.SUBSCRIPTION.CREATED', shown);
  return { status: 201, body: shown };
}

export function getSubscription(exchange: Exchange): Answer {
  return { status: 200, body: showSubscription(exchange, find(exchange.state.subscriptions, exchange.params['id'])) };
}

/** What may be done with a subscription, in which states, and the state after it. */
const ACTIONS = {
  cancel: { from: ['ACTIVE', 'SUSPENDED'], to: 'CANCELLED', event: 'CANCELLED' },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED', event: 'SUSPENDED' },
  activate: { from: ['SUSPENDED'], to: 'ACTIVE', event: 'ACTIVATED' },
} as const;

export function changeSubscription(exchange: Exchange): Answer {
  const { state, now, params, body } = exchange;
  read(z.looseObject({ reason: z.string().min(1).max(128) }), body);
  const subscription = find(state.subscriptions, params['id']);
  const action = Object.hasOwn(ACTIONS, params['action'] ?? '')
    ? ACTIONS[params['action'] as keyof typeof ACTIONS]
    : null;
  if (!action) throw new Refusal(404, 'INVALID_RESOURCE_ID');
  if (!(action.from as readonly string[]).includes(subscription.status)) {
    throw new Refusal(422, 'SUBSCRIPTION_STATUS_INVALID');
  }
  subscription.status = action.to;
  if (action.to === 'CANCELLED') subscription.nextAt = null;
  // Periods that passed while it was suspended are not charged afterwards.
  if (action.to === 'ACTIVE') skipTo(state, subscription, now);
  subscription.retryAt = null;
  const shown = showSubscription(exchange, subscription);
  queueEvent(state, now, `BILLING.SUBSCRIPTION.${action.event}`, shown);
  return { status: 204 };
}

const outstandingCapture = z.looseObject({
  note: z.string().min(1).max(128),
  capture_type: z.enum(['OUTSTANDING_BALANCE']),
  amount: wireAmount,
});

export function captureOutstanding({ state, now, params, body }: Exchange): Answer {
  const subscription = find(state.subscriptions, params['id']);
  const plan = planOf(state, subscription);
  const wished = readAmount(read(outstandingCapture, body).amount, '/amount/value');
  if (subscription.outstanding === 0) throw new Refusal(422, 'ZERO_OUTSTANDING_BALANCE');
  if (wished.currency !== plan.currency) throw new Refusal(422, 'CURRENCY_MISMATCH');
  if (wished.amount > subscription.outstanding) throw new Refusal(422, 'AMOUNT_GREATER_THAN_OUTSTANDING_BALANCE');
  if (!subscription.pays) {
    const declined = { status: 'DECLINED', id: newId(), amount_with_breakdown: { gross_amount: wireMoney(wished) } };
    return { status: 200, body: { ...declined, time: isoTime(now) } };
  }
  subscription.outstanding -= wished.amount;
  subscription.failures = 0;
  subscription.retryAt = null;
  return { status: 200, body: showTransaction(pay(state, subscription, wished.amount, now)) };
}

export function listTransactions({ state, params, query }: Exchange): Answer {
  const subscription = find(state.subscriptions, params['id']);
  const [from, until] = [Date.parse(query['start_time'] ?? ''), Date.parse(query['end_time'] ?? '')];
  if (!(from <= until)) throw new Refusal(400, 'INVALID_PARAMETER_VALUE', { field: 'start_time' });
  const transactions = Object.values(state.payments)
    .filter((payment) => payment.subscriptionId === subscription.id)
    .filter(({ createdAt }) => createdAt >= from && createdAt <= until)
    .sort((a, b) => a.createdAt - b.createdAt)
    .map(showTransaction);
  return { status: 200, body: { transactions, total_items: transactions.length, total_pages: 1 } };
}

/** The buyer agrees: the first period is charged at once. */
export function approveSubscription(
  state: SandboxState,
  now: number,
  subscription: SandboxSubscription,
  pays: boolean,
) {
  Object.assign(subscription, { status: 'ACTIVE', anchor: now, nextAt: now, pays });
  const exchange = { state, apiBase: state.apiBase, pageBase: state.apiBase };
  queueEvent(state, now, 'BILLING.SUBSCRIPTION.ACTIVATED', showSubscription(exchange, subscription));
  renewDue(state, now);
}

/** Charges every period, and repeats every failed payment, whose time has come. */
export function renewDue(state: SandboxState, now: number): void {
  for (const subscription of Object.values(state.subscriptions)) {
    for (;;) {
      const due = Math.min(subscription.nextAt ?? Infinity, subscription.retryAt ?? Infinity);
      if (subscription.status !== 'ACTIVE' || due > now) break;
      charge(state, subscription, due);
    }
  }
}

function charge(state: SandboxState, subscription: SandboxSubscription, at: number): void {
  const plan = planOf(state, subscription);
  const isRetry = subscription.retryAt === at;
  if (isRetry) subscription.retryAt = null;
  else {
    subscription.cycles += 1;
    subscription.retries = 0;
    subscription.nextAt = periodStart(plan, subscription.anchor ?? at, subscription.cycles);
    subscription.outstanding += plan.amount;
  }
  if (subscription.pays) {
    const { outstanding } = subscription;
    Object.assign(subscription, { outstanding: 0, failures: 0, retryAt: null });
    if (outstanding > 0) pay(state, subscription, outstanding, at);
    return;
  }
  subscription.failures += 1;
  subscription.lastFailureAt = at;
  if (subscription.retries < RETRIES) {
    subscription.retries += 1;
    subscription.retryAt = at + RETRY_MS;
  }
  const exchange = { state, apiBase: state.apiBase, pageBase: state.apiBase };
  const failed = showSubscription(exchange, subscription);
  queueEvent(state, at, 'BILLING.SUBSCRIPTION.PAYMENT.FAILED', failed);
  if (plan.threshold === 0 || subscription.failures < plan.threshold) return;
  Object.assign(subscription, { status: 'SUSPENDED', retryAt: null });
  queueEvent(state, at, 'BILLING.SUBSCRIPTION.SUSPENDED', showSubscription(exchange, subscription));
}

function pay(state: SandboxState, subscription: SandboxSubscription, amount: number, at: number): SandboxPayment {
  const payment: SandboxPayment = {
    amount,
    currency: planOf(state, subscription).currency,
    id: newId(),
    orderId: null,
    subscriptionId: subscription.id,
    status: 'COMPLETED',
    refunded: 0,
    customId: subscription.customId,
    invoiceId: null,
    createdAt: at,
    settlesAt: null,
    settlesAs: 'COMPLETED',
  };
  state.payments[payment.id] = payment;
  subscription.lastPaymentId = payment.id;
  queueEvent(state, at, 'PAYMENT.SALE.COMPLETED', showSale(payment));
  return payment;
}

function skipTo(state: SandboxState, subscription: SandboxSubscription, now: number): void {
  const plan = planOf(state, subscription);
  const anchor = subscription.anchor ?? now;
  while (periodStart(plan, anchor, subscription.cycles) <= now) subscription.cycles += 1;
  subscription.nextAt = periodStart(plan, anchor, subscription.cycles);
}

/** Returns the start of a period, counted from the anchor: the 31st stays the 31st where a month has one. */
function periodStart(plan: SandboxPlan, anchor: number, periods: number): number {
  const count = plan.count * periods;
  if (plan.unit === 'DAY' || plan.unit === 'WEEK') return anchor + count * DAY_MS * (plan.unit === 'WEEK' ? 7 : 1);
  const start = new Date(anchor);
  const moved = new Date(anchor);
  moved.setUTCDate(1);
  moved.setUTCMonth(start.getUTCMonth() + count * (plan.unit === 'YEAR' ? 12 : 1));
  const days = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(start.getUTCDate(), days));
  return moved.getTime();
}

export function planOf(state: SandboxState, { planId }: SandboxSubscription): SandboxPlan {
  return find(state.plans, planId);
}

function showTransaction(payment: SandboxPayment): object {
  return {
    id: payment.id,
    status: payment.status,
    amount_with_breakdown: { gross_amount: wireMoney(payment) },
    time: isoTime(payment.createdAt),
  };
}

function showSubscription(
  { state, apiBase, pageBase }: Pick<Exchange, 'state' | 'apiBase' | 'pageBase'>,
  subscription: SandboxSubscription,
): object {
  const { currency } = planOf(state, subscription);
  const self = `${apiBase}/v1/billing/subscriptions/${subscription.id}`;
  const last = subscription.lastPaymentId === null ? undefined : state.payments[subscription.lastPaymentId];
  const approve = `${pageBase}/webapps/billing/subscriptions?ba_token=${subscription.approvalToken}`;
  const outstanding = { currency_code: currency, value: decimal(subscription.outstanding, currency) };
  return {
    id: subscription.id,
    status: subscription.status,
    plan_id: subscription.planId,
    ...(subscription.customId === null ? {} : { custom_id: subscription.customId }),
    create_time: isoTime(subscription.createdAt),
    ...(subscription.anchor === null
      ? {}
      : {
          start_time: isoTime(subscription.anchor),
          billing_info: {
            outstanding_balance: outstanding,
            cycle_executions: [
              { tenure_type: 'REGULAR', sequence: 1, cycles_completed: subscription.cycles, total_cycles: 0 },
            ],
            ...(last ? { last_payment: { amount: wireMoney(last), time: isoTime(last.createdAt) } } : {}),
            ...(subscription.nextAt === null ? {} : { next_billing_time: isoTime(subscription.nextAt) }),
            failed_payments_count: subscription.failures,
            ...(subscription.lastFailureAt === null
              ? {}
              : {
                  last_failed_payment: {
                    amount: outstanding,
                    time: isoTime(subscription.lastFailureAt),
                    reason_code: 'PAYMENT_DENIED',
                    ...(subscription.retryAt === null
                      ? {}
                      : { next_payment_retry_time: isoTime(subscription.retryAt) }),
                  },
                }),
          },
        }),
    links: [
      ...(subscription.status === 'APPROVAL_PENDING' ? [{ href: approve, rel: 'approve', method: 'GET' }] : []),
      { href: self, rel: 'edit', method: 'PATCH' },
      { href: self, rel: 'self', method: 'GET' },
    ],
  };
}

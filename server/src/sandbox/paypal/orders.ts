import { z } from 'zod';
import { queueEvent } from './events.ts';
import { type Answer, type Exchange, find, read, readAmount, returnAddress, wireAmount } from './exchange.ts';
import { showPayment, showRefund } from './payments.ts';
import { Refusal } from './refusal.ts';
import { isoTime, newId, type SandboxOrder, type SandboxPayment, type SandboxState, wireMoney } from './state.ts';

/** An order that nobody approved ends after this time. */
const APPROVAL_MS = 6 * 3_600_000;
/** A payment that the buyer left pending is completed after this time. */
const PENDING_MS = 2 * 60_000;

const context = z.looseObject({
  brand_name: z.string().max(127).default(''),
  locale: z
    .string()
    .regex(/^[a-z]{2}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$/)
    .default('en-US'),
  shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
  user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
  landing_page: z.enum(['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE']).optional(),
  payment_method_preference: z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']).optional(),
  return_url: returnAddress.optional(),
  cancel_url: returnAddress.optional(),
});
const newOrder = z.looseObject({
  intent: z.enum(['CAPTURE', 'AUTHORIZE']),
  purchase_units: z
    .array(
      z.looseObject({
        reference_id: z.string().min(1).max(256).default('default'),
        custom_id: z.string().min(1).max(127).optional(),
        invoice_id: z.string().min(1).max(127).optional(),
        description: z.string().min(1).max(127).optional(),
        soft_descriptor: z.string().max(22).optional(),
        amount: wireAmount.extend({
          breakdown: z.looseObject({ item_total: wireAmount.optional() }).optional(),
        }),
        items: z
          .array(z.looseObject({ name: z.string().min(1).max(127), quantity: z.string(), unit_amount: wireAmount }))
          .optional(),
      }),
    )
    .min(1)
    .max(10),
  payment_source: z
    .looseObject({ paypal: z.looseObject({ experience_context: context.optional() }).optional() })
    .optional(),
  application_context: context.optional(),
});

export function createOrder({ state, now, body, ...exchange }: Exchange): Answer {
  const told = read(newOrder, body);
  const [unit] = told.purchase_units;
  const references = told.purchase_units.map(({ reference_id }) => reference_id);
  if (new Set(references).size < references.length) throw new Refusal(422, 'DUPLICATE_REFERENCE_ID');
  if (told.intent !== 'CAPTURE' || told.purchase_units.length > 1 || !unit)
    throw new Refusal(422, 'UNSUPPORTED_INTENT');
  const field = '/purchase_units/@reference_id==default/amount/value';
  const price = readAmount(unit.amount, field);
  const total = unit.amount.breakdown?.item_total;
  if (total && readAmount(total, field).amount !== price.amount) throw new Refusal(422, 'AMOUNT_MISMATCH', { field });
  if (unit.items) {
    const sum = unit.items.reduce(
      (so, { quantity, unit_amount }) => so + Number(quantity) * readAmount(unit_amount, field).amount,
      0,
    );
    if (!total || sum !== price.amount) throw new Refusal(422, 'ITEM_TOTAL_MISMATCH', { field });
  }
  const hasSource = told.payment_source?.paypal !== undefined;
  const pages = told.payment_source?.paypal?.experience_context ?? told.application_context;
  const order: SandboxOrder = {
    ...price,
    id: newId(),
    status: hasSource ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    createdAt: now,
    hasSource,
    referenceId: unit.reference_id,
    customId: unit.custom_id ?? null,
    invoiceId: unit.invoice_id ?? null,
    description: unit.description ?? null,
    brandName: pages?.brand_name ?? '',
    locale: pages?.locale ?? 'en-US',
    returnUrl: pages?.return_url ?? null,
    cancelUrl: pages?.cancel_url ?? null,
    payer: null,
    captureId: null,
  };
  state.orders[order.id] = order;
  return { status: 201, body: showOrder({ state, ...exchange }, order) };
}

export function getOrder(exchange: Exchange): Answer {
  const order = findLiving(exchange.state, exchange.params['id'], exchange.now);
  return { status: 200, body: showOrder({ ...exchange, whole: true }, order) };
}

const replacement = z.array(
  z.looseObject({ op: z.enum(['add', 'replace', 'remove']), path: z.string(), value: z.unknown() }),
);
const PATCHABLE = { custom_id: 'customId', invoice_id: 'invoiceId', description: 'description' } as const;

export function patchOrder({ state, now, params, body }: Exchange): Answer {
  const order = findLiving(state, params['id'], now);
  if (order.status === 'COMPLETED' || order.status === 'VOIDED') throw new Refusal(422, 'ORDER_ALREADY_COMPLETED');
  for (const { op, path, value } of read(replacement, body)) {
    const name = /^\/purchase_units\/@reference_id=='[^']*'\/(\w+)$/.exec(path)?.[1];
    if (name === 'amount') Object.assign(order, readAmount(read(wireAmount, value), path));
    else if (name !== undefined && Object.hasOwn(PATCHABLE, name)) {
      const text = op === 'remove' ? null : read(z.string().min(1).max(127), value);
      order[PATCHABLE[name as keyof typeof PATCHABLE]] = text;
    } else throw new Refusal(422, 'NOT_PATCHABLE', { field: path });
  }
  return { status: 204 };
}

export function captureOrder({ state, now, params, ...exchange }: Exchange): Answer {
  const order = findLiving(state, params['id'], now);
  if (order.status === 'COMPLETED') {
    throw new Refusal(422, 'ORDER_ALREADY_CAPTURED', {
      description: "Order already captured. If 'intent=CAPTURE' only one capture per order is allowed.",
    });
  }
  if (order.status !== 'APPROVED' || !order.payer) {
    throw new Refusal(422, 'ORDER_NOT_APPROVED', { description: 'Payer has not yet approved the Order for payment.' });
  }
  const used =
    order.invoiceId !== null && Object.values(state.payments).some((other) => other.invoiceId === order.invoiceId);
  if (used) throw new Refusal(422, 'DUPLICATE_INVOICE_ID');
  if (order.payer === 'declined') {
    throw new Refusal(422, 'INSTRUMENT_DECLINED', {
      description: 'The instrument presented was either declined by the processor or bank, or it cannot be used.',
      redirect: approvalAddress(exchange.pageBase, order),
    });
  }
  const isPending = order.payer === 'pending';
  const payment: SandboxPayment = {
    amount: order.amount,
    currency: order.currency,
    id: newId(),
    orderId: order.id,
    subscriptionId: null,
    status: isPending ? 'PENDING' : 'COMPLETED',
    refunded: 0,
    customId: order.customId,
    invoiceId: order.invoiceId,
    createdAt: now,
    settlesAt: isPending ? now + PENDING_MS : null,
    settlesAs: 'COMPLETED',
  };
  state.payments[payment.id] = payment;
  order.status = 'COMPLETED';
  order.captureId = payment.id;
  queueEvent(state, now, `PAYMENT.CAPTURE.${payment.status}`, showPayment(state, payment));
  return { status: 201, body: showOrder({ state, ...exchange }, order) };
}

/** Records what the buyer chose. */
export function approveOrder(
  state: SandboxState,
  now: number,
  order: SandboxOrder,
  payer: SandboxOrder['payer'],
): void {
  const isFirst = order.status !== 'APPROVED';
  order.status = 'APPROVED';
  order.payer = payer;
  const shown = showOrder({ state, apiBase: state.apiBase, pageBase: state.apiBase, whole: true }, order);
  if (isFirst) queueEvent(state, now, 'CHECKOUT.ORDER.APPROVED', shown);
}

/** Returns an order. @throws Refusal 404 if there is none, or nobody approved it in time */
export function findLiving(state: SandboxState, id: string | undefined, now: number): SandboxOrder {
  const order = find(state.orders, id);
  if (order.status !== 'COMPLETED' && now - order.createdAt >= APPROVAL_MS)
    throw new Refusal(404, 'INVALID_RESOURCE_ID');
  return order;
}

function approvalAddress(pageBase: string, { id }: SandboxOrder): string {
  return `${pageBase}/checkoutnow?token=${id}`;
}

function showOrder(
  { state, apiBase, pageBase, whole }: Pick<Exchange, 'state' | 'apiBase' | 'pageBase' | 'whole'>,
  order: SandboxOrder,
): object {
  const self = `${apiBase}/v2/checkout/orders/${order.id}`;
  const rel = order.hasSource ? 'payer-action' : 'approve';
  const links = [
    { href: self, rel: 'self', method: 'GET' },
    ...(order.status === 'COMPLETED' ? [] : [{ href: approvalAddress(pageBase, order), rel, method: 'GET' }]),
    ...(order.hasSource || order.status === 'COMPLETED' ? [] : [{ href: self, rel: 'update', method: 'PATCH' }]),
    ...(order.status === 'APPROVED' ? [{ href: `${self}/capture`, rel: 'capture', method: 'POST' }] : []),
  ];
  const payment = order.captureId === null ? undefined : state.payments[order.captureId];
  const source = order.hasSource ? { payment_source: { paypal: order.payer ? PAYER : {} } } : {};
  const short = { id: order.id, status: order.status, ...source, links };
  if (!whole && !payment) return short;
  return {
    ...short,
    intent: 'CAPTURE',
    create_time: isoTime(order.createdAt),
    purchase_units: [
      {
        reference_id: order.referenceId,
        amount: wireMoney(order),
        ...(order.customId === null ? {} : { custom_id: order.customId }),
        ...(order.invoiceId === null ? {} : { invoice_id: order.invoiceId }),
        ...(order.description === null ? {} : { description: order.description }),
        ...(payment ? { payments: { captures: [showPayment(state, payment)], ...refundsOf(state, payment) } } : {}),
      },
    ],
    ...(order.payer
      ? { payer: { payer_id: PAYER.account_id, email_address: PAYER.email_address, name: PAYER.name } }
      : {}),
  };
}

function refundsOf(state: SandboxState, { id }: SandboxPayment): object {
  const refunds = Object.values(state.refunds).filter(({ paymentId }) => paymentId === id);
  return refunds.length === 0 ? {} : { refunds: refunds.map((refund) => showRefund(state, refund)) };
}

export const PAYER = {
  email_address: 'buyer@example.com',
  account_id: 'QYR5Z8XDVJNXQ',
  name: { given_name: 'Test', surname: 'Buyer' },
  address: { country_code: 'TW' },
};

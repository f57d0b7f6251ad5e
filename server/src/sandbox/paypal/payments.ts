import { CURRENCIES } from '@framelift/contract';
import { z } from 'zod';
import { queueEvent } from './events.ts';
import { type Answer, type Exchange, find, read, readAmount, wireAmount } from './exchange.ts';
import { Refusal } from './refusal.ts';
import {
  decimal,
  isoTime,
  newId,
  type SandboxPayment,
  type SandboxRefund,
  type SandboxState,
  wireMoney,
} from './state.ts';

export function getPayment({ state, params }: Exchange): Answer {
  return { status: 200, body: showPayment(state, find(state.payments, params['id'])) };
}

const newRefund = z.looseObject({
  amount: wireAmount.optional(),
  invoice_id: z.string().max(127).optional(),
  note_to_payer: z.string().max(255).optional(),
});

/** Refunds all that is left, or a part of it. PayPal takes payments of subscriptions here too. */
export function refundPayment({ state, now, params, body, whole }: Exchange): Answer {
  const payment = find(state.payments, params['id']);
  const told = read(newRefund, body);
  if (payment.status === 'PENDING') throw new Refusal(422, 'PENDING_CAPTURE');
  if (payment.status === 'DECLINED') throw new Refusal(422, 'REFUND_NOT_ALLOWED');
  const left = payment.amount - payment.refunded;
  if (left === 0) throw new Refusal(422, 'CAPTURE_FULLY_REFUNDED');
  const field = '/amount/value';
  const wished = told.amount ? readAmount(told.amount, field) : { amount: left, currency: payment.currency };
  if (wished.currency !== payment.currency) throw new Refusal(422, 'CURRENCY_MISMATCH', { field });
  if (wished.amount > left) throw new Refusal(422, 'REFUND_AMOUNT_EXCEEDED', { field });
  const refund: SandboxRefund = {
    ...wished,
    id: newId(),
    paymentId: payment.id,
    note: told.note_to_payer ?? null,
    createdAt: now,
  };
  state.refunds[refund.id] = refund;
  payment.refunded += refund.amount;
  payment.status = payment.refunded === payment.amount ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
  const isSale = payment.subscriptionId !== null;
  const resource = isSale ? showSaleRefund(refund) : showRefund(state, refund);
  queueEvent(state, now, isSale ? 'PAYMENT.SALE.REFUNDED' : 'PAYMENT.CAPTURE.REFUNDED', resource);
  const { links, ...shown } = showRefund(state, refund);
  return { status: 201, body: whole ? { ...shown, links } : { id: refund.id, status: 'COMPLETED', links } };
}

/** What a bank does that takes back all that is left of a payment: nobody asked the seller. */
export function reversePayment(state: SandboxState, now: number, id: string): void {
  const payment = find(state.payments, id);
  const { amount, refunded, currency } = payment;
  const taken = { id: newId(), paymentId: id, amount: amount - refunded, currency, note: null, createdAt: now };
  Object.assign(payment, { refunded: amount, status: 'REFUNDED' });
  queueEvent(state, now, 'PAYMENT.CAPTURE.REVERSED', showRefund(state, taken));
}

export function getRefund({ state, params }: Exchange): Answer {
  return { status: 200, body: showRefund(state, find(state.refunds, params['id'])) };
}

/** Completes or declines the payments whose time has come. */
export function settlePending(state: SandboxState, now: number): void {
  for (const payment of Object.values(state.payments)) {
    if (payment.settlesAt === null || payment.settlesAt > now) continue;
    payment.status = payment.settlesAs;
    payment.settlesAt = null;
    queueEvent(state, now, `PAYMENT.CAPTURE.${payment.status}`, showPayment(state, payment));
  }
}

/** What the seller pays for a payment: an invented rate, in amounts that the currency can be charged in. */
function feeOf({ amount, currency }: SandboxPayment): number {
  const step = 10 ** (CURRENCIES[currency].exponent - CURRENCIES[currency].digits);
  return Math.floor((amount * 0.044) / step) * step;
}

export function showPayment(state: SandboxState, payment: SandboxPayment): object {
  const self = `${state.apiBase}/v2/payments/captures/${payment.id}`;
  const money = (amount: number) => wireMoney({ amount, currency: payment.currency });
  const fee = feeOf(payment);
  return {
    id: payment.id,
    status: payment.status,
    ...(payment.status === 'PENDING' ? { status_details: { reason: 'PENDING_REVIEW' } } : {}),
    amount: wireMoney(payment),
    final_capture: true,
    disbursement_mode: 'INSTANT',
    seller_protection: { status: 'NOT_ELIGIBLE' },
    seller_receivable_breakdown: {
      gross_amount: money(payment.amount),
      paypal_fee: money(fee),
      net_amount: money(payment.amount - fee),
    },
    ...(payment.customId === null ? {} : { custom_id: payment.customId }),
    ...(payment.invoiceId === null ? {} : { invoice_id: payment.invoiceId }),
    ...(payment.orderId === null ? {} : { supplementary_data: { related_ids: { order_id: payment.orderId } } }),
    create_time: isoTime(payment.createdAt),
    update_time: isoTime(payment.createdAt),
    links: [
      { href: self, rel: 'self', method: 'GET' },
      { href: `${self}/refund`, rel: 'refund', method: 'POST' },
      ...(payment.orderId === null
        ? []
        : [{ href: `${state.apiBase}/v2/checkout/orders/${payment.orderId}`, rel: 'up', method: 'GET' }]),
    ],
  };
}

export function showRefund(state: SandboxState, refund: SandboxRefund) {
  return {
    id: refund.id,
    status: 'COMPLETED',
    amount: wireMoney(refund),
    seller_payable_breakdown: {
      gross_amount: wireMoney(refund),
      total_refunded_amount: wireMoney({ amount: refundedWith(state, refund), currency: refund.currency }),
    },
    ...(refund.note === null ? {} : { note_to_payer: refund.note }),
    create_time: isoTime(refund.createdAt),
    links: [
      { href: `${state.apiBase}/v2/payments/refunds/${refund.id}`, rel: 'self', method: 'GET' },
      { href: `${state.apiBase}/v2/payments/captures/${refund.paymentId}`, rel: 'up', method: 'GET' },
    ],
  };
}

/** Returns all that had gone back of a payment with this refund. Later ones are not in it. */
function refundedWith(state: SandboxState, { id, paymentId, amount, createdAt }: SandboxRefund): number {
  const isBefore = (other: SandboxRefund) =>
    other.paymentId === paymentId && other.id !== id && other.createdAt <= createdAt;
  return Object.values(state.refunds)
    .filter(isBefore)
    .reduce((sum, other) => sum + other.amount, amount);
}

/** A payment of a subscription, in the form of the first API. */
export function showSale(payment: SandboxPayment): object {
  const total = decimal(payment.amount, payment.currency);
  return {
    id: payment.id,
    state: 'completed',
    amount: { total, currency: payment.currency, details: { subtotal: total } },
    payment_mode: 'INSTANT_TRANSFER',
    transaction_fee: { value: decimal(feeOf(payment), payment.currency), currency: payment.currency },
    billing_agreement_id: payment.subscriptionId,
    ...(payment.customId === null ? {} : { custom: payment.customId }),
    create_time: isoTime(payment.createdAt),
    update_time: isoTime(payment.createdAt),
  };
}

function showSaleRefund(refund: SandboxRefund): object {
  return {
    id: refund.id,
    state: 'completed',
    sale_id: refund.paymentId,
    amount: { total: decimal(refund.amount, refund.currency), currency: refund.currency },
    create_time: isoTime(refund.createdAt),
  };
}

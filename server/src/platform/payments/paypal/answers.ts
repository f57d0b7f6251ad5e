import { currencyCode, fromDecimal, type Money } from '@framelift/contract';
import { z } from 'zod';

/** Schemas of PayPal's answers: only what we use, and tolerant of everything else. */

const link = z.looseObject({ href: z.string(), rel: z.string() });

const decimalMoney = (text: string, currency: Money['currency'], issues: z.core.ParsePayload['issues']) => {
  const amount = fromDecimal(text, currency);
  if (amount !== null) return { amount, currency };
  issues.push({ code: 'custom', message: 'is no amount of its currency', input: text });
  return z.NEVER;
};
/** `{ currency_code, value }` → minor units. */
const amountV2 = z
  .looseObject({ currency_code: currencyCode, value: z.string() })
  .transform(({ value, currency_code }, { issues }): Money => decimalMoney(value, currency_code, issues));
/** `{ currency, total }` of the first API → minor units. */
export const amountV1 = z
  .looseObject({ currency: currencyCode, total: z.string() })
  .transform(({ total, currency }, { issues }): Money => decimalMoney(total, currency, issues));
const time = z.string().transform((text, { issues }) => {
  const date = new Date(text);
  if (Number.isFinite(date.getTime())) return date;
  issues.push({ code: 'custom', message: 'is no time', input: text });
  return z.NEVER;
});

export interface PayPalCapture {
  readonly id: string;
  readonly status: 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED' | 'FAILED';
  /** Why it is pending or declined, such as `PENDING_REVIEW`. */
  readonly reason: string | null;
  readonly money: Money;
  readonly fee: Money | null;
  readonly customId: string | null;
  readonly invoiceId: string | null;
  /** Null where PayPal does not say. */
  readonly orderId: string | null;
}

export const capture = z
  .looseObject({
    id: z.string().min(1),
    status: z.enum(['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED', 'FAILED']),
    status_details: z.looseObject({ reason: z.string().optional() }).optional(),
    amount: amountV2,
    seller_receivable_breakdown: z.looseObject({ paypal_fee: amountV2.optional() }).optional(),
    custom_id: z.string().optional(),
    invoice_id: z.string().optional(),
    supplementary_data: z
      .looseObject({ related_ids: z.looseObject({ order_id: z.string().optional() }).optional() })
      .optional(),
    links: z.array(link).default([]),
  })
  .transform(
    (told): PayPalCapture => ({
      id: told.id,
      status: told.status,
      reason: told.status_details?.reason ?? null,
      money: told.amount,
      fee: told.seller_receivable_breakdown?.paypal_fee ?? null,
      customId: told.custom_id ?? null,
      invoiceId: told.invoice_id ?? null,
      orderId:
        told.supplementary_data?.related_ids?.order_id ??
        /\/checkout\/orders\/([A-Z\d]+)$/.exec(told.links.find(({ rel }) => rel === 'up')?.href ?? '')?.[1] ??
        null,
    }),
  );

/** What became of a capture. `unknown` is no failure: repeat it with the same id, or read the order. */
export type CaptureOutcome =
  | { readonly kind: 'completed'; readonly capture: PayPalCapture }
  | { readonly kind: 'pending'; readonly reason: string; readonly capture: PayPalCapture }
  | { readonly kind: 'declined'; readonly issue: string; readonly redirectUrl: string | null }
  | { readonly kind: 'alreadyCaptured' }
  | { readonly kind: 'unknown'; readonly error: Error };

export interface PayPalRefund {
  readonly id: string;
  readonly status: 'COMPLETED' | 'PENDING' | 'FAILED' | 'CANCELLED';
  /** Null where PayPal does not say. */
  readonly money: Money | null;
  /** All that had gone back of the payment by then, this refund included. Null where PayPal does not say. */
  readonly total: Money | null;
}

export const refund = z
  .looseObject({
    id: z.string().min(1),
    status: z.enum(['COMPLETED', 'PENDING', 'FAILED', 'CANCELLED']),
    amount: amountV2.optional(),
    // A hint only: without it the refund itself is as good.
    seller_payable_breakdown: z.looseObject({ total_refunded_amount: amountV2.optional() }).optional().catch(undefined),
  })
  .transform(
    ({ id, status, amount, seller_payable_breakdown: breakdown }): PayPalRefund => ({
      id,
      status,
      money: amount ?? null,
      total: breakdown?.total_refunded_amount ?? null,
    }),
  );

export interface PayPalOrder {
  readonly id: string;
  readonly status: 'CREATED' | 'SAVED' | 'APPROVED' | 'VOIDED' | 'COMPLETED' | 'PAYER_ACTION_REQUIRED';
  /** Page at which the buyer approves; null once that is not needed. */
  readonly approveUrl: string | null;
  readonly money: Money | null;
  readonly customId: string | null;
  readonly invoiceId: string | null;
  /** What became of its capture; null while there is none. COMPLETED of the order itself does not mean money. */
  readonly outcome: CaptureOutcome | null;
  /** All that went back, also by hand at PayPal. */
  readonly refunds: readonly PayPalRefund[];
}

export const order = z
  .looseObject({
    id: z.string().regex(/^[A-Z\d]{1,36}$/),
    status: z.enum(['CREATED', 'SAVED', 'APPROVED', 'VOIDED', 'COMPLETED', 'PAYER_ACTION_REQUIRED']),
    purchase_units: z
      .array(
        z.looseObject({
          amount: amountV2.optional(),
          custom_id: z.string().optional(),
          invoice_id: z.string().optional(),
          payments: z
            .looseObject({ captures: z.array(capture).optional(), refunds: z.array(refund).optional() })
            .optional(),
        }),
      )
      .default([]),
    links: z.array(link).default([]),
  })
  .transform(({ id, status, purchase_units: [unit], links }): PayPalOrder => {
    const captures = unit?.payments?.captures ?? [];
    const taken = captures.find(({ status }) => status !== 'DECLINED' && status !== 'FAILED') ?? captures.at(-1);
    return {
      id,
      status,
      approveUrl: links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href ?? null,
      money: unit?.amount ?? null,
      customId: unit?.custom_id ?? taken?.customId ?? null,
      invoiceId: unit?.invoice_id ?? taken?.invoiceId ?? null,
      outcome: taken ? outcomeOf({ ...taken, orderId: taken.orderId ?? id }) : null,
      refunds: unit?.payments?.refunds ?? [],
    };
  });

function outcomeOf(taken: PayPalCapture): CaptureOutcome {
  switch (taken.status) {
    case 'DECLINED':
    case 'FAILED':
      return { kind: 'declined', issue: taken.reason ?? taken.status, redirectUrl: null };
    case 'PENDING':
      return { kind: 'pending', reason: taken.reason ?? 'OTHER', capture: taken };
    default:
      // A refund later on does not unmake the payment.
      return { kind: 'completed', capture: taken };
  }
}

/** What became of a refund. `unknown` is no failure: repeat it with the same id. */
export type RefundOutcome =
  | { readonly kind: 'completed' | 'pending'; readonly refund: PayPalRefund }
  | { readonly kind: 'refused'; readonly issue: string }
  | { readonly kind: 'unknown'; readonly error: Error };

export interface PayPalSubscription {
  readonly id: string;
  readonly status: 'APPROVAL_PENDING' | 'APPROVED' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';
  readonly planId: string;
  readonly customId: string | null;
  /** Null once it is not needed. */
  readonly approveUrl: string | null;
  readonly nextBillingAt: Date | null;
  readonly lastPayment: { readonly money: Money; readonly at: Date } | null;
  /** What failed payments left open. */
  readonly outstanding: Money | null;
  readonly failedPayments: number;
}

export const subscription = z
  .looseObject({
    id: z.string().min(1),
    status: z.enum(['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']),
    plan_id: z.string().default(''),
    custom_id: z.string().optional(),
    links: z.array(link).default([]),
    billing_info: z
      .looseObject({
        outstanding_balance: amountV2.optional(),
        last_payment: z.looseObject({ amount: amountV2, time }).optional(),
        next_billing_time: time.optional(),
        failed_payments_count: z.number().default(0),
      })
      .optional(),
  })
  .transform(
    ({ id, status, plan_id, custom_id, links, billing_info: billing }): PayPalSubscription => ({
      id,
      status,
      planId: plan_id,
      customId: custom_id ?? null,
      approveUrl: links.find(({ rel }) => rel === 'approve')?.href ?? null,
      nextBillingAt: billing?.next_billing_time ?? null,
      lastPayment: billing?.last_payment ? { money: billing.last_payment.amount, at: billing.last_payment.time } : null,
      outstanding: billing?.outstanding_balance ?? null,
      failedPayments: billing?.failed_payments_count ?? 0,
    }),
  );

export interface PayPalTransaction {
  readonly id: string;
  readonly status: 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED';
  readonly money: Money | null;
  readonly at: Date;
}

export const transaction = z
  .looseObject({
    id: z.string().min(1),
    status: z.enum(['COMPLETED', 'DECLINED', 'PARTIALLY_REFUNDED', 'PENDING', 'REFUNDED']),
    amount_with_breakdown: z.looseObject({ gross_amount: amountV2 }).optional(),
    time,
  })
  .transform(
    ({ id, status, amount_with_breakdown: amount, time: at }): PayPalTransaction => ({
      id,
      status,
      money: amount?.gross_amount ?? null,
      at,
    }),
  );

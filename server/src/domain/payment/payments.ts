import {
  ApiError,
  type api,
  type InputOf,
  LIMITS,
  type OutputOf,
  type PaymentInfo,
  type PayResult,
} from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { hashOf } from './at-sunpay.ts';
import { askProvider, checkPayment } from './check.ts';
import { pending } from './create.ts';
import { failureOf, NOT_STARTED } from './failure.ts';
import { CURRENCY_OF, idOfTd, methodOf, nameOf, PROVIDERS, tdOf } from './offers.ts';
import {
  countForgery,
  findAllSold,
  findByFormHash,
  findPayment,
  findPaymentBy,
  listOwnPayments,
  type PaymentName,
  type PaymentRow,
  type Sold,
  spendForm,
} from './payment.sql.ts';
import { isCancellable, settle } from './settle.ts';

/** How often the provider is asked for a buyer who waits. */
const ASK_EVERY_MS = 5000;
/** The signed fields of route 2 are valid for this long. */
const FORM_MS = 120_000;
const { success, failure, orderCreated } = LIMITS.paymentResult;

export async function listPaymentMethods(context: Context): Promise<OutputOf<typeof api.paymentMethods>> {
  return (['paypal', 'card'] as const)
    .filter((method) => context[PROVIDERS[method]] !== null)
    .map((method) => ({
      method,
      currency: CURRENCY_OF[PROVIDERS[method]],
      sandbox: context.settings.testPayments.includes(PROVIDERS[method]),
    }));
}

/**
 * Returns a payment of the caller by its td, its order, or its order at the provider.
 * @throws ApiError `noOrder`, for an unknown one and for another member's
 */
export async function getOwnPayment(context: Context, actor: Actor, name: string): Promise<PaymentRow> {
  const id = idOfTd(name);
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name);
  const names: PaymentName[] = id
    ? [{ id }]
    : isUuid
      ? [{ orderId: name }]
      : [{ providerOrderId: name }, { captureId: name }];
  for (const one of names) {
    const payment = await findPaymentBy(context.db, one);
    if (payment && payment.userId === signedIn(actor).userId) return payment;
  }
  throw new ApiError('noOrder');
}

/** Returns a payment as the server knows it; one that is not decided is asked about at the provider. */
export async function getPayment(
  context: Context,
  actor: Actor,
  { td }: { readonly td: string },
): Promise<PaymentInfo> {
  const payment = await getOwnPayment(context, actor, td);
  if (isOpen(payment)) await tryToCheck(context, payment, ASK_EVERY_MS);
  return presentOne(context, actor, payment.id);
}

const isOpen = ({ state }: PaymentRow) => state === 'created' || state === 'pending' || state === 'paid';

/** The state in the database is the answer where the provider does not answer. */
async function tryToCheck(context: Context, { id }: PaymentRow, everyMs: number): Promise<void> {
  try {
    await checkPayment(context, id, everyMs);
  } catch (error) {
    context.log.warn({ err: error, paymentId: id }, 'The provider of a payment could not be asked');
  }
}

export function listPayments(
  context: Context,
  actor: Actor,
  { page }: InputOf<typeof api.payments>,
): Promise<Page<PaymentInfo>> {
  const { userId } = signedIn(actor);
  return paged({
    cursor: page,
    read: (request) => listOwnPayments(context.db, userId, request),
    positionOf: (row) => row,
    present: (rows) => presentAll(context, actor, rows),
  });
}

/**
 * Gives up a payment that nobody approved, one by a code, or one that waits for an operator.
 * @throws ApiError `noOrder`, `paymentPending`
 */
export async function cancelPayment(
  context: Context,
  actor: Actor,
  { td }: { readonly td: string },
): Promise<PaymentInfo> {
  const payment = await getOwnPayment(context, actor, td);
  if (payment.state === 'pending' && !isCancellable(payment)) throw pending();
  const settled = await settle(context, payment.id, [{ kind: 'expired', byBuyer: true }]);
  // Its capture began meanwhile.
  if (settled?.state === 'pending') throw pending();
  return presentOne(context, actor, payment.id);
}

/**
 * Captures what was approved at PayPal, and answers what became of it. Order, amount and result come from PayPal [A67]; a
 * caller who claims money of which it knows nothing is only written down. Any number of calls at once capture once [A58].
 * @throws ApiError `noOrder`
 */
export async function checkoutOrder(
  context: Context,
  actor: Actor,
  { resourceId, capture_status: claimed }: InputOf<typeof api.checkout_order>,
): Promise<OutputOf<typeof api.checkout_order>> {
  const payment = await getOwnPayment(context, actor, resourceId);
  let isKnown = true;
  if (isOpen(payment)) {
    try {
      await askProvider(context, payment);
    } catch (error) {
      isKnown = false;
      context.log.warn({ err: error, paymentId: payment.id }, 'The provider of a payment could not be asked');
    }
  }
  const { td, state, transaction_id, pay_result } = await presentOne(context, actor, payment.id);
  if (isKnown && payment.provider === 'paypal' && claimed.toUpperCase() === 'COMPLETED')
    await judgeClaim(context, payment.id, state);
  return { td, state, transaction_id, pay_result };
}

/** Counts a claim of the browser that money came, where the provider says that none did. Nothing else comes of it. */
async function judgeClaim(context: Context, paymentId: string, state: PaymentRow['state']): Promise<void> {
  if (state !== 'created' && state !== 'failed' && state !== 'expired') return;
  context.log.warn({ paymentId, state }, 'A caller claims a payment that was not made');
  await countForgery(context.db, 'claim', context.clock.now());
}

/**
 * Confirms that the payment of an order was verified, or gives up one that nobody paid. Never grants or takes anything.
 * @throws ApiError `noOrder`, `paymentPending`, `transactionFailed`
 */
export async function setSubscriptionAvailability(
  context: Context,
  actor: Actor,
  { order_id, is_available }: InputOf<typeof api.setSubscriptionAvailability>,
): Promise<OutputOf<typeof api.setSubscriptionAvailability>> {
  const payment = await getOwnPayment(context, actor, order_id);
  if (isOpen(payment)) await tryToCheck(context, payment, ASK_EVERY_MS);
  let { state } = (await findPayment(context.db, payment.id)) ?? payment;
  if (!is_available && state === 'created') {
    // Its capture may have begun meanwhile.
    state = (await settle(context, payment.id, [{ kind: 'expired', byBuyer: true }]))?.state ?? state;
  }
  if (state === 'granted') return { order_id, is_available: true };
  if (state === 'pending' || state === 'paid') throw pending();
  if (!is_available) return { order_id, is_available: false };
  await judgeClaim(context, payment.id, state);
  throw new ApiError('transactionFailed');
}

/**
 * Sends the signed fields of a first payment by token to the card provider: those that were given to the caller, once.
 * @throws ApiError `transactionFailed`, `paymentMethodUnavailable`
 */
export async function sendSunPayToken(
  context: Context,
  actor: Actor,
  fields: InputOf<typeof api.sunpayToken>,
): Promise<OutputOf<typeof api.sunpayToken>> {
  const { db, clock, log, sunpay } = context;
  if (!sunpay) throw new ApiError('paymentMethodUnavailable');
  const hash = hashOf(fields);
  const payment = await findByFormHash(db, signedIn(actor).userId, hash);
  const isFresh = payment?.formAt && clock.now().getTime() - payment.formAt.getTime() <= FORM_MS;
  if (!payment || !isFresh || payment.state !== 'created' || !(await spendForm(db, payment.id, hash))) {
    log.warn({ paymentId: payment?.id ?? null }, 'Fields of a card payment were refused');
    throw new ApiError('transactionFailed');
  }
  const answer = await sunpay.requestToken(fields);
  if (answer.state === 'accepted') {
    return { code: answer.code, result: { pay_code: answer.payCode, trade_no: answer.tradeNo } };
  }
  if (answer.state === 'refused') {
    await settle(context, payment.id, [{ kind: 'declined', code: `${NOT_STARTED}:${answer.code}` }]);
    return { code: answer.code, result: null };
  }
  // Nobody has seen the page, so that nothing is paid; the buyer begins again.
  return { code: '99', result: null };
}

export async function presentOne(context: Context, actor: Actor, id: string): Promise<PaymentInfo> {
  const row = await findPayment(context.db, id);
  const [info] = row ? await presentAll(context, actor, [row]) : [];
  if (!info) throw new ApiError('noOrder');
  return info;
}

async function presentAll({ db }: Context, actor: Actor, rows: readonly PaymentRow[]): Promise<PaymentInfo[]> {
  const sold = await findAllSold(
    db,
    rows.map(({ offerId }) => offerId),
  );
  return rows.flatMap((row) => {
    const offer = sold.get(row.offerId);
    return offer ? [present(row, offer, actor.language)] : [];
  });
}

function present(row: PaymentRow, sold: Sold, language: Actor['language']): PaymentInfo {
  const { offer } = sold;
  return {
    td: tdOf(row),
    order_id: row.orderId,
    state: row.state,
    pay_result: payResultOf(row),
    transaction_id: row.providerCaptureId,
    method: methodOf(row.provider),
    offer_id: offer.id,
    kind: offer.kind,
    product_id: offer.productId,
    plan_id: offer.planId,
    points: offer.points,
    name: nameOf(sold, language),
    costs: row.amount,
    currency: row.currency,
    refunded: row.refunded,
    awaits_code: row.state === 'pending' && row.pendingReason === 'code',
    failure: failureOf(row),
    date: row.createdAt.toISOString(),
  };
}

function payResultOf({ state }: PaymentRow): PayResult {
  switch (state) {
    case 'granted':
      return success;
    case 'failed':
    case 'expired':
    case 'refunded':
      return failure;
    default:
      return orderCreated;
  }
}

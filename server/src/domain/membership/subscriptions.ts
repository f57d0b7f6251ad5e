import { anchorDayOf } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { findUserForUpdate, updateUser } from '../user/user.sql.ts';
import {
  findLiveSubscription,
  findSubscription,
  insertSubscription,
  listRunOut,
  type OfferRow,
  type SubscriptionRow,
  type Target,
  updateSubscription,
} from './membership.sql.ts';
import { extended } from './period.ts';

type Parts = Pick<Context, 'ids' | 'clock'>;

/** What was paid for, and how. */
export interface Grant {
  readonly userId: string;
  readonly offer: Pick<OfferRow, 'id' | 'kind' | 'planId' | 'productId' | 'period'>;
  readonly provider: NonNullable<SubscriptionRow['provider']>;
  readonly paidAt: Date;
  /** Whether the next month is charged by itself. */
  readonly renews: boolean;
  /** The subscription at PayPal. */
  readonly providerRef?: string | null;
  /** The card at SunPay, encrypted. */
  readonly token?: string | null;
}

export interface Granted {
  readonly subscription: SubscriptionRow;
  /** Another plan, which ended with this: whoever charges it has to stop. */
  readonly replaced: SubscriptionRow | null;
}

/**
 * Gives a member what was paid for, in the transaction that records the payment. More months of what they have follow
 * those that are paid already; a suspended plan is restored at once. Another plan takes the place of the present one.
 * Calling it twice grants twice: the caller claims the payment first.
 */
export async function grantSubscription(parts: Parts, tx: Tx, grant: Grant): Promise<Granted> {
  const { userId, offer, paidAt, renews, provider, providerRef = null, token = null } = grant;
  const target = targetOf(offer);
  const { planId, productId } = offer;
  const months = offer.period ?? 1;
  await lock(tx, userId);
  const live = await findLiveSubscription(tx, userId, target);
  const isSame = live !== undefined && live.planId === planId;
  const paid = {
    offerId: offer.id,
    state: 'active',
    renews,
    cancelAtEnd: false,
    provider,
    providerRef,
    token,
  } as const;
  if (live && isSame) {
    // What has no end does not get one by paying.
    const period = live.paidUntil === null ? {} : extended(live, months, paidAt);
    const subscription = await updateSubscription(tx, live.id, { ...paid, ...period, ...checkAhead(live, paidAt) });
    await restore(tx, subscription);
    return { subscription, replaced: null };
  }
  const replaced = live ? await end(parts, tx, live) : null;
  const base = { id: parts.ids.uuid(), userId, kind: target.kind, planId, productId, createdAt: paidAt };
  const subscription = await insertSubscription(tx, { ...base, ...paid, ...extended(null, months, paidAt) });
  return { subscription, replaced };
}

/**
 * Adds paid months to a subscription, by default one, and restores a suspended one. One that has ended stays ended: null.
 */
export async function renewSubscription(
  tx: Tx,
  id: string,
  { paidAt, months = 1 }: { readonly paidAt: Date; readonly months?: number },
): Promise<SubscriptionRow | null> {
  const row = await lockSubscription(tx, id);
  if (!row || row.state === 'ended') return null;
  const period = row.paidUntil === null ? {} : extended(row, months, paidAt);
  const renewed = await updateSubscription(tx, id, { state: 'active', ...period, ...checkAhead(row, paidAt) });
  await restore(tx, renewed);
  return renewed;
}

/**
 * PayPal charges what is paid ahead all the same, and may fail to: it is asked when what was paid before has passed, not only
 * when all is over.
 */
function checkAhead({ nextCheckAt, paidUntil }: SubscriptionRow, paidAt: Date): Pick<SubscriptionRow, 'nextCheckAt'> {
  return { nextCheckAt: nextCheckAt ?? (paidUntil !== null && paidUntil > paidAt ? paidUntil : null) };
}

/** Gives a plan without payment and without an end, until an operator ends it. */
export async function giveComplimentaryPlan(
  parts: Parts,
  tx: Tx,
  { userId, planId }: { readonly userId: string; readonly planId: number },
): Promise<Granted> {
  await lock(tx, userId);
  const live = await findLiveSubscription(tx, userId, { kind: 'plan' });
  const replaced = live ? await end(parts, tx, live) : null;
  return { subscription: await insertFree(parts, tx, { userId, kind: 'plan', planId }), replaced };
}

/** Saves a free product. Returns the subscription that the member has now, which may be an earlier one. */
export async function saveFree(
  parts: Parts,
  tx: Tx,
  { userId, productId }: { readonly userId: string; readonly productId: number },
): Promise<SubscriptionRow> {
  await lock(tx, userId);
  const live = await findLiveSubscription(tx, userId, { kind: 'product', productId });
  if (live && (live.paidUntil === null || live.paidUntil > parts.clock.now())) return live;
  // A paid one that has just run out.
  if (live) await end(parts, tx, live);
  return insertFree(parts, tx, { userId, kind: 'product', productId });
}

function insertFree(
  { ids, clock }: Parts,
  tx: Tx,
  what: Pick<SubscriptionRow, 'userId' | 'kind'> & { readonly planId?: number; readonly productId?: number },
): Promise<SubscriptionRow> {
  const createdAt = clock.now();
  return insertSubscription(tx, {
    ...what,
    id: ids.uuid(),
    state: 'active',
    anchorDay: anchorDayOf(createdAt),
    createdAt,
  });
}

/** Ends a subscription now. A repeated call changes nothing. */
export async function endSubscription(parts: Parts, tx: Tx, id: string): Promise<void> {
  const row = await lockSubscription(tx, id);
  if (row && row.state !== 'ended') await end(parts, tx, row);
}

/** Decides whether a subscription ends with what is paid; one that has ended stays so. */
export async function setCancelAtEnd(tx: Tx, id: string, cancelAtEnd: boolean): Promise<void> {
  const row = await lockSubscription(tx, id);
  if (row && row.state !== 'ended') await updateSubscription(tx, id, { cancelAtEnd });
}

/** Suspends a plan whose payment failed, until it is paid. What the member stores is kept. */
export async function suspendSubscription({ clock }: Parts, tx: Tx, id: string): Promise<void> {
  const row = await lockSubscription(tx, id);
  if (row?.state !== 'active') return;
  await updateSubscription(tx, id, { state: 'suspended' });
  if (row.kind === 'plan') await updateUser(tx, row.userId, { suspendedAt: clock.now() });
}

/** Ends what has run out and is not charged again. */
export async function endRunOut(context: Context): Promise<void> {
  const { db, clock } = context;
  const next = () => listRunOut(db, clock.now(), BATCH);
  for (let rows = await next(); rows.length > 0; rows = await next())
    for (const { id } of rows)
      await db.transaction(async (tx) => {
        const row = await lockSubscription(tx, id);
        // It was paid, kept or ended meanwhile.
        const isOver = row?.paidUntil && row.paidUntil <= clock.now() && (!row.renews || row.cancelAtEnd);
        if (isOver && row.state !== 'ended') await end(context, tx, row);
      });
}
const BATCH = 100;

async function end({ clock }: Pick<Parts, 'clock'>, tx: Tx, row: SubscriptionRow): Promise<SubscriptionRow> {
  const ended = await updateSubscription(tx, row.id, {
    ...{ state: 'ended', endedAt: clock.now(), renews: false, nextCheckAt: null },
  });
  await restore(tx, ended);
  return ended;
}

/** A member is suspended for a plan that is not paid: neither without a plan nor with a paid one. */
async function restore(tx: Tx, { kind, userId }: SubscriptionRow): Promise<void> {
  if (kind === 'plan') await updateUser(tx, userId, { suspendedAt: null });
}

/** One after the other for each member, so that nobody has two plans, or one product twice. */
async function lock(tx: Tx, userId: string): Promise<void> {
  if (!(await findUserForUpdate(tx, userId))) throw new Error(`The member ${userId} is gone`);
}

/** Locks the member first, as every change does, so that two changes never wait for each other. */
async function lockSubscription(tx: Tx, id: string): Promise<SubscriptionRow | undefined> {
  const row = await findSubscription(tx, id);
  if (!row || !(await findUserForUpdate(tx, row.userId))) return undefined;
  return findSubscription(tx, id);
}

function targetOf({ kind, productId }: Grant['offer']): Target {
  if (kind === 'plan') return { kind };
  if (kind === 'product' && productId !== null) return { kind, productId };
  throw new Error(`Points are no subscription, and neither is an offer of ${kind} without its thing`);
}

import { ApiError, type api, type InputOf, inEveryLanguage, type ManagedOffer } from '@framelift/contract';
import { and, eq } from 'drizzle-orm';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/open.ts';
import { offers } from '../../platform/db/schema.ts';
import { ADMIN_PAGE_SIZE, type Page, pagedByPlace } from '../../platform/paging.ts';
import { changedFields } from './changed-fields.ts';
import {
  findOfferForUpdate,
  findPlanForUpdate,
  findProductForUpdate,
  insertOffer,
  listManagedOfferRows,
  type OfferRow,
  updateOffer,
} from './shop.sql.ts';

type Input = InputOf<typeof api.setOffer>;

/** Plans renew every month. */
const PLAN_MONTHS = 1;

/** Returns a page of offers, archived ones too. @throws ApiError `invalidInput` for an invalid cursor */
export function listManagedOffers(
  { db }: Context,
  { page, kind, product_id: productId, plan_id: planId }: InputOf<typeof api.managedOffers>,
): Promise<Page<ManagedOffer>> {
  const where = and(
    kind && eq(offers.kind, kind),
    productId === undefined ? undefined : eq(offers.productId, productId),
    planId === undefined ? undefined : eq(offers.planId, planId),
  );
  return pagedByPlace({
    cursor: page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listManagedOfferRows(db, where, request),
    positionOf: (row) => row,
    present: (rows) => rows.map(present),
  });
}

/**
 * Changes an offer, or adds one. What was paid for an offer stays with it: where its terms change, it is archived, and the
 * one with the new terms is returned.
 * @throws ApiError `offerNotFound`, also for one that is of something else; `productNotFound`, `planNotFound`
 */
export async function setOffer(context: Context, auditActor: AuditActor, input: Input): Promise<ManagedOffer> {
  const { db, clock } = context;
  return db.transaction(async (tx) => {
    const terms = await termsOf(tx, input);
    const { name, icon, content, position } = input;
    const shown = { name, icon, content, position };
    const before = input.id === null ? null : await findOfferForUpdate(tx, input.id);
    const { kind, productId, planId } = terms;
    if (before === undefined || (before && !isOf(before, { kind, productId, planId })))
      throw new ApiError('offerNotFound');
    const now = clock.now();
    const isNew = !before || changedFields(before, terms) !== null;
    const after = isNew
      ? await insertOffer(tx, { ...terms, ...shown, archivedAt: before?.archivedAt ?? null, createdAt: now })
      : await updateOffer(tx, before.id, shown);
    if (before && isNew) await updateOffer(tx, before.id, { archivedAt: before.archivedAt ?? now });
    const changes = changedFields(before ?? {}, { ...terms, ...shown });
    if (changes) await writeAudit(context, tx, auditActor, { action: 'offer', target: targetOf(after), ...changes });
    return present(after);
  });
}

/** Takes an offer off the shelf, or puts it back. @throws ApiError `offerNotFound` */
export async function archiveOffer(
  context: Context,
  auditActor: AuditActor,
  { id, archived }: InputOf<typeof api.archiveOffer>,
): Promise<ManagedOffer> {
  return context.db.transaction(async (tx) => {
    const before = await findOfferForUpdate(tx, id);
    if (!before) throw new ApiError('offerNotFound');
    if (archived === (before.archivedAt !== null)) return present(before);
    const after = await updateOffer(tx, id, { archivedAt: archived ? context.clock.now() : null });
    const changes = { before: { archived: !archived }, after: { archived } };
    await writeAudit(context, tx, auditActor, { action: 'offer', target: targetOf(after), ...changes });
    return present(after);
  });
}

const targetOf = ({ id }: OfferRow) => `offer-${id}`;

/** What was paid for: it never changes. */
type Terms = Pick<OfferRow, 'kind' | 'productId' | 'planId' | 'points' | 'priceUsd' | 'priceTwd' | 'period'>;

/** @throws ApiError `productNotFound`, `planNotFound` */
async function termsOf(tx: Tx, input: Input): Promise<Terms> {
  const { kind, price_usd: priceUsd, price_twd: priceTwd } = input;
  const none = { kind, productId: null, planId: null, points: null, priceUsd, priceTwd, period: null };
  if (input.kind === 'points') return { ...none, points: input.points };
  if (input.kind === 'plan') {
    if (!(await findPlanForUpdate(tx, input.plan_id))) throw new ApiError('planNotFound');
    return { ...none, planId: input.plan_id, period: PLAN_MONTHS };
  }
  if (!(await findProductForUpdate(tx, input.product_id))) throw new ApiError('productNotFound');
  return { ...none, productId: input.product_id, period: input.period };
}

const isOf = (row: OfferRow, { kind, productId, planId }: Pick<Terms, 'kind' | 'productId' | 'planId'>): boolean =>
  row.kind === kind && row.productId === productId && row.planId === planId;

function present(row: OfferRow): ManagedOffer {
  const { id, kind, points, name, icon, content, period, position } = row;
  return {
    id,
    kind,
    product_id: row.productId,
    plan_id: row.planId,
    points,
    name: name && inEveryLanguage(name, ''),
    icon,
    content: inEveryLanguage(content, []),
    price_usd: row.priceUsd,
    price_twd: row.priceTwd,
    period,
    position,
    archived_at: row.archivedAt?.toISOString() ?? null,
  };
}

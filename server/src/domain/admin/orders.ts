import { ApiError, type api, type InputOf, type ManagedOrder, ORDER_TYPE, type OutputOf } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Queries } from '../../platform/db/open.ts';
import { ADMIN_PAGE_SIZE, type Page, paged } from '../../platform/paging.ts';
import { findOwnMedia, insertOrder } from '../media/media.sql.ts';
import { receiveUpload } from '../media/upload/finish-upload.ts';
import { announceUpload } from '../media/upload/request-upload.ts';
import { findMember } from '../user/user.sql.ts';
import { findOnSiteOrder, listManagedOrderRows } from './operations.sql.ts';

type Row = Awaited<ReturnType<typeof listManagedOrderRows>>[number];

/** Returns a page of the orders of all members. @throws ApiError `invalidInput` for an invalid cursor */
export function listManagedOrders(
  { db }: Context,
  { page, ...filter }: InputOf<typeof api.managedOrders>,
): Promise<Page<ManagedOrder>> {
  return paged({
    cursor: page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listManagedOrderRows(db, filter, request),
    positionOf: ({ order }) => order,
    present: (rows) => rows.map(present),
  });
}

/** Creates an order for a member, to which files are uploaded afterwards. @throws ApiError `userNotFound` */
export async function createOnSiteOrder(
  context: Context,
  auditActor: AuditActor,
  { email, name }: InputOf<typeof api.createOnSiteOrder>,
): Promise<ManagedOrder> {
  const id = context.ids.uuid();
  return context.db.transaction(async (tx) => {
    const member = await findMember(tx, email);
    if (!member) throw new ApiError('userNotFound');
    const price = { costs: 0, currency: 'points' };
    const createdAt = context.clock.now();
    await insertOrder(tx, { id, ownerId: member.id, type: ORDER_TYPE.onSite, name, ...price, createdAt });
    await writeAudit(context, tx, auditActor, { action: 'order.onSite', subjectId: member.id });
    return present(await getOnSiteOrder(tx, id));
  });
}

/** Announces one file of an order. @throws ApiError `noOrder`, and those of `requestUploadMedia` */
export async function requestOnSiteUpload(
  context: Context,
  { actor }: AuditActor,
  { order_id: onSiteOrderId, ...input }: InputOf<typeof api.requestOnSiteUpload>,
): Promise<OutputOf<typeof api.requestOnSiteUpload>> {
  const { order } = await getOnSiteOrder(context.db, onSiteOrderId);
  return announceUpload(context, actor, { id: order.ownerId, onSiteOrderId }, { ...input, type: ORDER_TYPE.onSite });
}

/** Stores an uploaded file of an order. Idempotent. @throws ApiError `noOrder`, and those of `setMediaS3UploadFinish` */
export async function finishOnSiteUpload(
  context: Context,
  { order_id: orderId, id }: InputOf<typeof api.finishOnSiteUpload>,
): Promise<ManagedOrder> {
  const { order } = await getOnSiteOrder(context.db, orderId);
  const view = await findOwnMedia(context.db, order.ownerId, id);
  if (view?.media.orderId !== orderId || view.media.deletedAt) throw new ApiError('mediaNotFound');
  if (view.media.uploadState === 'pending') await receiveUpload(context, view);
  return present(await getOnSiteOrder(context.db, orderId));
}

async function getOnSiteOrder(db: Queries, id: string): Promise<Row> {
  const row = await findOnSiteOrder(db, id);
  if (!row) throw new ApiError('noOrder');
  return row;
}

function present({ order: { id, name, type, createdAt }, owner, media, finished }: Row): ManagedOrder {
  return {
    id,
    name,
    type: type as ManagedOrder['type'],
    createdAt: createdAt.toISOString(),
    member: owner,
    media,
    finished,
  };
}

import {
  ApiError,
  type api,
  type InputOf,
  LIMITS,
  MEDIA_TYPE,
  type OutputOf,
  type UploadLink,
} from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/open.ts';
import { type Page, paged } from '../../platform/paging.ts';
import { DAY_MS } from '../../platform/time.ts';
import { getActiveDeviceType, getDefaultEffect, presentDeviceType } from '../device-type/device-types.ts';
import { deletePending, lockOwner } from '../media/media.sql.ts';
import { finishUploadOfLink } from '../media/upload/finish-upload.ts';
import { deleteUpload } from '../media/upload/parts.ts';
import { announceUpload } from '../media/upload/request-upload.ts';
import {
  countUploadLinks,
  deleteOldLinks,
  findLinkWithOwner,
  findOwnLinkForUpdate,
  insertUploadLink,
  listPendingOfLink,
  listUploadLinkRows,
  type UploadLinkRow,
  updateUploadLink,
} from './upload-link.sql.ts';

interface ById {
  readonly id: string;
}

/** Purpose of the tokens. */
const PURPOSE = 'upload-link';
/** Revoking can be undone for this time. */
const UNDO_MS = DAY_MS;
/** Ended links are listed this long. */
const KEPT_MS = 30 * DAY_MS;

/** Returns a page of the caller's links, newest first. @throws ApiError `invalidInput` for an invalid cursor */
export async function listUploadLinks(
  context: Context,
  actor: Actor,
  { page }: InputOf<typeof api.uploadLinks>,
): Promise<Page<UploadLink>> {
  const { userId } = signedIn(actor);
  return paged({
    cursor: page,
    read: (request) => listUploadLinkRows(context.db, userId, request),
    positionOf: (row) => row,
    present: (rows) => rows.map((row) => present(context, row)),
  });
}

/** @throws ApiError `unknownDeviceType`, `tooManyUploadLinks` */
export async function createUploadLink(
  context: Context,
  actor: Actor,
  { name, device_type_id, days, max_uploads }: InputOf<typeof api.createUploadLink>,
): Promise<UploadLink> {
  const { db, ids, clock } = context;
  const { userId } = signedIn(actor);
  return db.transaction(async (tx) => {
    await getActiveDeviceType(tx, device_type_id);
    await refuseTooMany(tx, userId);
    const now = clock.now();
    const row = await insertUploadLink(tx, {
      id: ids.uuid(),
      ownerId: userId,
      name,
      deviceTypeId: device_type_id,
      maxUploads: max_uploads,
      createdAt: now,
      expiresAt: new Date(now.getTime() + days * DAY_MS),
    });
    return present(context, row);
  });
}

/**
 * Ends a link. Uploads that are on their way are refused from this commit on, because every step reads the link; then
 * they are deleted, so that they count no longer. A crash in between leaves them to the job that expires uploads.
 * @throws ApiError `uploadLinkNotFound`
 */
export async function revokeUploadLink(context: Context, actor: Actor, { id }: ById): Promise<ById> {
  const { db, clock } = context;
  await db.transaction(async (tx) => {
    const row = await findOwnLinkForUpdate(tx, signedIn(actor).userId, id);
    if (!row) throw new ApiError('uploadLinkNotFound');
    if (!row.revokedAt) await updateUploadLink(tx, id, clock.now());
  });
  for (const { id: mediaId, uploadKey } of await listPendingOfLink(db, id)) {
    if (uploadKey && (await deletePending(db, mediaId, uploadKey))) await deleteUpload(context, uploadKey);
  }
  return { id };
}

/** Undoes revokeUploadLink. Idempotent. @throws ApiError `uploadLinkNotFound`, `tooManyUploadLinks` */
export async function restoreUploadLink(context: Context, actor: Actor, { id }: ById): Promise<UploadLink> {
  const { userId } = signedIn(actor);
  const since = new Date(context.clock.now().getTime() - UNDO_MS);
  return context.db.transaction(async (tx) => {
    await lockOwner(tx, userId);
    const row = await findOwnLinkForUpdate(tx, userId, id);
    if (!row || (row.revokedAt && row.revokedAt <= since)) throw new ApiError('uploadLinkNotFound');
    if (row.revokedAt) {
      await refuseTooMany(tx, userId);
      await updateUploadLink(tx, id, null);
    }
    return present(context, row);
  });
}

/** Returns what a link is for. @throws ApiError `uploadLinkNotFound`, `uploadLinkEnded` */
export async function openUploadLink(
  context: Context,
  _actor: Actor,
  { token }: { readonly token: string },
): Promise<OutputOf<typeof api.openUploadLink>> {
  const { link, owner } = await openLink(context, token);
  const device = presentDeviceType(await getDevice(context, link));
  return {
    owner: owner.name,
    name: link.name,
    device: { id: device.id, name: device.name, ratio: device.ratio },
    left: Math.max(0, link.maxUploads - link.received),
    expires_at: link.expiresAt.toISOString(),
  };
}

/** Announces a picture in the name of the owner, as a member without VIP. @throws ApiError see the endpoint */
export async function announceLinkUpload(
  context: Context,
  actor: Actor,
  { token, sender, file, crop, ground, media_id, resume }: InputOf<typeof api.announceLinkUpload>,
): Promise<OutputOf<typeof api.announceLinkUpload>> {
  const { link } = await openLink(context, token);
  const device = await getDevice(context, link);
  const effect = await getDefaultEffect(context.db, device.id, MEDIA_TYPE.picture);
  const input: InputOf<typeof api.requestUploadMedia> = {
    originalDetails: file,
    deviceType: device.id,
    type: 0,
    media_type: MEDIA_TYPE.picture,
    effect_param_id: effect.id,
    ...(crop && { crop }),
    ...(ground && { ground }),
    ...(media_id !== undefined && { id: media_id }),
    ...(resume !== undefined && { resume }),
  };
  const owner = { id: link.ownerId, link: { id: link.id, sender } };
  return announceUpload(context, ownerOf(link, actor), owner, input).catch(throwToSender);
}

/** Gives a picture that was sent to the owner. A link that has expired still takes it. @throws ApiError see the endpoint */
export async function finishLinkUpload(
  context: Context,
  actor: Actor,
  { token, media_id }: InputOf<typeof api.finishLinkUpload>,
): Promise<{ media_id: string }> {
  const { link } = await findLink(context, token);
  await finishUploadOfLink(context, ownerOf(link, actor), { id: media_id, linkId: link.id }).catch(throwToSender);
  return { media_id };
}

/** What only the owner knows and can change: a sender learns no more than that the link takes nothing now. */
const OWNERS_AFFAIRS: readonly string[] = ['notEnoughPoints', 'notEnoughFreePoints', 'storageLimitReached'];

function throwToSender(error: unknown): never {
  const isOwners = error instanceof ApiError && OWNERS_AFFAIRS.includes(error.code);
  throw isOwners ? new ApiError('uploadLinkPaused', [], { cause: error }) : error;
}

/** Deletes links that ended long ago. */
export async function purgeUploadLinks({ db, clock }: Context): Promise<void> {
  await deleteOldLinks(db, new Date(clock.now().getTime() - KEPT_MS));
}

/** The owner, as whom a sender uploads. It never leaves this module. */
const ownerOf = ({ ownerId }: UploadLinkRow, { language }: Actor): Actor => ({
  kind: 'member',
  userId: ownerId,
  sessionId: null,
  language,
});

/**
 * Returns the link of a token. Unknown, forged and revoked ones, and those of accounts that are locked or about to be
 * deleted, cause the same error.
 * @throws ApiError `uploadLinkNotFound`
 */
async function findLink(context: Context, token: string) {
  const id = context.capabilities.idOf(PURPOSE, token);
  const found = id && (await findLinkWithOwner(context.db, id));
  if (!found || found.owner.restrictedAt || found.owner.deletionAt) throw new ApiError('uploadLinkNotFound');
  return found;
}

/** As findLink, of a link that has not expired. @throws ApiError `uploadLinkNotFound`, `uploadLinkEnded` */
async function openLink(context: Context, token: string) {
  const found = await findLink(context, token);
  if (found.link.expiresAt <= context.clock.now()) throw new ApiError('uploadLinkEnded');
  return found;
}

/** Returns the device type of a link. One that the operator has switched off ends the link. */
const getDevice = ({ db }: Context, { deviceTypeId }: UploadLinkRow) =>
  getActiveDeviceType(db, deviceTypeId).catch(() => {
    throw new ApiError('uploadLinkEnded');
  });

async function refuseTooMany(tx: Tx, userId: string): Promise<void> {
  await lockOwner(tx, userId);
  if ((await countUploadLinks(tx, userId)) >= LIMITS.uploadLinks.count) throw new ApiError('tooManyUploadLinks');
}

function present(context: Context, row: UploadLinkRow): UploadLink {
  const hasEnded = row.expiresAt <= context.clock.now() || row.received >= row.maxUploads;
  return {
    id: row.id,
    name: row.name,
    url: `${context.settings.publicUrl}/u/${context.capabilities.tokenOf(PURPOSE, row.id)}`,
    device_type_id: row.deviceTypeId,
    max_uploads: row.maxUploads,
    received: row.received,
    date: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    state: hasEnded ? 'ended' : 'open',
  };
}

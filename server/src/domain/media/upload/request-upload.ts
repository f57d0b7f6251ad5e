import {
  type AcceptedTypes,
  ApiError,
  acceptedTypes,
  type api,
  type InputOf,
  LIMITS,
  MEDIA_STATUS,
  MEDIA_TYPE,
  ORDER_TYPE,
  type OutputOf,
} from '@framelift/contract';
import { type Actor, isVip, signedIn } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Queries, Tx } from '../../../platform/db/open.ts';
import { refuseWithoutRoom } from '../../../platform/room.ts';
import { getActiveDeviceType, getChosenEffect, listDeviceTypes } from '../../device-type/device-types.ts';
import { type Quote, quoteConversion } from '../../points/prices.ts';
import { getFeatures } from '../../site/features.ts';
import { findCurrentPlan } from '../../user/current-plan.sql.ts';
import { mustSuit, smallestCrop } from '../edit/crop.ts';
import {
  countPending,
  countStored,
  findLinkForUpdate,
  findPendingForUpdate,
  insertMedia,
  lockOwner,
  updateMedia,
} from '../media.sql.ts';
import { requireRoom } from '../usage.ts';
import { checkAnnounced, cleanName } from './file-rules.ts';
import { deleteUpload, listArrived, partsOf } from './parts.ts';
import { linkLifetimeMs } from './upload-link.ts';

type Input = InputOf<typeof api.requestUploadMedia>;
type File = NonNullable<Input['originalDetails']>;

/**
 * Announces one file and returns the link to upload it to. Prices sent by the caller are ignored.
 * @throws ApiError see the endpoint
 */
export async function requestUpload(
  context: Context,
  actor: Actor,
  input: Input,
): Promise<OutputOf<typeof api.requestUploadMedia>> {
  return announceUpload(context, actor, { id: signedIn(actor).userId }, input);
}

/** For whom a file is uploaded. */
interface UploadOwner {
  readonly id: string;
  /** The order of pictures taken on site that it belongs to; without, each upload is an order of its own. */
  readonly onSiteOrderId?: string;
  /** The upload link of the owner by which it comes, and the name that its sender typed. */
  readonly link?: { readonly id: string; readonly sender: string };
}

/**
 * Announces a file that the caller uploads for an owner, who may be somebody else. The caller's permissions apply to the
 * choice, the owner's limits to the file.
 * @throws ApiError see `requestUploadMedia`
 */
export async function announceUpload(
  context: Context,
  actor: Actor,
  owner: UploadOwner,
  input: Input,
): Promise<OutputOf<typeof api.requestUploadMedia>> {
  const { db, clock, ids, storage } = context;
  const userId = owner.id;
  const accepted = acceptedTypes(await getFeatures(context));
  const file = input.originalDetails;
  if (!file) throw new ApiError('noImageSelected');
  const type = await checkFile(context, actor, input.media_type, file, accepted);
  const { crop } = input;
  mustSuit(crop, input.media_type);
  await refuseWithoutRoom(context.room, file.size);
  if ((await listDeviceTypes(context)).length === 0) throw new ApiError('no_device_registered');
  const device = await getActiveDeviceType(db, input.deviceType);
  const choice = { id: input.effect_param_id, deviceTypeId: device.id, mediaType: input.media_type };
  const effect = await getChosenEffect(db, actor, choice);
  if (crop && Math.min(crop.width, crop.height) < smallestCrop(input.media_type)) throw new ApiError('cropTooSmall');

  const now = clock.now();
  const expires = new Date(now.getTime() + linkLifetimeMs(file.size));
  const values = {
    name: cleanName(file.name),
    mediaType: input.media_type,
    // The other types cannot be claimed by an upload.
    orderType: owner.onSiteOrderId === undefined ? ORDER_TYPE.uploaded : ORDER_TYPE.onSite,
    orderId: owner.onSiteOrderId ?? null,
    deviceTypeId: device.id,
    effectParamId: effect.id,
    effect: effect.percent,
    crop: crop ?? null,
    ground: input.ground ?? null,
    pair: input.pair ?? null,
    uploadLinkId: owner.link?.id ?? null,
    senderName: owner.link?.sender ?? null,
    declaredSize: file.size,
    declaredType: type,
    uploadExpiresAt: expires,
    destination: input.to ?? null,
    ...(await quoteUpload(db, owner, { deviceTypeId: device.id, mediaType: input.media_type }, input)),
  };
  const { id, uploadKey, oldKey } = await db.transaction(async (tx) => {
    await lockOwner(tx, userId);
    // Only a pending one: the end of a conversion locks its media first, and then the owner whom it returns points to.
    const earlier = input.id === undefined ? null : await findPendingForUpdate(tx, userId, input.id);
    const linkId = owner.link?.id ?? null;
    const isOther = earlier && (earlier.uploadLinkId !== linkId || earlier.orderId !== values.orderId);
    if (earlier === undefined || isOther) throw new ApiError('mediaNotFound');

    const link = linkId === null ? null : await lockLink(tx, linkId);
    const pending = await countPending(tx, userId, now, { except: earlier?.id ?? null, linkId });
    if (link && link.received + pending.count >= link.maxUploads) throw new ApiError('uploadLinkFull');
    if (pending.count >= LIMITS.pendingUploads)
      throw new ApiError('tooManyPendingUploads', [], { retryAfter: secondsUntil(pending.firstEnd, now) });
    if (actor.kind === 'guest' && pending.count + (await countStored(tx, userId)) >= LIMITS.guest.uploads)
      throw new ApiError('guestUploadLimit');
    await requireRoom(context, tx, userId, values.declaredSize, earlier?.id ?? null);

    // The new key of a file that is sent from its beginning invalidates the links of the earlier attempt.
    const kept = input.resume && earlier?.declaredSize === values.declaredSize ? earlier.uploadKey : null;
    const key = kept ?? `uploads/${ids.uuid()}`;
    const row = { ...values, uploadKey: key };
    if (earlier) await updateMedia(tx, earlier.id, { ...row, status: MEDIA_STATUS.processing, deletedAt: null });
    const media = earlier ?? { id: ids.uuid(), uploadKey: null };
    if (!earlier) await insertMedia(tx, { ...row, id: media.id, ownerId: userId, createdAt: now });
    return { id: media.id, uploadKey: key, oldKey: media.uploadKey };
  });
  if (oldKey && oldKey !== uploadKey) await deleteUpload(context, oldKey);

  const arrived = oldKey === uploadKey ? await listArrived(storage, uploadKey) : new Map<string, number>();
  const whole = await storage.presignPut(uploadKey, { size: values.declaredSize, type, expires });
  const parts = await Promise.all(
    partsOf({ uploadKey, declaredSize: values.declaredSize }).map(async ({ key, size }) => {
      const link = key === uploadKey ? whole : await storage.presignPut(key, { size, type, expires });
      return { ...link, size, arrived: arrived.get(key) === size };
    }),
  );
  const { url: original, headers } = whole;
  return { media_id: id, original, cover: null, obj: null, headers, parts, expires_at: expires.toISOString() };
}

/**
 * Returns what the conversion will cost the owner. Pictures taken on site are paid for there. The number of points that
 * the caller sends is ignored; which field is sent chooses the kind.
 */
async function quoteUpload(
  db: Queries,
  owner: UploadOwner,
  what: { readonly deviceTypeId: number; readonly mediaType: number },
  { points, free_points }: Input,
): Promise<Quote> {
  if (owner.onSiteOrderId !== undefined) return { price: 0, payWith: null };
  const both = (points === undefined) === (free_points === undefined);
  const payWith = both ? null : points === undefined ? 'freePoints' : 'points';
  return quoteConversion(db, owner.id, { ...what, payWith });
}

/** Locks an upload link, so that its places are taken one after the other. @throws ApiError `uploadLinkNotFound` */
async function lockLink(tx: Tx, linkId: string) {
  const link = await findLinkForUpdate(tx, linkId);
  if (!link || link.revokedAt) throw new ApiError('uploadLinkNotFound');
  return link;
}

function secondsUntil(time: Date | null, now: Date): number {
  return Math.max(1, Math.ceil(((time ?? now).getTime() - now.getTime()) / 1000));
}

/** Returns the content type to upload with. Videos are for VIPs, and for members whose plan allows them. */
async function checkFile(
  { db, clock }: Context,
  actor: Actor,
  mediaType: Input['media_type'],
  file: File,
  accepted: AcceptedTypes,
): Promise<string> {
  if (mediaType === MEDIA_TYPE.picture) return checkAnnounced('picture', file, accepted);
  const plan = isVip(actor) ? undefined : await findCurrentPlan(db, signedIn(actor).userId, clock.now());
  if (!isVip(actor) && !plan?.videoSeconds) throw new ApiError('not_VIP');
  return checkAnnounced('video', file, accepted);
}

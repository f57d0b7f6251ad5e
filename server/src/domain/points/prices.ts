import {
  ApiError,
  type api,
  type ConversionPrice,
  type InputOf,
  MEDIA_TYPE,
  type PointKind,
} from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Queries, Tx } from '../../platform/db/open.ts';
import { findDeviceTypeRow } from '../device-type/device-type.sql.ts';
import { lockSetting } from '../site/site.sql.ts';
import { findUser, findUserForUpdate, type UserRow } from '../user/user.sql.ts';
import { findPrice, listPriceRows, writePrice } from './points.sql.ts';
import { changePoints, notEnough } from './points.ts';

/** Guests have no points, and operators sell nothing to themselves. */
const paysNothing = ({ kind, isAdmin }: UserRow) => kind === 'guest' || isAdmin;

/** Returns what conversions cost the caller. */
export async function listPrices({ db }: Context, actor: Actor): Promise<ConversionPrice[]> {
  const user = await findUser(db, signedIn(actor).userId);
  return user && !paysNothing(user) ? presentPrices(db) : [];
}

export interface Quote {
  readonly price: number;
  /** Null takes free points if they suffice, else points. */
  readonly payWith: PointKind | null;
}

/**
 * Returns what the conversion of an upload will cost its owner.
 * @throws ApiError `notEnoughPoints`, `notEnoughFreePoints` if they have too few now
 */
export async function quoteConversion(
  db: Queries,
  ownerId: string,
  what: { readonly deviceTypeId: number; readonly mediaType: number; readonly payWith: PointKind | null },
): Promise<Quote> {
  const { deviceTypeId, mediaType, payWith } = what;
  const owner = await findUser(db, ownerId);
  const price = !owner || paysNothing(owner) ? 0 : ((await findPrice(db, deviceTypeId, mediaType))?.points ?? 0);
  if (owner && price > 0) {
    const kind = kindToPay(owner, { price, payWith });
    if (owner[kind] < price) throw notEnough(kind);
  }
  return { price, payWith };
}

/**
 * Charges an accepted conversion, in the transaction that accepts it.
 * @returns the kind of points that was taken
 * @throws ApiError `notEnoughPoints`, `notEnoughFreePoints`
 */
export async function chargeConversion(
  context: Context,
  tx: Tx,
  conversion: Quote & { readonly id: string; readonly ownerId: string; readonly name: string },
): Promise<PointKind> {
  const { id: reference, ownerId: userId, name: note, price } = conversion;
  const owner = await findUserForUpdate(tx, userId);
  if (!owner) throw new Error(`A conversion of the unknown user ${userId}`);
  const kind = kindToPay(owner, conversion);
  await changePoints(context, tx, { userId, kind, amount: -price, reason: 'conversion', reference, note });
  return kind;
}

/** Returns the price of a conversion that came to nothing. */
export async function returnConversion(
  context: Context,
  tx: Tx,
  conversion: {
    readonly id: string;
    readonly ownerId: string;
    readonly name: string;
    readonly price: number;
    readonly kind: PointKind;
  },
): Promise<void> {
  const { id: reference, ownerId: userId, name: note, price: amount, kind } = conversion;
  await changePoints(context, tx, { userId, kind, amount, reason: 'conversionReturned', reference, note });
}

function kindToPay({ freePoints }: UserRow, { price, payWith }: Quote): PointKind {
  return payWith ?? (freePoints >= price ? 'freePoints' : 'points');
}

/** Returns the prices that an operator set. */
export function listConversionPrices({ db }: Context): Promise<ConversionPrice[]> {
  return presentPrices(db);
}

/** Sets or removes a price. @throws ApiError `unknownDeviceType` */
export async function setConversionPrice(
  context: Context,
  auditActor: AuditActor,
  { device_type_id: deviceTypeId, media_type: mediaType, points }: InputOf<typeof api.setConversionPrice>,
): Promise<ConversionPrice[]> {
  return context.db.transaction(async (tx) => {
    // One change at a time, so that two who set the same price do not both find none.
    await lockSetting(tx, 'prices', context.clock.now());
    const device = deviceTypeId === null ? null : await findDeviceTypeRow(tx, deviceTypeId);
    if (device === undefined) throw new ApiError('unknownDeviceType');
    const name = mediaType === MEDIA_TYPE.picture ? 'picture' : 'video';
    const before = await writePrice(tx, deviceTypeId, mediaType, points);
    if (before !== points)
      await writeAudit(context, tx, auditActor, {
        action: 'conversion.price',
        ...(device && { target: device.name }),
        before: { [name]: before },
        after: { [name]: points },
      });
    return presentPrices(tx);
  });
}

async function presentPrices(db: Queries): Promise<ConversionPrice[]> {
  const rows = await listPriceRows(db);
  return rows.map(({ deviceTypeId, mediaType, points }) => ({
    device_type_id: deviceTypeId,
    media_type: mediaType as ConversionPrice['media_type'],
    points,
  }));
}

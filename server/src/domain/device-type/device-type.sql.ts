import { and, asc, eq, isNull, max, or, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { deviceTypes, effectParams, media } from '../../platform/db/schema.ts';

export type DeviceTypeRow = typeof deviceTypes.$inferSelect;
export type EffectParamRow = typeof effectParams.$inferSelect;

/** Returns active device types in the operator's order. */
export function listActiveDeviceTypes(db: Queries): Promise<DeviceTypeRow[]> {
  return db
    .select()
    .from(deviceTypes)
    .where(eq(deviceTypes.isActive, true))
    .orderBy(asc(deviceTypes.position), asc(deviceTypes.id));
}

/** @param lock until the end of the transaction */
export async function findDeviceTypeBySlug(db: Queries, slug: string): Promise<DeviceTypeRow | undefined> {
  const [row] = await db.select().from(deviceTypes).where(eq(deviceTypes.slug, slug));
  return row;
}

export async function findDeviceTypeRow(db: Queries, id: number, lock = false): Promise<DeviceTypeRow | undefined> {
  const query = db.select().from(deviceTypes).where(eq(deviceTypes.id, id));
  const [row] = lock ? await query.for('no key update') : await query;
  return row;
}

/** Returns all device types in the operator's order, with the number of media of each that are not deleted. */
export function listDeviceTypeRows(db: Queries): Promise<{ readonly device: DeviceTypeRow; readonly media: number }[]> {
  const counts = db
    .select({ id: media.deviceTypeId, count: sql<number>`count(*)`.mapWith(Number).as('count') })
    .from(media)
    .where(and(eq(media.uploadState, 'stored'), isNull(media.deletedAt), isNull(media.copyOf)))
    .groupBy(media.deviceTypeId)
    .as('counts');
  return db
    .select({ device: deviceTypes, media: sql<number>`coalesce(${counts.count}, 0)`.mapWith(Number) })
    .from(deviceTypes)
    .leftJoin(counts, eq(counts.id, deviceTypes.id))
    .orderBy(asc(deviceTypes.position), asc(deviceTypes.id));
}

/** Returns the position behind all device types. */
export async function nextPosition(db: Queries): Promise<number> {
  const [row] = await db.select({ last: max(deviceTypes.position) }).from(deviceTypes);
  return (row?.last ?? 0) + 1;
}

export async function updateDeviceType(
  tx: Queries,
  id: number,
  values: Partial<typeof deviceTypes.$inferInsert>,
): Promise<void> {
  await tx.update(deviceTypes).set(values).where(eq(deviceTypes.id, id));
}

/** Returns all strengths of a device type, inactive ones too: of pictures and videos, the weakest first. */
export function listEffectsOf(db: Queries, deviceTypeId: number): Promise<EffectParamRow[]> {
  return db
    .select()
    .from(effectParams)
    .where(eq(effectParams.deviceTypeId, deviceTypeId))
    .orderBy(asc(effectParams.mediaType), asc(effectParams.percent));
}

type EffectKey = { readonly deviceTypeId: number; readonly mediaType: number; readonly percent: number };

export async function findEffectForUpdate(tx: Queries, key: EffectKey): Promise<EffectParamRow | undefined> {
  const { deviceTypeId, mediaType, percent } = effectParams;
  const [row] = await tx
    .select()
    .from(effectParams)
    .where(and(eq(deviceTypeId, key.deviceTypeId), eq(mediaType, key.mediaType), eq(percent, key.percent)))
    .for('update');
  return row;
}

export async function upsertEffect(
  tx: Queries,
  values: EffectKey & { readonly isActive: boolean; readonly vipRequired: boolean },
): Promise<EffectParamRow> {
  const { isActive, vipRequired } = values;
  const [row] = await tx
    .insert(effectParams)
    .values(values)
    .onConflictDoUpdate({
      target: [effectParams.deviceTypeId, effectParams.mediaType, effectParams.percent],
      set: { isActive, vipRequired },
    })
    .returning();
  if (!row) throw new Error('A strength was not stored');
  return row;
}

/** Returns active strengths for a device type and media type, including those for all of them. */
export function listActiveEffects(db: Queries, deviceTypeId: number, mediaType: number): Promise<EffectParamRow[]> {
  return db
    .select()
    .from(effectParams)
    .where(
      and(
        eq(effectParams.isActive, true),
        or(isNull(effectParams.deviceTypeId), eq(effectParams.deviceTypeId, deviceTypeId)),
        or(isNull(effectParams.mediaType), eq(effectParams.mediaType, mediaType)),
      ),
    )
    .orderBy(asc(effectParams.percent), asc(effectParams.id));
}

/** Inserts a device type. Returns its id, or null if the slug is taken. */
export async function insertDeviceType(tx: Queries, values: typeof deviceTypes.$inferInsert): Promise<number | null> {
  const [row] = await tx
    .insert(deviceTypes)
    .values(values)
    .onConflictDoNothing({ target: deviceTypes.slug })
    .returning({ id: deviceTypes.id });
  return row?.id ?? null;
}

export async function insertEffects(tx: Queries, values: (typeof effectParams.$inferInsert)[]): Promise<void> {
  await tx.insert(effectParams).values(values);
}

/** Inserts 0 % for every device type and media type; the specification fixes its id. */
export async function insertZeroEffect(tx: Queries): Promise<void> {
  await tx.insert(effectParams).values({ id: 0, percent: 0 }).onConflictDoNothing();
}

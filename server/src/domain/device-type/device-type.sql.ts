import { and, asc, eq, isNull, or } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { deviceTypes, effectParams } from '../../platform/db/schema.ts';

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

export async function findDeviceTypeRow(db: Queries, id: number): Promise<DeviceTypeRow | undefined> {
  const [row] = await db.select().from(deviceTypes).where(eq(deviceTypes.id, id));
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

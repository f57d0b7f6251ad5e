import {
  ApiError,
  type api,
  type EffectParam,
  type InputOf,
  type ManagedDeviceType,
  MEDIA_TYPE,
} from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Queries } from '../../platform/db/open.ts';
import type { QuiltColumn } from '../../platform/db/schema.ts';
import {
  findDeviceTypeRow,
  findEffectForUpdate,
  insertDeviceType,
  insertEffects,
  listDeviceTypeRows,
  listEffectsOf,
  nextPosition,
  updateDeviceType,
  upsertEffect,
} from './device-type.sql.ts';
import { presentDeviceType, presentEffect } from './device-types.ts';
import { USUAL_PERCENTS } from './seed-device-types.ts';
import { parseRatio } from './wire-format.ts';

type Row = Awaited<ReturnType<typeof listDeviceTypeRows>>[number];

/** Returns all device types in their order, inactive ones too. */
export async function listManagedDeviceTypes({ db }: Context): Promise<ManagedDeviceType[]> {
  return (await listDeviceTypeRows(db)).map(present);
}

/**
 * Changes a device type, or adds one with the usual strengths. Conversions made before keep their files; the next one of
 * the same media follows the new values.
 * @throws ApiError `unknownDeviceType`
 */
export async function setDeviceType(
  context: Context,
  auditActor: AuditActor,
  { id, quilt, is_actived: isActive, ...fields }: InputOf<typeof api.setDeviceType>,
): Promise<ManagedDeviceType> {
  const values = { ...fields, isActive, quilt: quilt && { ...quilt, aspect: aspectOf(fields.ratio) } };
  return context.db.transaction(async (tx) => {
    if (id === null) return addDeviceType(context, tx, auditActor, values);
    const row = await findDeviceTypeRow(tx, id, true);
    if (!row) throw new ApiError('unknownDeviceType');
    const names = Object.keys(values) as (keyof typeof values)[];
    const changed = names.filter((name) => JSON.stringify(plain(row)[name]) !== JSON.stringify(plain(values)[name]));
    if (changed.length > 0) {
      await updateDeviceType(tx, id, values);
      const part = (of: object) =>
        Object.fromEntries(Object.entries(plain(of)).filter(([name]) => isIn(changed, name)));
      await writeAudit(context, tx, auditActor, {
        action: 'deviceType',
        target: row.name,
        before: part(row),
        after: part(values),
      });
    }
    return findManaged(tx, id);
  });
}

type Values = Omit<Parameters<typeof insertDeviceType>[1], 'slug' | 'position'>;

async function addDeviceType(
  context: Context,
  tx: Parameters<typeof writeAudit>[1],
  auditActor: AuditActor,
  values: Values,
): Promise<ManagedDeviceType> {
  const slug = `own-${context.ids.uuid()}`;
  const id = await insertDeviceType(tx, { ...values, slug, position: await nextPosition(tx) });
  if (id === null) throw new Error(`The slug ${slug} is taken`);
  await insertEffects(
    tx,
    Object.values(MEDIA_TYPE).flatMap((mediaType) =>
      USUAL_PERCENTS.map((percent) => ({ percent, deviceTypeId: id, mediaType })),
    ),
  );
  await writeAudit(context, tx, auditActor, { action: 'deviceType', target: values.name, after: plain(values) });
  return findManaged(tx, id);
}

/** Returns all strengths of a device type but 0 %, which has none of its own. @throws ApiError `unknownDeviceType` */
export async function listManagedEffects(
  { db }: Context,
  { device_type_id: id }: InputOf<typeof api.managedEffects>,
): Promise<EffectParam[]> {
  if (!(await findDeviceTypeRow(db, id))) throw new ApiError('unknownDeviceType');
  return (await listEffectsOf(db, id)).map(presentEffect);
}

/** Changes or adds a strength. @throws ApiError `unknownDeviceType` */
export async function setEffect(
  context: Context,
  auditActor: AuditActor,
  input: InputOf<typeof api.setEffect>,
): Promise<EffectParam> {
  const { device_type_id: deviceTypeId, media_type: mediaType, percent } = input;
  const values = { isActive: input.is_activated, vipRequired: input.vip_required };
  return context.db.transaction(async (tx) => {
    // Locked, so that two who add the same strength do not both find none.
    const device = await findDeviceTypeRow(tx, deviceTypeId, true);
    if (!device) throw new ApiError('unknownDeviceType');
    const key = { deviceTypeId, mediaType, percent };
    const before = await findEffectForUpdate(tx, key);
    const row = await upsertEffect(tx, { ...key, ...values });
    if (before?.isActive !== values.isActive || before.vipRequired !== values.vipRequired)
      await writeAudit(context, tx, auditActor, {
        action: 'effect',
        target: device.name,
        ...(before && { before: { percent, active: before.isActive, vip: before.vipRequired } }),
        after: { percent, active: values.isActive, vip: values.vipRequired },
      });
    return presentEffect(row);
  });
}

const isIn = (names: readonly string[], name: string) => names.includes(name);

/** Returns the fields that an operator edits, by the names of the contract. */
function plain(of: object): Record<string, unknown> {
  const { name, note, ratio, extendResolution, isActive, format, quilt, disparityBudget } = of as Partial<
    Row['device']
  >;
  return { name, note, ratio, extendResolution, isActive, format, quilt: quilt && gridOf(quilt), disparityBudget };
}

const gridOf = ({ columns, rows, width, height }: QuiltColumn) => ({ columns, rows, width, height });

/** Returns the aspect of a view, as it stands in the names of quilts. */
function aspectOf(ratio: string): number {
  const [width, height] = parseRatio(ratio);
  return Number((width / height).toFixed(5));
}

async function findManaged(db: Queries, id: number): Promise<ManagedDeviceType> {
  const row = (await listDeviceTypeRows(db)).find(({ device }) => device.id === id);
  if (!row) throw new ApiError('unknownDeviceType');
  return present(row);
}

function present({ device, media }: Row): ManagedDeviceType {
  return { ...presentDeviceType(device), quilt: device.quilt && gridOf(device.quilt), media };
}

import { ApiError, type DeviceType, type EffectParam, type MEDIA_TYPE } from '@framelift/contract';
import type { DeviceProfile } from '@framelift/engine';
import { type Actor, isVip } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import {
  type DeviceTypeRow,
  type EffectParamRow,
  findDeviceTypeRow,
  listActiveDeviceTypes,
  listActiveEffects,
} from './device-type.sql.ts';
import { parseExtendResolution, parseRatio } from './wire-format.ts';

type MediaType = (typeof MEDIA_TYPE)[keyof typeof MEDIA_TYPE];

export async function listDeviceTypes(context: Context): Promise<DeviceType[]> {
  return (await listActiveDeviceTypes(context.db)).map(presentDeviceType);
}

/** Returns the strengths that this caller may choose, 0 % first. @throws ApiError `unknownDeviceType` */
export async function listEffects(
  context: Context,
  actor: Actor,
  input: { readonly device_type_id: number; readonly media_type: MediaType },
): Promise<EffectParam[]> {
  await getActiveDeviceType(context.db, input.device_type_id);
  const rows = await listActiveEffects(context.db, input.device_type_id, input.media_type);
  return rows.filter((row) => mayUse(actor, row)).map(presentEffect);
}

/** @throws ApiError `unknownDeviceType` */
export async function getActiveDeviceType(db: Queries, id: number): Promise<DeviceTypeRow> {
  const row = await findDeviceTypeRow(db, id);
  if (!row?.isActive) throw new ApiError('unknownDeviceType');
  return row;
}

/** Returns the chosen strength if it was offered to this caller. @throws ApiError `unknownEffect` */
export async function getChosenEffect(
  db: Queries,
  actor: Actor,
  choice: { readonly id: number; readonly deviceTypeId: number; readonly mediaType: MediaType },
): Promise<EffectParamRow> {
  const offered = await listActiveEffects(db, choice.deviceTypeId, choice.mediaType);
  const row = offered.find(({ id }) => id === choice.id);
  if (!row || !mayUse(actor, row)) throw new ApiError('unknownEffect');
  return row;
}

/** Strength in percent of uploads whose sender does not choose one. */
const DEFAULT_PERCENT = 100;

/** Returns the strength for everybody: 100 % if offered, else the highest. @throws ApiError `unknownEffect` */
export async function getDefaultEffect(
  db: Queries,
  deviceTypeId: number,
  mediaType: MediaType,
): Promise<EffectParamRow> {
  const offered = (await listActiveEffects(db, deviceTypeId, mediaType)).filter((row) => !row.vipRequired);
  const row = offered.find(({ percent }) => percent === DEFAULT_PERCENT) ?? offered.at(-1);
  if (!row) throw new ApiError('unknownEffect');
  return row;
}

export function presentDeviceType(row: DeviceTypeRow): DeviceType {
  return {
    id: row.id,
    name: row.name,
    note: row.note,
    ratio: row.ratio,
    extendResolution: row.extendResolution,
    is_actived: row.isActive,
    format: row.format,
    quilt: row.quilt ? { columns: row.quilt.columns, rows: row.quilt.rows } : null,
    disparityBudget: row.disparityBudget,
  };
}

export function deviceProfile(row: DeviceTypeRow): DeviceProfile {
  return {
    slug: row.slug,
    name: row.name,
    ratio: parseRatio(row.ratio),
    resolution: parseExtendResolution(row.extendResolution),
    format: row.format,
    ...(row.quilt ? { quilt: row.quilt } : {}),
    disparityBudget: row.disparityBudget,
  };
}

export function presentEffect(row: EffectParamRow): EffectParam {
  return {
    id: row.id,
    effect: `${row.percent}%`,
    device_type_id: row.deviceTypeId,
    media_type: row.mediaType as MediaType | null,
    is_activated: row.isActive,
    vip_required: row.vipRequired,
  };
}

function mayUse(actor: Actor, row: EffectParamRow): boolean {
  return !row.vipRequired || isVip(actor);
}

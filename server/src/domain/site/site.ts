import {
  type Announcement,
  ApiError,
  announcement,
  LIMITS,
  type Maintenance,
  maintenance,
  type SiteSettings,
} from '@framelift/contract';
import { z } from 'zod';
import { signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Queries } from '../../platform/db/open.ts';
import { cached } from './cached.ts';
import { getFeatures } from './features.ts';
import { readSetting, writeSetting } from './site.sql.ts';
import { readStorageDefault } from './storage-default.ts';

const kept = z.object({ announcement: announcement.nullable() });

async function readMaintenance(db: Queries): Promise<Maintenance> {
  const stored = maintenance.safeParse(await readSetting(db, 'maintenance'));
  return stored.data ?? { on: false, ...LIMITS.maintenanceExample };
}

const present = cached(({ db }: Context) => readMaintenance(db));

export const getMaintenance = (context: Context): Promise<Maintenance> => present.get(context);

export async function setMaintenance(
  context: Context,
  auditActor: AuditActor,
  input: Maintenance,
): Promise<Maintenance> {
  await context.db.transaction(async (tx) => {
    const before = await readMaintenance(tx);
    await writeSetting(tx, 'maintenance', input, context.clock.now());
    await writeAudit(context, tx, auditActor, { action: 'maintenance', before: { ...before }, after: { ...input } });
  });
  present.forget(context);
  context.log.info({ by: signedIn(auditActor.actor).userId, ...input }, 'Maintenance was switched');
  return input;
}

/** Returns the seconds until the announced end of the maintenance, null after it, undefined while it is off. */
export async function maintenanceLeft(context: Context): Promise<number | null | undefined> {
  const { on, to } = await getMaintenance(context);
  if (!on) return undefined;
  const seconds = Math.ceil((Date.parse(to) - context.clock.now().getTime()) / 1000);
  return seconds > 0 ? seconds : null;
}

/** Returns the stored announcement, whether or not it is shown now. */
async function readAnnouncement(db: Queries): Promise<Announcement | null> {
  return kept.safeParse(await readSetting(db, 'announcement')).data?.announcement ?? null;
}

/** Returns the announcement to show now; null while the feature is off. */
export async function getAnnouncement(context: Context): Promise<Announcement | null> {
  if ((await getFeatures(context)).announcement !== 'on') return null;
  const stored = await readAnnouncement(context.db);
  const now = context.clock.now().getTime();
  return stored && Date.parse(stored.from) <= now && now < Date.parse(stored.to) ? stored : null;
}

/** @throws ApiError `invalidInput` if it ends before it begins */
export async function setAnnouncement(
  context: Context,
  auditActor: AuditActor,
  { announcement: given }: { readonly announcement: Omit<Announcement, 'id'> | null },
): Promise<{ announcement: Announcement | null }> {
  if (given && Date.parse(given.to) <= Date.parse(given.from))
    throw new ApiError('invalidInput', ['announcement.to: must be after announcement.from']);
  const next = given && { id: context.ids.uuid(), ...given };
  await context.db.transaction(async (tx) => {
    const before = await readAnnouncement(tx);
    await writeSetting(tx, 'announcement', { announcement: next }, context.clock.now());
    await writeAudit(context, tx, auditActor, {
      action: 'announcement',
      before: { announcement: before },
      after: { announcement: next },
    });
  });
  context.log.info({ by: signedIn(auditActor.actor).userId, up: next !== null }, 'The announcement was changed');
  return { announcement: next };
}

export async function getSiteSettings(context: Context): Promise<SiteSettings> {
  return {
    maintenance: await getMaintenance(context),
    announcement: await readAnnouncement(context.db),
    features: await getFeatures(context),
    storage: { limit: await readStorageDefault(context.db), builtin: context.settings.storageBytes },
  };
}

import { type Announcement, announcement, LIMITS, type Maintenance, maintenance } from '@framelift/contract';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { type Actor, signedIn } from '../actor.ts';
import { readSetting, writeSetting } from './site.sql.ts';

/** Every call asks whether there is maintenance; another process's switch is seen this much later at most. */
const FRESH_MS = 2_000;

const kept = z.object({ announcement: announcement.nullable() });
const fresh = new WeakMap<Context, { readonly value: Maintenance; readonly readAt: number }>();

/** Off, with the example's window, until an operator says otherwise. */
export async function getMaintenance(context: Context): Promise<Maintenance> {
  const now = context.clock.now().getTime();
  const known = fresh.get(context);
  if (known && now - known.readAt < FRESH_MS) return known.value;
  const stored = maintenance.safeParse(await readSetting(context.db, 'maintenance'));
  const value = stored.data ?? { on: false, ...LIMITS.maintenanceExample };
  fresh.set(context, { value, readAt: now });
  return value;
}

export async function setMaintenance(context: Context, actor: Actor, input: Maintenance): Promise<Maintenance> {
  const now = context.clock.now();
  await writeSetting(context.db, 'maintenance', input, now);
  fresh.set(context, { value: input, readAt: now.getTime() });
  context.log.info({ by: signedIn(actor).userId, ...input }, 'Maintenance was switched');
  return input;
}

/** Seconds until the announced end of the maintenance that is on, null without one; undefined while it is off. */
export async function maintenanceLeft(context: Context): Promise<number | null | undefined> {
  const { on, to } = await getMaintenance(context);
  if (!on) return undefined;
  const seconds = Math.ceil((Date.parse(to) - context.clock.now().getTime()) / 1000);
  return seconds > 0 ? seconds : null;
}

/** The announcement of this moment. There is none where the feature is off. */
export async function getAnnouncement(context: Context): Promise<Announcement | null> {
  if (context.settings.features.announcement !== 'on') return null;
  const stored = kept.safeParse(await readSetting(context.db, 'announcement')).data?.announcement;
  const now = context.clock.now().getTime();
  return stored && Date.parse(stored.from) <= now && now < Date.parse(stored.to) ? stored : null;
}

export async function setAnnouncement(
  context: Context,
  actor: Actor,
  input: { readonly announcement: Omit<Announcement, 'id'> | null },
): Promise<{ announcement: Announcement | null }> {
  const value = { announcement: input.announcement && { id: context.ids.uuid(), ...input.announcement } };
  await writeSetting(context.db, 'announcement', value, context.clock.now());
  context.log.info({ by: signedIn(actor).userId, up: value.announcement !== null }, 'The announcement was changed');
  return value;
}

import { ApiError, inLanguage, type Language, LIMITS, type User } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { dayInTaipei } from '../../platform/time.ts';
import { findCurrentPlan } from './current-plan.sql.ts';
import { findMember, findUser, type UserRow } from './user.sql.ts';

export function isVipNow({ vipAt, vipUntil }: Pick<UserRow, 'vipAt' | 'vipUntil'>, now: Date): boolean {
  return vipAt !== null && (vipUntil === null || vipUntil > now);
}

/**
 * Returns the longest video in seconds that a member may upload, 0 for none: what a plan raises, and without one the
 * limit of VIPs, as which administrators count.
 */
export function longestVideo(
  { settings, clock }: Pick<Context, 'settings' | 'clock'>,
  row: UserRow,
  plan: { readonly videoSeconds: number | null } | undefined,
): number {
  const ofVip = row.isAdmin || isVipNow(row, clock.now()) ? settings.video.maxSeconds : 0;
  return Math.max(ofVip, plan?.videoSeconds ?? 0);
}

/** Returns how many ads were watched today, in Asia/Taipei. */
export function adsToday({ adsTimes, adsDay }: Pick<UserRow, 'adsTimes' | 'adsDay'>, now: Date): number {
  return adsDay === dayInTaipei(now) ? adsTimes : 0;
}

/** Reads the user of the API with their plan. @param language of the plan's name */
export async function presentUser(
  context: Pick<Context, 'settings' | 'clock'>,
  db: Queries,
  row: UserRow,
  language: Language,
): Promise<User> {
  const now = context.clock.now();
  const plan = await findCurrentPlan(db, row.id, now);
  return {
    id: row.id,
    name: row.name,
    email: row.email ?? '',
    phone: row.phone,
    points: row.points,
    freePoints: row.freePoints,
    myPlan: {
      plan: plan
        ? { id: plan.id, icon: plan.icon, name: inLanguage(plan.name, language) }
        : { id: LIMITS.planIds.nonMember, icon: '', name: '' },
    },
    isAdmin: row.isAdmin,
    VIP: isVipNow(row, now),
    videoSeconds: longestVideo(context, row, plan),
    adsTimes: adsToday(row, now),
    isGuest: row.kind === 'guest',
    isConfirmed: row.confirmedAt !== null,
    deletionAt: row.deletionAt?.toISOString() ?? null,
  };
}

/** Returns the caller's row. @throws ApiError `tokenExpired` if the account was deleted meanwhile */
export async function getOwnRow(context: Context, actor: Actor): Promise<UserRow> {
  const row = await findUser(context.db, signedIn(actor).userId);
  if (!row) throw new ApiError('tokenExpired');
  return row;
}

export async function getUser(context: Context, actor: Actor): Promise<User> {
  return presentUser(context, context.db, await getOwnRow(context, actor), actor.language);
}

export async function getCurrentPlan(context: Context, actor: Actor): Promise<User['myPlan']> {
  return (await getUser(context, actor)).myPlan;
}

export async function checkTokenForUser(
  _context: Context,
  actor: Actor,
  input: { readonly userId: string },
): Promise<{ belongs: boolean }> {
  return { belongs: actor.userId === input.userId };
}

/** Returns the confirmed member with exactly this address, with the fields that friends may see. */
export async function getUserInfo(
  context: Context,
  _actor: Actor,
  input: { readonly email: string },
): Promise<{ name: string; email: string } | null> {
  const row = await findMember(context.db, input.email);
  return row?.email && row.confirmedAt && !row.deletionAt ? { name: row.name, email: row.email } : null;
}

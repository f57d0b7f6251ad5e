import { ApiError, type api, type InputOf, LIMITS, type OutputOf } from '@framelift/contract';
import { DateTime } from 'luxon';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { HOUR_MS } from '../../platform/time.ts';
import { findUserForUpdate } from '../user/user.sql.ts';
import { type AgeCheckRow, findAgeCheck, writeAgeCheck } from './live.sql.ts';
import { readLiveSettings } from './live-settings.ts';

/** Where a call comes from. The address itself is neither stored nor logged. */
export interface Origin {
  /** ISO 3166-1 code; null where it is not known. */
  readonly country: string | null;
}

/** Returns whether the caller may watch from here, and whether their age is confirmed. */
export async function getLiveAccess(
  { db, clock }: Context,
  actor: Actor,
  { country }: Origin,
): Promise<OutputOf<typeof api.liveAccess>> {
  const check = await findAgeCheck(db, signedIn(actor).userId);
  return {
    country,
    is_country_allowed: (await refusalOf(db, country)) === null,
    age: check?.ageConfirmedAt ? 'confirmed' : check ? 'refused' : 'unknown',
    age_retry_at: retryOf(check, clock.now())?.toISOString() ?? null,
  };
}

/** @throws ApiError `liveAbroad`, `liveCountryUnknown` */
export async function requireCountry({ db, log }: Context, { country }: Origin): Promise<void> {
  const code = await refusalOf(db, country);
  if (!code) return;
  log.info({ country, code }, 'live viewing was refused by country');
  throw new ApiError(code);
}

async function refusalOf(db: Queries, country: string | null): Promise<'liveAbroad' | 'liveCountryUnknown' | null> {
  const { countries } = await readLiveSettings(db);
  if (countries === null || (country !== null && countries.includes(country))) return null;
  return country === null ? 'liveCountryUnknown' : 'liveAbroad';
}

/**
 * Confirms the age of the caller, once. Of one who is too young nothing but the time of the refusal is stored: for a day
 * no other answer counts.
 * @throws ApiError `underAge`, with the time until the next try
 */
export async function confirmAge(
  { db, clock, log }: Context,
  actor: Actor,
  { birth_year: birthYear, had_birthday: hadBirthday }: InputOf<typeof api.confirmAge>,
): Promise<OutputOf<typeof api.confirmAge>> {
  const now = clock.now();
  const outcome = await db.transaction(async (tx) => {
    const user = await findUserForUpdate(tx, signedIn(actor).userId);
    if (!user) throw new ApiError('tokenExpired');
    const before = await findAgeCheck(tx, user.id);
    if (before?.ageConfirmedAt) return before;
    if (retryOf(before, now)) return before;
    const { year } = DateTime.fromJSDate(now, { zone: LIMITS.timeZone });
    const age = year - birthYear - (hadBirthday ? 0 : 1);
    const isAdult = age >= LIMITS.minimumAge;
    const answer = isAdult ? { birthYear, ageConfirmedAt: now } : { refusedAt: now };
    await writeAgeCheck(tx, { userId: user.id, ...answer });
    return findAgeCheck(tx, user.id);
  });
  // Thrown after the commit, which keeps the refusal.
  if (!outcome?.ageConfirmedAt) {
    log.info('live viewing was refused by age');
    throw tooYoung(outcome, now);
  }
  return { age_confirmed_at: outcome.ageConfirmedAt.toISOString() };
}

/** @throws ApiError `ageNotConfirmed`; `underAge` while the refusal lasts */
export async function requireAge({ db, clock }: Context, actor: Actor): Promise<void> {
  const check = await findAgeCheck(db, signedIn(actor).userId);
  if (check?.ageConfirmedAt) return;
  if (retryOf(check, clock.now())) throw tooYoung(check, clock.now());
  throw new ApiError('ageNotConfirmed');
}

/** Returns when another year is accepted; null where one is now. */
function retryOf(check: AgeCheckRow | undefined, now: Date): Date | null {
  if (!check?.refusedAt) return null;
  const at = new Date(check.refusedAt.getTime() + LIMITS.live.ageRetryHours * HOUR_MS);
  return at > now ? at : null;
}

function tooYoung(check: AgeCheckRow | undefined, now: Date): ApiError {
  const wait = (retryOf(check, now)?.getTime() ?? now.getTime()) - now.getTime();
  return new ApiError('underAge', [], { retryAfter: Math.ceil(wait / 1000) });
}

import type { SiteStatus } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/time.ts';
import { startOfMonth } from '../membership/period.ts';
import { lastRoomFailure } from '../notification/room-watch.ts';
import { unansweredBefore } from '../payment/unanswered.ts';
import { cached } from '../site/cached.ts';
import { getMaintenance } from '../site/site.ts';
import { countTroubles, sumTakings } from './payments.sql.ts';
import { conversionsSince, countContent, countPeople, mailsSince } from './site-status.sql.ts';

/** Cache time: counting scans whole tables, and the page of every administrator polls. */
const COUNTED_MS = MINUTE_MS;
const counts = cached(async ({ db, clock }: Context) => {
  const now = clock.now();
  return {
    people: await countPeople(db, now, aDayBefore(now)),
    ...(await countContent(db)),
    takings: await sumTakings(db, startOfMonth(now)),
  };
}, COUNTED_MS);
/** A grant follows a payment within seconds; until then the reconciliation has tried several times. */
const GRANTED_MS = 5 * MINUTE_MS;

const aDayBefore = (now: Date) => new Date(now.getTime() - DAY_MS);

/** Returns services, queues and failures of the last 24 hours; counts of people and content are up to a minute old. */
export async function getSiteStatus(context: Context): Promise<SiteStatus> {
  const { db, clock, room, settings } = context;
  const { version, sandbox, services, startedAt, captcha } = settings;
  const now = clock.now();
  const since = aDayBefore(now);
  const conversions = await conversionsSince(db, since);
  const mails = await mailsSince(db, since);
  const failedAt = await lastRoomFailure(context);
  const { takings, ...counted } = await counts.get(context);
  return {
    version,
    sandbox,
    startedAt: startedAt.toISOString(),
    isMaintenance: (await getMaintenance(context)).on,
    services: { ...services, captcha: captcha?.kind ?? 'off' },
    ...counted,
    payments: {
      ...(await countTroubles(db, {
        since: new Date(now.getTime() - GRANTED_MS),
        unanswered: unansweredBefore(context),
      })),
      takings,
    },
    conversions: { ...conversions, waitingSince: conversions.waitingSince?.toISOString() ?? null },
    room: {
      freeBytes: await room.freeBytes(),
      reserveBytes: room.reserveBytes,
      failedAt: failedAt && failedAt > since ? failedAt.toISOString() : null,
    },
    mails: { ...mails, waitingSince: mails.waitingSince?.toISOString() ?? null },
  };
}

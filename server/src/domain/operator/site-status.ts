import type { SiteStatus } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { getMaintenance } from '../site/site.ts';
import { conversionsSince, countContent, countPeople, mailsSince } from './site-status.sql.ts';

const DAY_MS = 86_400_000;

/** Whether everything runs: services, people, what waits and what failed in the last 24 hours. */
export async function getSiteStatus(context: Context): Promise<SiteStatus> {
  const { db, clock, settings } = context;
  const { version, sandbox, services, startedAt, captcha } = settings;
  const now = clock.now();
  const since = new Date(now.getTime() - DAY_MS);
  const conversions = await conversionsSince(db, since);
  const mails = await mailsSince(db, since);
  return {
    ...{ version, sandbox },
    startedAt: startedAt.toISOString(),
    isMaintenance: (await getMaintenance(context)).on,
    services: { ...services, captcha: captcha?.kind ?? 'off' },
    people: await countPeople(db, now, since),
    ...(await countContent(db)),
    conversions: { ...conversions, waitingSince: conversions.waitingSince?.toISOString() ?? null },
    mails: { ...mails, waitingSince: mails.waitingSince?.toISOString() ?? null },
  };
}

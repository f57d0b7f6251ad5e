import { MEDIA_TYPE } from '@framelift/contract';
import { and, desc, eq, gt, isNotNull, isNull, min, or, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { conversions, mails, media, objects, users } from '../../platform/db/schema.ts';

const countOf = (condition: SQL | undefined) => sql<number>`count(*) filter (where ${condition})`.mapWith(Number);

export async function countPeople(db: Queries, now: Date, since: Date) {
  const [row] = await db
    .select({
      members: countOf(eq(users.kind, 'member')),
      unconfirmed: countOf(and(eq(users.kind, 'member'), isNull(users.confirmedAt))),
      fresh: countOf(and(eq(users.kind, 'member'), gt(users.createdAt, since))),
      vips: countOf(and(isNotNull(users.vipAt), or(isNull(users.vipUntil), gt(users.vipUntil, now)))),
      restricted: countOf(isNotNull(users.restrictedAt)),
      admins: countOf(eq(users.isAdmin, true)),
      guests: countOf(eq(users.kind, 'guest')),
    })
    .from(users);
  return row ?? { members: 0, unconfirmed: 0, fresh: 0, vips: 0, restricted: 0, admins: 0, guests: 0 };
}

export async function countContent(db: Queries) {
  const [kinds] = await db
    .select({
      pictures: countOf(eq(media.mediaType, MEDIA_TYPE.picture)),
      films: countOf(eq(media.mediaType, MEDIA_TYPE.video)),
    })
    .from(media)
    .where(and(eq(media.uploadState, 'stored'), isNull(media.deletedAt), isNull(media.copyOf)));
  const [stored] = await db
    .select({ storedBytes: sql<number>`coalesce(sum(${objects.size}), 0)`.mapWith(Number) })
    .from(objects);
  return { pictures: 0, films: 0, storedBytes: 0, ...kinds, ...stored };
}

/** Returns the time of the oldest waiting conversion, and the number of results since a time. */
export async function conversionsSince(db: Queries, since: Date) {
  const [waiting] = await db
    .select({ waitingSince: min(conversions.createdAt) })
    .from(conversions)
    .where(eq(conversions.state, 'waiting'));
  const [ended] = await db
    .select({ done: countOf(eq(conversions.state, 'done')), failed: countOf(eq(conversions.state, 'failed')) })
    .from(conversions)
    .where(gt(conversions.finishedAt, since));
  return { waitingSince: waiting?.waitingSince ?? null, done: 0, failed: 0, ...ended };
}

export async function mailsSince(db: Queries, since: Date) {
  const [waiting] = await db
    .select({ waitingSince: min(mails.createdAt) })
    .from(mails)
    .where(eq(mails.state, 'waiting'));
  const isFailed = and(eq(mails.state, 'failed'), gt(mails.createdAt, since));
  const failed = await db.$count(mails, isFailed);
  const [last] = await db
    .select({ lastError: mails.lastError })
    .from(mails)
    .where(isFailed)
    .orderBy(desc(mails.createdAt))
    .limit(1);
  return { waitingSince: waiting?.waitingSince ?? null, failed, lastError: last?.lastError ?? null };
}

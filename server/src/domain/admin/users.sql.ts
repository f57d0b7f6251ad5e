import { emailKey, MEDIA_STATUS, MEDIA_TYPE, type MemberFilter } from '@framelift/contract';
import { and, eq, gt, inArray, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { conversions, media, objects, sessions, users } from '../../platform/db/schema.ts';
import { afterPosition, newestFirst, type PageRequest } from '../../platform/paging.ts';
import type { UserRow } from '../user/user.sql.ts';

export interface MemberView {
  readonly user: UserRow;
  readonly lastSeenAt: Date | null;
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the search condition. The text is matched literally: % and _ are escaped. */
export function memberNamed(text: string): SQL | undefined {
  if (UUID.test(text)) return eq(users.id, text.toLowerCase());
  const patternOf = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  const inName = patternOf(text.normalize('NFC').toLowerCase());
  return or(sql`lower(${users.name}) like ${inName}`, sql`${users.emailLower} like ${patternOf(emailKey(text))}`);
}

const wanted = (answer: 'yes' | 'no' | undefined, yes: SQL | undefined, no: SQL | undefined) =>
  answer === undefined ? undefined : answer === 'yes' ? yes : no;

/** Returns a page, newest first. */
export function listMembers(
  db: Queries,
  { q, confirmed, restricted, vip, admin, deleting }: MemberFilter,
  now: Date,
  { after, limit }: PageRequest,
): Promise<MemberView[]> {
  const { vipAt, vipUntil } = users;
  return memberViews(
    db,
    now,
    and(
      q ? memberNamed(q) : undefined,
      wanted(confirmed, isNotNull(users.confirmedAt), isNull(users.confirmedAt)),
      wanted(restricted, isNotNull(users.restrictedAt), isNull(users.restrictedAt)),
      wanted(
        vip,
        and(isNotNull(vipAt), or(isNull(vipUntil), gt(vipUntil, now))),
        or(isNull(vipAt), and(isNotNull(vipUntil), sql`${vipUntil} <= ${now}`)),
      ),
      wanted(admin, eq(users.isAdmin, true), eq(users.isAdmin, false)),
      wanted(deleting, isNotNull(users.deletionAt), isNull(users.deletionAt)),
      afterPosition(after, users.createdAt, users.id),
    ),
  ).limit(limit);
}

export async function findMemberView(db: Queries, id: string, now: Date): Promise<MemberView | undefined> {
  const [view] = await memberViews(db, now, eq(users.id, id));
  return view;
}

function memberViews(db: Queries, now: Date, where: SQL | undefined) {
  const seen = db
    .select({
      userId: sessions.userId,
      at: sql<Date>`max(${sessions.lastSeenAt})`.mapWith(sessions.lastSeenAt).as('at'),
    })
    .from(sessions)
    .where(and(eq(sessions.userId, users.id), gt(sessions.expiresAt, now)))
    .groupBy(sessions.userId)
    .as('seen');
  return db
    .select({ user: users, lastSeenAt: seen.at })
    .from(users)
    .leftJoinLateral(seen, sql`true`)
    .where(and(eq(users.kind, 'member'), where))
    .orderBy(...newestFirst(users.createdAt, users.id))
    .$dynamic();
}

/** Locks a member and every administrator in a fixed order, so that mutual changes cannot deadlock. */
export function findMemberAndAdminsForUpdate(tx: Queries, id: string): Promise<UserRow[]> {
  return tx
    .select()
    .from(users)
    .where(and(eq(users.kind, 'member'), or(eq(users.id, id), eq(users.isAdmin, true))))
    .orderBy(users.id)
    .for('no key update');
}

export async function countUploads(db: Queries, ownerId: string) {
  const isNoCopy = isNull(media.copyOf);
  const of = (condition: SQL) => sql<number>`count(*) filter (where ${condition})`.mapWith(Number);
  const [counts] = await db
    .select({
      pictures: of(eq(media.mediaType, MEDIA_TYPE.picture)),
      films: of(eq(media.mediaType, MEDIA_TYPE.video)),
      failed: of(eq(media.status, MEDIA_STATUS.unable)),
    })
    .from(media)
    .where(and(eq(media.ownerId, ownerId), eq(media.uploadState, 'stored'), isNull(media.deletedAt), isNoCopy));
  const [active] = await db
    .select({ converting: sql<number>`count(*)`.mapWith(Number) })
    .from(conversions)
    .innerJoin(media, eq(media.id, conversions.mediaId))
    .where(and(eq(media.ownerId, ownerId), isNoCopy, inArray(conversions.state, ['waiting', 'running'])));
  const [stored] = await db
    .select({ bytes: sql<number>`coalesce(sum(${objects.size}), 0)`.mapWith(Number) })
    .from(objects)
    .where(eq(objects.ownerId, ownerId));
  return {
    uploads: { pictures: 0, films: 0, failed: 0, ...counts, converting: active?.converting ?? 0 },
    storedBytes: stored?.bytes ?? 0,
  };
}

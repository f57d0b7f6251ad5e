import type { Language } from '@framelift/contract';
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { mailCodes, media, objects, rateLimits, sessions, usedProofs, users } from '../../platform/db/schema.ts';

export type UserRow = typeof users.$inferSelect;
export type MailCodeRow = typeof mailCodes.$inferSelect;

/** How an address is compared: any case and any composition of its letters is the same address [A52]. */
export function addressKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/**
 * An address that somebody typed, who may not be its owner: free for whoever proves to be. An account whose confirmation
 * an administrator took back is none, for it holds what its member has.
 */
export function isUnverified({ confirmedAt, unconfirmedAt }: Pick<UserRow, 'confirmedAt' | 'unconfirmedAt'>): boolean {
  return confirmedAt === null && unconfirmedAt === null;
}

export async function findUser(db: Queries, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
}

export async function findMember(db: Queries, email: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(users.emailLower, addressKey(email)));
  return row;
}

/**
 * Every change of a member locks the row first, so that two follow each other. The lock lets pass what only names the
 * member, as a picture does that is just being stored: its own rows are held, and the changer may wait for those.
 */
const LOCK = 'no key update';

/** Locks the row until the transaction ends, so that two registrations of one address follow each other. */
export async function findMemberForUpdate(tx: Queries, email: string): Promise<UserRow | undefined> {
  const [row] = await tx
    .select()
    .from(users)
    .where(eq(users.emailLower, addressKey(email)))
    .for(LOCK);
  return row;
}

export interface NewMember {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly passwordHash: string;
  readonly language: Language;
  readonly createdAt: Date;
  readonly confirmedAt?: Date;
  readonly claimedGuestId?: string | null;
  readonly isAdmin?: boolean;
}

/** False when the address has an account already. */
export async function insertMember(tx: Queries, member: NewMember): Promise<boolean> {
  const rows = await tx
    .insert(users)
    .values({ ...member, kind: 'member', emailLower: addressKey(member.email) })
    .onConflictDoNothing({ target: users.emailLower })
    .returning({ id: users.id });
  return rows.length > 0;
}

/** Locks the row until the transaction ends. */
export async function findUserForUpdate(tx: Queries, id: string): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for(LOCK);
  return row;
}

export async function updateUser(db: Queries, id: string, values: Partial<typeof users.$inferInsert>): Promise<void> {
  await db.update(users).set(values).where(eq(users.id, id));
}

/** With sessions and codes. Of somebody who owns nothing any more. */
export async function deleteUser(tx: Queries, id: string): Promise<void> {
  await tx.delete(users).where(eq(users.id, id));
}

/** The guest of this key, made when there is none; two calls at the same time get the same one. */
export async function findOrCreateGuest(
  db: Queries,
  guest: { readonly id: string; readonly keyHash: string; readonly createdAt: Date },
): Promise<UserRow> {
  await db
    .insert(users)
    .values({
      id: guest.id,
      kind: 'guest',
      name: '',
      guestKeyHash: guest.keyHash,
      language: 'en',
      createdAt: guest.createdAt,
    })
    .onConflictDoNothing({ target: users.guestKeyHash });
  const [row] = await db.select().from(users).where(eq(users.guestKeyHash, guest.keyHash));
  if (!row) throw new Error('A guest vanished between insert and select');
  return row;
}

export type NewSession = typeof sessions.$inferInsert;

export async function insertSession(db: Queries, session: NewSession): Promise<void> {
  await db.insert(sessions).values(session);
}

export async function findSession(db: Queries, tokenHash: string, now: Date) {
  const [row] = await db
    .select({ session: sessions, user: users })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
  return row;
}

/** Whether this session has neither ended nor run out. */
export async function hasSession(db: Queries, id: string, now: Date): Promise<boolean> {
  return (await db.$count(sessions, and(eq(sessions.id, id), gt(sessions.expiresAt, now)))) > 0;
}

export async function touchSession(db: Queries, id: string, now: Date): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
}

export async function deleteSession(db: Queries, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** All sessions of a user but one. Answers how many there were. */
export async function deleteSessionsOf(tx: Queries, userId: string, except: string | null = null): Promise<number> {
  const rows = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except ? ne(sessions.id, except) : undefined))
    .returning({ id: sessions.id });
  return rows.length;
}

/** False when this user has no such session. */
export async function deleteOwnSession(db: Queries, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

export function listSessions(db: Queries, userId: string, now: Date) {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
}

/** Stores a new code and voids the older ones of the same purpose. */
export async function insertMailCode(tx: Queries, code: typeof mailCodes.$inferInsert): Promise<void> {
  await voidMailCodes(tx, code.userId, [code.purpose], code.createdAt);
  await tx.insert(mailCodes).values(code);
}

/** What was not used yet can be used no more. */
export async function voidMailCodes(
  tx: Queries,
  userId: string,
  purposes: readonly MailCodeRow['purpose'][],
  at: Date,
): Promise<void> {
  await tx
    .update(mailCodes)
    .set({ voidedAt: at })
    .where(
      and(
        eq(mailCodes.userId, userId),
        inArray(mailCodes.purpose, [...purposes]),
        isNull(mailCodes.usedAt),
        isNull(mailCodes.voidedAt),
      ),
    );
}

export async function findMailCode(
  db: Queries,
  codeHash: string,
  purposes: readonly MailCodeRow['purpose'][],
): Promise<MailCodeRow | undefined> {
  const [row] = await db
    .select()
    .from(mailCodes)
    .where(and(eq(mailCodes.codeHash, codeHash), inArray(mailCodes.purpose, [...purposes])));
  return row;
}

/** Whether a code of this purpose can still be used. */
export async function hasLivingCode(
  db: Queries,
  userId: string,
  purpose: MailCodeRow['purpose'],
  now: Date,
): Promise<boolean> {
  const living = and(
    eq(mailCodes.userId, userId),
    eq(mailCodes.purpose, purpose),
    isNull(mailCodes.usedAt),
    isNull(mailCodes.voidedAt),
    gt(mailCodes.expiresAt, now),
  );
  return (await db.$count(mailCodes, living)) > 0;
}

/**
 * A code with its user, who is locked: of two uses at the same time the second sees what the first did. Everything that
 * changes a user's codes locks the user first.
 */
export async function findMailCodeForUpdate(
  tx: Queries,
  codeHash: string,
  purposes: readonly MailCodeRow['purpose'][],
): Promise<{ code: MailCodeRow; user: UserRow } | undefined> {
  const found = await findMailCode(tx, codeHash, purposes);
  const user = found && (await findUserForUpdate(tx, found.userId));
  const code = user && (await findMailCode(tx, codeHash, purposes));
  return code && { code, user };
}

export async function setMailCodeUsed(tx: Queries, id: string, at: Date): Promise<void> {
  await tx.update(mailCodes).set({ usedAt: at }).where(eq(mailCodes.id, id));
}

/** False when this proof was used before, also at the same moment. */
export async function insertUsedProof(db: Queries, signature: string, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insert(usedProofs)
    .values({ signature, expiresAt })
    .onConflictDoNothing()
    .returning({ signature: usedProofs.signature });
  return rows.length > 0;
}

/** Accounts whose grace is over, without those of `except`. */
export function listDeletable(db: Queries, now: Date, except: readonly string[], limit: number) {
  return db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(isNotNull(users.deletionAt), lte(users.deletionAt, now), notInArray(users.id, [...except])))
    .limit(limit);
}

/**
 * Sessions, codes and proofs that nobody can use any more; addresses that were registered and never confirmed, and
 * guests without anything. Codes stay a while: their link says "already done" or "too late".
 */
export async function deleteExpired(db: Queries, now: Date, before: Date): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, now));
  await db.delete(mailCodes).where(or(lt(mailCodes.expiresAt, before), lt(mailCodes.voidedAt, before)));
  await db.delete(usedProofs).where(lt(usedProofs.expiresAt, now));
  await db.delete(rateLimits).where(lt(rateLimits.expire, now));
  const idle = sql`not exists (select 1 from ${sessions} where ${sessions.userId} = ${users.id})
    and not exists (select 1 from ${mailCodes} where ${mailCodes.userId} = ${users.id})
    and not exists (select 1 from ${media} where ${media.ownerId} = ${users.id})
    and not exists (select 1 from ${objects} where ${objects.ownerId} = ${users.id})`;
  const unverified = and(isNull(users.confirmedAt), isNull(users.unconfirmedAt));
  await db.delete(users).where(and(unverified, lt(users.createdAt, before), idle));
}

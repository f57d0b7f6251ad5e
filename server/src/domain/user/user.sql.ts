import { emailKey, type Language } from '@framelift/contract';
import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Queries } from '../../platform/db/open.ts';
import { mailCodes, media, objects, rateLimits, sessions, usedProofs, users } from '../../platform/db/schema.ts';

export type UserRow = typeof users.$inferSelect;
export type MailCodeRow = typeof mailCodes.$inferSelect;

/**
 * Returns whether an account never proved its address, which can then be registered by others. Not true for an account
 * whose confirmation was revoked by an administrator: it may have content.
 */
export function isUnverified({ confirmedAt, unconfirmedAt }: Pick<UserRow, 'confirmedAt' | 'unconfirmedAt'>): boolean {
  return confirmedAt === null && unconfirmedAt === null;
}

export async function findUser(db: Queries, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id));
  return row;
}

/** Returns whether a user is a guest, whose work gives way to that of members. */
export async function isGuest(db: Queries, id: string): Promise<boolean> {
  return (await findUser(db, id))?.kind === 'guest';
}

/** Returns the names of users by their ids. */
export async function userNames(db: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function findMember(db: Queries, email: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(users.emailLower, emailKey(email)));
  return row;
}

/**
 * Lock mode of every change of a user. It still allows inserting rows that refer to the user: a transaction that does
 * so may hold rows that the changer waits for.
 */
const LOCK = 'no key update';

/** Locks the row, so that registrations of one address are serialized. */
export async function findMemberForUpdate(tx: Queries, email: string): Promise<UserRow | undefined> {
  const [row] = await tx
    .select()
    .from(users)
    .where(eq(users.emailLower, emailKey(email)))
    .for(LOCK);
  return row;
}

export interface NewMember {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly passwordHash: string;
  readonly registrationKeyHash?: string | null;
  readonly language: Language;
  readonly createdAt: Date;
  readonly confirmedAt?: Date;
  readonly claimedGuestId?: string | null;
  readonly isAdmin?: boolean;
}

/** Inserts a member. Returns false if the address already has an account. */
export async function insertMember(tx: Queries, member: NewMember): Promise<boolean> {
  const rows = await tx
    .insert(users)
    .values({ ...member, kind: 'member', emailLower: emailKey(member.email) })
    .onConflictDoNothing({ target: users.emailLower })
    .returning({ id: users.id });
  return rows.length > 0;
}

export async function findUserForUpdate(tx: Queries, id: string): Promise<UserRow | undefined> {
  const [row] = await tx.select().from(users).where(eq(users.id, id)).for(LOCK);
  return row;
}

export async function updateUser(db: Queries, id: string, values: Partial<typeof users.$inferInsert>): Promise<void> {
  await db.update(users).set(values).where(eq(users.id, id));
}

/** Deletes a user who owns nothing, with sessions and codes. */
export async function deleteUser(tx: Queries, id: string): Promise<void> {
  await tx.delete(users).where(eq(users.id, id));
}

/** Returns the guest with this key, created if missing; concurrent calls return the same one. */
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

export async function hasSession(db: Queries, id: string, now: Date): Promise<boolean> {
  return (await db.$count(sessions, and(eq(sessions.id, id), gt(sessions.expiresAt, now)))) > 0;
}

export async function touchSession(db: Queries, id: string, now: Date): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
}

export async function deleteSession(db: Queries, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

/** Deletes all sessions of a user except one. Returns how many. */
export async function deleteSessionsOf(tx: Queries, userId: string, except: string | null = null): Promise<number> {
  const rows = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), except ? ne(sessions.id, except) : undefined))
    .returning({ id: sessions.id });
  return rows.length;
}

/** Deletes a session. Returns false if this user has no such session. */
export async function deleteOwnSession(db: Queries, userId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

export function listSessionRows(db: Queries, userId: string, now: Date) {
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

/** Returns a code and its user, locked: of two concurrent uses, the second sees the effect of the first. */
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

/** Records the use of a proof. Returns false if it was used before, even concurrently. */
export async function insertUsedProof(db: Queries, signature: string, expiresAt: Date): Promise<boolean> {
  const rows = await db
    .insert(usedProofs)
    .values({ signature, expiresAt })
    .onConflictDoNothing()
    .returning({ signature: usedProofs.signature });
  return rows.length > 0;
}

/** Returns accounts whose grace period is over, without those in `except`. */
export function listDeletable(db: Queries, now: Date, except: readonly string[], limit: number) {
  return db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(isNotNull(users.deletionAt), lte(users.deletionAt, now), notInArray(users.id, [...except])))
    .limit(limit);
}

/**
 * Deletes expired sessions, codes and proofs, unconfirmed registrations, and guests who own nothing. Codes are kept
 * until `before`, so that their link can report "already done" or "too late".
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

/** Returns the ids of all administrators. */
export async function listAdmins(db: Queries): Promise<string[]> {
  const rows = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true));
  return rows.map(({ id }) => id);
}

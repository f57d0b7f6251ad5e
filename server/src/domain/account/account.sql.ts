import type { Language } from '@framelift/contract';
import { and, eq, gt, isNull, lt, or } from 'drizzle-orm';
import type { Queries } from '../../db/open.ts';
import { mailCodes, sessions, users } from '../../db/schema.ts';

export type UserRow = typeof users.$inferSelect;
export type MailCodeRow = typeof mailCodes.$inferSelect;

/** How an address is compared: any case and any composition of its letters is the same address [A52]. */
export function addressKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
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

/** Locks the row until the transaction ends, so that two registrations of one address follow each other. */
export async function findMemberForUpdate(tx: Queries, email: string): Promise<UserRow | undefined> {
  const [row] = await tx
    .select()
    .from(users)
    .where(eq(users.emailLower, addressKey(email)))
    .for('update');
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

/** What somebody who registers an unconfirmed address again may change. */
export async function replaceUnconfirmed(
  tx: Queries,
  id: string,
  member: Pick<NewMember, 'name' | 'email' | 'phone' | 'passwordHash' | 'language'>,
): Promise<void> {
  const { name, email, phone, passwordHash, language } = member;
  await tx
    .update(users)
    .set({ name, email, phone, passwordHash, language })
    .where(and(eq(users.id, id), isNull(users.confirmedAt)));
}

export async function setPasswordHash(db: Queries, id: string, passwordHash: string): Promise<void> {
  await db.update(users).set({ passwordHash }).where(eq(users.id, id));
}

export async function setConfirmed(tx: Queries, id: string, at: Date): Promise<void> {
  await tx
    .update(users)
    .set({ confirmedAt: at })
    .where(and(eq(users.id, id), isNull(users.confirmedAt)));
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

export async function touchSession(db: Queries, id: string, now: Date): Promise<void> {
  await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
}

export async function deleteSession(db: Queries, id: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, id));
}

export async function deleteSessionsOf(tx: Queries, userId: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.userId, userId));
}

/** Stores a new code and voids the older ones of the same purpose. */
export async function insertMailCode(tx: Queries, code: typeof mailCodes.$inferInsert): Promise<void> {
  await tx
    .update(mailCodes)
    .set({ voidedAt: code.createdAt })
    .where(
      and(
        eq(mailCodes.userId, code.userId),
        eq(mailCodes.purpose, code.purpose),
        isNull(mailCodes.usedAt),
        isNull(mailCodes.voidedAt),
      ),
    );
  await tx.insert(mailCodes).values(code);
}

/** A code with its user, both locked: of two uses at the same time the second sees what the first did. */
export async function findMailCodeForUpdate(tx: Queries, codeHash: string, purpose: MailCodeRow['purpose']) {
  const [row] = await tx
    .select({ code: mailCodes, user: users })
    .from(mailCodes)
    .innerJoin(users, eq(users.id, mailCodes.userId))
    .where(and(eq(mailCodes.codeHash, codeHash), eq(mailCodes.purpose, purpose)))
    .for('update');
  return row;
}

export async function setMailCodeUsed(tx: Queries, id: string, at: Date): Promise<void> {
  await tx.update(mailCodes).set({ usedAt: at }).where(eq(mailCodes.id, id));
}

/** Sessions and codes that nobody can use any more. Confirmed-by codes stay a while: their link says "already done". */
export async function deleteExpired(db: Queries, now: Date, codesBefore: Date): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, now));
  await db.delete(mailCodes).where(or(lt(mailCodes.expiresAt, codesBefore), lt(mailCodes.voidedAt, codesBefore)));
}

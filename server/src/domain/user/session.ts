import { type Actor as ActorKind, ApiError, type Language, LIMITS, type Session } from '@framelift/contract';
import { type Actor, signedIn, visitor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/time.ts';
import {
  deleteOwnSession,
  deleteSession,
  deleteSessionsOf,
  findSession,
  hasSession,
  insertSession,
  listSessionRows,
  touchSession,
  type UserRow,
} from './user.sql.ts';
import { isVipNow } from './user.ts';

/** Minimum interval between updates of `last_seen_at`, which is only informative. */
const TOUCH_MS = 5 * MINUTE_MS;

/** Starts a session and returns its token, which is stored only as a hash. */
export async function startSession(
  context: Pick<Context, 'ids' | 'clock'>,
  db: Queries,
  userId: string,
  userAgent: string | undefined,
): Promise<string> {
  const token = context.ids.secret();
  const now = context.clock.now();
  await insertSession(db, {
    id: context.ids.uuid(),
    tokenHash: hashSecret(token),
    userId,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + LIMITS.sessionDays * DAY_MS),
    userAgent: (userAgent ?? '').slice(0, 300),
  });
  return token;
}

/** Returns the holder of a token; a visitor for a missing, unknown or expired one. */
export async function resolveActor(context: Context, token: string | undefined, language: Language): Promise<Actor> {
  if (!token) return visitor(language);
  const now = context.clock.now();
  const found = await findSession(context.db, hashSecret(token), now);
  if (!found) return visitor(language);
  const { session, user } = found;
  // The grace period has expired; a job will delete the rest.
  if (user.deletionAt && user.deletionAt <= now) return visitor(language);
  // A login was in progress when the member was restricted.
  if (user.restrictedAt) return visitor(language);
  if (Math.abs(now.getTime() - session.lastSeenAt.getTime()) > TOUCH_MS)
    await touchSession(context.db, session.id, now);
  return {
    kind: kindOf(user, now),
    userId: user.id,
    sessionId: session.id,
    // Guests always read English; the choice stored by a member of the same browser is left alone [A104].
    language: user.kind === 'guest' ? 'en' : language,
  };
}

/** Returns whether the caller's session is still valid, for long-running responses. */
export async function isStillSignedIn({ db, clock }: Context, { sessionId }: Actor): Promise<boolean> {
  return sessionId !== null && hasSession(db, sessionId, clock.now());
}

/** Ends the caller's session, if any. */
export async function logout(context: Context, actor: Actor): Promise<Record<string, never>> {
  if (actor.sessionId) await deleteSession(context.db, actor.sessionId);
  return {};
}

export async function listSessions(context: Context, actor: Actor): Promise<Session[]> {
  const rows = await listSessionRows(context.db, signedIn(actor).userId, context.clock.now());
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.userAgent,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    current: row.id === actor.sessionId,
  }));
}

/** @throws ApiError `sessionNotFound` */
export async function revokeSession(
  context: Context,
  actor: Actor,
  { id }: { readonly id: string },
): Promise<{ id: string }> {
  if (!(await deleteOwnSession(context.db, signedIn(actor).userId, id))) throw new ApiError('sessionNotFound');
  return { id };
}

export async function revokeOtherSessions(context: Context, actor: Actor): Promise<{ ended: number }> {
  return { ended: await deleteSessionsOf(context.db, signedIn(actor).userId, actor.sessionId) };
}

function kindOf(user: UserRow, now: Date): ActorKind {
  if (user.kind === 'guest') return 'guest';
  if (!user.confirmedAt) return 'unconfirmed';
  if (user.isAdmin) return 'admin';
  if (user.suspendedAt) return 'suspended';
  return isVipNow(user, now) ? 'vip' : 'member';
}

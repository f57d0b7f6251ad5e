import { type Actor as ActorKind, type Language, LIMITS } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/open.ts';
import { type Actor, visitor } from '../actor.ts';
import { hashSecret } from '../secrets.ts';
import { deleteSession, findSession, insertSession, touchSession, type UserRow } from './account.sql.ts';

const DAY_MS = 86_400_000;
/** `last_seen_at` is for people to read; not every call needs a write. */
const TOUCH_MS = 5 * 60_000;

/** Starts a session of 30 days at most and answers its token, which exists nowhere but with the caller. */
export async function startSession(
  context: Context,
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

/** Who holds this token. A missing, unknown, ended or expired one is a visitor's. */
export async function resolveActor(context: Context, token: string | undefined, language: Language): Promise<Actor> {
  if (!token) return visitor(language);
  const now = context.clock.now();
  const found = await findSession(context.db, hashSecret(token), now);
  if (!found) return visitor(language);
  const { session, user } = found;
  if (now.getTime() - session.lastSeenAt.getTime() > TOUCH_MS) await touchSession(context.db, session.id, now);
  return {
    kind: kindOf(user),
    userId: user.id,
    sessionId: session.id,
    // A guest sees English always; the stored choice of a member on the same browser is not touched [A104].
    language: user.kind === 'guest' ? 'en' : language,
  };
}

/** Ends the caller's session on the server; without one there is nothing to do. */
export async function logout(context: Context, actor: Actor): Promise<Record<string, never>> {
  if (actor.sessionId) await deleteSession(context.db, actor.sessionId);
  return {};
}

function kindOf(user: UserRow): ActorKind {
  if (user.kind === 'guest') return 'guest';
  if (!user.confirmedAt) return 'unconfirmed';
  if (user.isAdmin) return 'admin';
  if (user.suspendedAt) return 'suspended';
  return user.vipAt ? 'vip' : 'member';
}

import type { AuditAction } from '@framelift/contract';
import { and, isNull, sql } from 'drizzle-orm';
import { type Actor, signedIn } from '../actor.ts';
import type { Context } from '../context.ts';
import type { Queries, Tx } from './db/open.ts';
import { auditLog } from './db/schema.ts';

/** An administrator and the IP address of the call. */
export interface AuditActor {
  readonly actor: Actor;
  readonly address: string;
}

interface AuditEvent {
  readonly action: AuditAction;
  /** The account concerned. */
  readonly subjectId?: string;
  /** What is concerned if not an account. */
  readonly target?: string;
  /** Values before and after. Never secrets, names or addresses: those must be deleted with their account. */
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

/** Records an action of an administrator, in the transaction of the action. */
export async function writeAudit(
  { ids, clock }: Context,
  tx: Tx,
  { actor, address }: AuditActor,
  event: AuditEvent,
): Promise<void> {
  const entry = { id: ids.uuid(), createdAt: clock.now(), actorId: signedIn(actor).userId, address };
  await tx.insert(auditLog).values({ ...entry, ...event });
}

/** Erases the reasons given about deleted accounts, because they may contain personal data. */
export async function eraseAuditReasons(db: Queries): Promise<void> {
  const { subjectId, after } = auditLog;
  await db
    .update(auditLog)
    .set({ after: sql`${after} - 'reason'` })
    .where(and(isNull(subjectId), sql`${after} -> 'reason' is not null`));
}

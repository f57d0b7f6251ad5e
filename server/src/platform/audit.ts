import type { AuditAction } from '@framelift/contract';
import { type Actor, signedIn } from '../actor.ts';
import type { Context } from '../context.ts';
import { insertAuditEntry } from '../domain/admin/audit.sql.ts';
import type { Tx } from './db/open.ts';

/** Who does something, and the address that the call came from. */
export interface Doer {
  readonly actor: Actor;
  readonly address: string;
}

interface Deed {
  readonly action: AuditAction;
  /** Whose account it is about. */
  readonly subjectId?: string;
  /** What it is about, where that is no account. */
  readonly target?: string;
  /** What was and what is. Never a secret, a name or an address: those go with their account. */
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

/** Writes down what an administrator does, in the transaction that does it: there is neither without the other. */
export function writeAudit(context: Context, tx: Tx, { actor, address }: Doer, deed: Deed): Promise<void> {
  return insertAuditEntry(tx, {
    id: context.ids.uuid(),
    createdAt: context.clock.now(),
    actorId: signedIn(actor).userId,
    address,
    ...deed,
  });
}

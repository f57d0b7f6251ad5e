import { isStrongPassword } from '@framelift/contract';
import type { Clock, Ids } from '../../context.ts';
import type { Db } from '../../platform/db/open.ts';
import { seedOnce } from '../../platform/db/seed.ts';
import { hashPassword } from './passwords.ts';
import { insertMember } from './user.sql.ts';

export interface FirstAccount {
  readonly email: string;
  readonly password: string;
}

export interface FirstAccounts {
  readonly admin: FirstAccount | null;
  readonly demo: FirstAccount | null;
}

const DEMO_EMAIL = 'demo@framelift.local';

/**
 * Creates an administrator on the first start of an installation, and a demo member in sandbox mode. Returns their
 * passwords, which are not stored.
 */
export async function createFirstAccounts(
  parts: { readonly db: Db; readonly clock: Clock; readonly ids: Ids },
  settings: { readonly adminEmail: string; readonly sandbox: boolean },
): Promise<FirstAccounts> {
  return {
    admin: await createOnce(parts, 'admin', { name: 'Admin', email: settings.adminEmail, isAdmin: true }),
    demo: settings.sandbox
      ? await createOnce(parts, 'demo', { name: 'Demo', email: DEMO_EMAIL, isAdmin: false })
      : null,
  };
}

async function createOnce(
  { db, clock, ids }: { readonly db: Db; readonly clock: Clock; readonly ids: Ids },
  seed: string,
  account: { readonly name: string; readonly email: string; readonly isAdmin: boolean },
): Promise<FirstAccount | null> {
  const password = randomPassword(ids);
  const now = clock.now();
  const made = await seedOnce(db, `account:${seed}`, now, async (tx) =>
    insertMember(tx, {
      id: ids.uuid(),
      ...account,
      phone: '',
      passwordHash: await hashPassword(password),
      language: 'en',
      createdAt: now,
      confirmedAt: now,
    }),
  );
  return made ? { email: account.email, password } : null;
}

/** Returns 16 characters, about 90 bits, without characters that look alike. */
function randomPassword(ids: Ids): string {
  for (;;) {
    const password = ids
      .secret()
      .replace(/[-_0OoIl1]/g, '')
      .slice(0, 16);
    if (password.length === 16 && isStrongPassword(password)) return password;
  }
}

import { type api, type InputOf, storageDefault } from '@framelift/contract';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Queries } from '../../platform/db/open.ts';
import { readSetting, writeSetting } from './site.sql.ts';

/** Returns the limit that an operator set, in bytes; null follows the setting STORAGE_LIMIT_MB. */
export async function readStorageDefault(db: Queries): Promise<number | null> {
  return storageDefault.safeParse(await readSetting(db, 'storage')).data?.limit ?? null;
}

/** Returns the bytes that a member without a limit of their own may store. */
export async function getStorageDefault({ settings }: Pick<Context, 'settings'>, db: Queries): Promise<number> {
  return (await readStorageDefault(db)) ?? settings.storageBytes;
}

/** Applies to the next upload of every member; nothing that is stored is deleted. */
export async function setStorageDefault(
  context: Context,
  auditActor: AuditActor,
  { limit }: InputOf<typeof api.setStorageDefault>,
): Promise<InputOf<typeof api.setStorageDefault>> {
  await context.db.transaction(async (tx) => {
    const before = { limit: await readStorageDefault(tx) };
    if (before.limit === limit) return;
    await writeSetting(tx, 'storage', { limit }, context.clock.now());
    await writeAudit(context, tx, auditActor, { action: 'storage.default', before, after: { limit } });
  });
  return { limit };
}

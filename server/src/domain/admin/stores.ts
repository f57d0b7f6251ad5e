import { ApiError, api, type InputOf, inEveryLanguage, type ManagedStore } from '@framelift/contract';
import { eq } from 'drizzle-orm';
import { signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import { stores } from '../../platform/db/schema.ts';
import { iconUrl } from '../catalogue/stores.ts';
import { deleteOrphans } from '../media/asset.sql.ts';
import { deleteObjects, storeResults } from '../media/results.ts';
import { changedFields } from './changed-fields.ts';
import { storeCoverOf } from './cover-of-media.ts';
import { findStoreForUpdate, insertStore, listManagedStoreRows, updateStore } from './shop.sql.ts';

/** Pixels of an icon on its longer side: it is shown small, on screens with many pixels. */
const ICON_PX = 192;

/** Returns all stores in their order, inactive ones too. */
export async function listManagedStores({ db }: Context): Promise<ManagedStore[]> {
  return (await listManagedStoreRows(db)).map(present);
}

/**
 * Changes a store, or adds one.
 * @throws ApiError `storeNotFound`; `mediaNotFound` for a picture that is not the caller's or has no cover yet;
 *   `conversionFailed`
 */
export async function setStore(
  context: Context,
  auditActor: AuditActor,
  { icon_media, ...input }: InputOf<typeof api.setStore>,
): Promise<ManagedStore> {
  const orphans: string[] = [];
  const store = await storeResults(context, async (results) => {
    const iconKey = icon_media
      ? await storeCoverOf(context, auditActor, icon_media, { longest: ICON_PX, call: api.setStore, results })
      : icon_media;
    return context.db.transaction(async (tx) => {
      const { id, name, position, is_active: isActive } = input;
      // Icons belong to whoever chose them; a store outlives their account, without it.
      if (iconKey) await results.save(tx, { id: '', ownerId: signedIn(auditActor.actor).userId });
      const values = { name, position, isActive, ...(iconKey !== undefined && { iconKey }) };
      const before = id === null ? null : await findStoreForUpdate(tx, id);
      if (before === undefined) throw new ApiError('storeNotFound');
      const row = { ...values, slug: `own-${context.ids.uuid()}`, createdAt: context.clock.now() };
      const storeId = before?.id ?? (await insertStore(tx, row));
      if (before) await updateStore(tx, before.id, values);
      if (before?.iconKey && iconKey !== undefined) orphans.push(...(await deleteOrphans(tx, [before.iconKey])));
      const changes = changedFields(before ?? {}, values);
      if (changes) await writeAudit(context, tx, auditActor, { action: 'store', target: name.en, ...changes });
      const [managed] = await listManagedStoreRows(tx, eq(stores.id, storeId));
      if (!managed) throw new ApiError('storeNotFound');
      return present(managed);
    });
  });
  await deleteObjects(context, orphans);
  return store;
}

function present({ store, products }: Awaited<ReturnType<typeof listManagedStoreRows>>[number]): ManagedStore {
  const { id, name, position, isActive } = store;
  return { id, name: inEveryLanguage(name, ''), icon: iconUrl(store), position, is_active: isActive, products };
}

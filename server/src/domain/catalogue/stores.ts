import { API_BASE, api, fillPath, type InputOf, inLanguage, type Language, type Store } from '@framelift/contract';
import type { Actor } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type Page, pagedByPlace } from '../../platform/paging.ts';
import { type OpenAsset, openObject } from '../media/deliver/asset.ts';
import { findStore, listStoreRows, type StoreRow } from './catalogue.sql.ts';

/** Returns a page of the active stores; none to a guest. @throws ApiError `invalidInput` for an invalid cursor */
export async function listStores(
  { db }: Context,
  actor: Actor,
  { page }: InputOf<typeof api.stores>,
): Promise<Page<Store>> {
  if (actor.kind === 'guest') return { items: [], next: null };
  return pagedByPlace({
    cursor: page,
    read: (request) => listStoreRows(db, request),
    positionOf: (row) => row,
    present: (rows) => rows.map((row) => presentStore(row, actor.language)),
  });
}

/** Opens the icon of a store. @throws ApiError `storeNotFound`, also without an icon */
export async function openStoreIcon(context: Context, { store_id }: { readonly store_id: number }): Promise<OpenAsset> {
  const row = await findStore(context.db, store_id);
  return openObject(context, row?.iconKey ?? undefined, 'storeNotFound');
}

export function presentStore(row: StoreRow, language: Language): Store {
  return { id: row.id, name: inLanguage(row.name, language), icon: iconUrl(row) };
}

/** Returns the URL of the icon, which changes with it; null without one. */
export function iconUrl({ id, iconKey }: StoreRow): string | null {
  if (!iconKey) return null;
  return `${API_BASE}${fillPath(api.storeIcon.path, { store_id: id })}?v=${iconKey.slice(-12)}`;
}

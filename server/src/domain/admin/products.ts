import { ApiError, type api, type InputOf, inEveryLanguage, type ManagedProduct } from '@framelift/contract';
import { signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { type AuditActor, writeAudit } from '../../platform/audit.ts';
import type { Tx } from '../../platform/db/open.ts';
import { ADMIN_PAGE_SIZE, type Page, pagedByPlace } from '../../platform/paging.ts';
import { findAlbumForUpdate } from '../album/album.sql.ts';
import { listContents } from '../catalogue/catalogue.sql.ts';
import { contentUrl } from '../catalogue/products.ts';
import { changedFields } from './changed-fields.ts';
import {
  findManagedProduct,
  findProductForUpdate,
  findStoreForUpdate,
  insertProduct,
  listManagedProductRows,
  type ManagedProductRow,
  updateProduct,
} from './shop.sql.ts';

/** Returns a page of products, also of those that are not on show. @throws ApiError `invalidInput` for an invalid cursor */
export function listManagedProducts(
  context: Context,
  { page, store }: InputOf<typeof api.managedProducts>,
): Promise<Page<ManagedProduct>> {
  const { db, clock } = context;
  return pagedByPlace({
    cursor: page,
    size: ADMIN_PAGE_SIZE,
    read: (request) => listManagedProductRows(db, clock.now(), store ?? null, request),
    positionOf: ({ product }) => product,
    present: (rows) => present(context, rows),
  });
}

/**
 * Changes a product, or adds one.
 * @throws ApiError `productNotFound`, `storeNotFound`; `albumNotFound` for one that is neither the caller's nor the
 *   product's; `productNotReady` for one that is to be activated with nothing to show, or neither free nor for sale
 */
export async function setProduct(
  context: Context,
  auditActor: AuditActor,
  input: InputOf<typeof api.setProduct>,
): Promise<ManagedProduct> {
  const { db, clock } = context;
  const id = await db.transaction(async (tx) => {
    const { name, content, position, store_id: storeId, album_id: albumId } = input;
    const values = {
      name,
      content,
      position,
      storeId,
      albumId,
      hasFree: input.has_free,
      isActivated: input.is_activated,
    };
    const before = input.id === null ? null : await findProductForUpdate(tx, input.id);
    if (before === undefined) throw new ApiError('productNotFound');
    if (!(await findStoreForUpdate(tx, storeId))) throw new ApiError('storeNotFound');
    if (albumId !== null && albumId !== before?.albumId) await takeAlbum(tx, auditActor, albumId);
    const productId = before?.id ?? (await insertProduct(tx, { ...values, createdAt: clock.now() }));
    if (before) await updateProduct(tx, before.id, values);
    const row = await findManagedProduct(tx, clock.now(), productId);
    // Members keep what they have.
    if (row && row.members > 0 && before?.albumId && before.albumId !== albumId) throw new ApiError('albumOfMembers');
    if (!row) throw new ApiError('productNotFound');
    const isReady = row.ready > 0 && (row.product.hasFree || row.offers > 0);
    const { albumId: earlier = null, hasFree = false, isActivated = false } = before ?? {};
    // One that is on show and lost its last offer can still be renamed.
    const isTouched = !isActivated || earlier !== albumId || hasFree !== values.hasFree;
    if (values.isActivated && isTouched && !isReady) throw new ApiError('productNotReady');
    const changes = changedFields(before ?? {}, values);
    if (changes) await writeAudit(context, tx, auditActor, { action: 'product', target: name.en, ...changes });
    return productId;
  });
  const row = await findManagedProduct(db, clock.now(), id);
  const [product] = row ? await present(context, [row]) : [];
  if (!product) throw new ApiError('productNotFound');
  return product;
}

/** Locks an album of the caller, so that it is not deleted at the same moment. @throws ApiError `albumNotFound` */
async function takeAlbum(tx: Tx, { actor }: AuditActor, albumId: string): Promise<void> {
  const album = await findAlbumForUpdate(tx, signedIn(actor).userId, albumId);
  if (!album || album.deletedAt) throw new ApiError('albumNotFound');
}

async function present({ db }: Context, rows: readonly ManagedProductRow[]): Promise<ManagedProduct[]> {
  const contents = await listContents(
    db,
    rows.flatMap(({ product }) => product.albumId ?? []),
  );
  return rows.map(({ product, store, album, ready, waiting, offers, members }) => {
    const first = contents.find(({ albumId }) => albumId === product.albumId);
    return {
      id: product.id,
      store: { id: store.id, name: inEveryLanguage(store.name, '') },
      name: inEveryLanguage(product.name, ''),
      content: inEveryLanguage(product.content, ''),
      is_activated: product.isActivated,
      has_free: product.hasFree,
      position: product.position,
      album: album && { id: album.id, name: album.name, ready, waiting },
      cover: first?.keys.cover ? contentUrl(product.id, first.media.id, 'cover', first.keys.cover) : null,
      offers,
      members,
    };
  });
}

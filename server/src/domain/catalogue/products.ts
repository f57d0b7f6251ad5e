import {
  API_BASE,
  ApiError,
  api,
  fillPath,
  type InputOf,
  inLanguage,
  type ParamsOf,
  type Product,
  type ProductSubscription,
} from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../platform/db/open.ts';
import { type Page, pagedByPlace } from '../../platform/paging.ts';
import { type OpenAsset, openObject } from '../media/deliver/asset.ts';
import { teaserPart } from '../media/deliver/teaser.ts';
import { findMedia } from '../media/media.sql.ts';
import {
  findLiveSubscription,
  hadFreeSince,
  hasEverHad,
  listCurrentProducts,
  type SubscriptionRow,
} from '../membership/membership.sql.ts';
import { endSubscription, saveFree, setCancelAtEnd } from '../membership/subscriptions.ts';
import {
  type ContentRow,
  findProductView,
  isContent,
  listContents,
  listProductViews,
  type ProductView,
} from './catalogue.sql.ts';
import { presentStore } from './stores.ts';

/** How long a free product that was removed can be had back, also off the shelf: the time in which somebody undoes it. */
const UNDO_MS = 10 * 60_000;

interface ById {
  readonly product_id: number;
}
interface ByTarget {
  readonly target: number;
}

/** Returns a page of the products on show. @throws ApiError `invalidInput` for an invalid cursor */
export function listProducts(
  context: Context,
  actor: Actor,
  { page, store }: InputOf<typeof api.products>,
): Promise<Page<Product>> {
  return pagedByPlace({
    cursor: page,
    read: (request) => listProductViews(context.db, store ?? null, request),
    positionOf: ({ product }) => product,
    present: (views) => present(context, actor, views),
  });
}

/** Returns a product on show, one that the caller has, and to operators any. @throws ApiError `productNotFound` */
export async function getProduct(context: Context, actor: Actor, { product_id }: ById): Promise<Product> {
  const [product] = await present(context, actor, [await findVisible(context, actor, product_id)]);
  if (!product) throw new Error('One product was presented as none');
  return product;
}

/**
 * Opens the cover of a picture of a product, or a part of its small preview.
 * @param signal aborted when the caller hangs up
 * @throws ApiError `productNotFound`; `mediaNotFound` for what does not lie in it, and a part that there is not;
 *   `conversionFailed`
 */
export async function openProductPart(
  context: Context,
  actor: Actor,
  { product_id, media_id, part }: ParamsOf<typeof api.productPart>,
  signal: AbortSignal,
): Promise<OpenAsset> {
  const { db } = context;
  const { albumId } = (await findVisible(context, actor, product_id)).product;
  const view = albumId && (await isContent(db, albumId, media_id)) ? await findMedia(db, media_id) : undefined;
  if (!view) throw new ApiError('mediaNotFound');
  const key = part === 'cover' ? view.keys.cover : await teaserPart(context, view, part, signal);
  return openObject(context, key ?? undefined);
}

/**
 * Saves a free product for the caller. A repeated call succeeds as well, and one that undoes a removal, even off the shelf.
 * @throws ApiError `productNotFound`; `subscribeFailed` for one that is not free; `alreadySubscribed` for one that the
 *   caller has bought
 */
export async function saveFreeProduct(
  context: Context,
  actor: Actor,
  { target }: ByTarget,
): Promise<ProductSubscription> {
  const { userId } = signedIn(actor);
  const since = new Date(context.clock.now().getTime() - UNDO_MS);
  if (!(await hadFreeSince(context.db, userId, target, since))) {
    const { product, isOnShow } = await findVisible(context, actor, target);
    if (!isOnShow) throw new ApiError('productNotFound');
    if (!product.hasFree) throw new ApiError('subscribeFailed');
  }
  const saved = await context.db.transaction((tx) => saveFree(context, tx, { userId, productId: target }));
  if (saved.offerId !== null) throw new ApiError('alreadySubscribed');
  return presentSubscription(saved);
}

/**
 * Ends what the caller has of a product: a free one now, a paid one when what is paid has passed. A repeated call changes
 * nothing.
 * @throws ApiError `productNotFound`
 */
export async function unsubscribeFromProduct(
  context: Context,
  actor: Actor,
  { target }: ByTarget,
): Promise<ProductSubscription> {
  const { userId } = signedIn(actor);
  await requireKnown(context, actor, target);
  await context.db.transaction(async (tx) => {
    const live = await findLiveSubscription(tx, userId, { kind: 'product', productId: target });
    if (live?.paidUntil === null) await endSubscription(context, tx, live.id);
    else if (live) await setCancelAtEnd(tx, live.id, true);
  });
  return subscriptionOf(context, context.db, userId, target);
}

/** Tells whether the caller has a product. @throws ApiError `productNotFound` */
export async function checkProductSubscription(
  context: Context,
  actor: Actor,
  { target }: ByTarget,
): Promise<ProductSubscription> {
  await requireKnown(context, actor, target);
  return subscriptionOf(context, context.db, signedIn(actor).userId, target);
}

/**
 * Refuses a product that the caller can neither see nor has ever had: who ended one that is off the shelf may ask again.
 * @throws ApiError `productNotFound`
 */
async function requireKnown(context: Context, actor: Actor, id: number): Promise<void> {
  if (!(await hasEverHad(context.db, signedIn(actor).userId, id))) await findVisible(context, actor, id);
}

/** Returns a product on show, one that the caller has, and to operators any. @throws ApiError `productNotFound` */
async function findVisible(context: Context, actor: Actor, id: number) {
  const view = await findProductView(context.db, id);
  const isVisible =
    view && (view.isOnShow || actor.kind === 'admin' || (await currentOf(context, actor, [id])).length > 0);
  if (!isVisible) throw new ApiError('productNotFound');
  return view;
}

async function currentOf({ db, clock }: Context, { userId }: Actor, ids: readonly number[]) {
  return userId === null ? [] : listCurrentProducts(db, userId, ids, clock.now());
}

async function subscriptionOf(
  { clock }: Context,
  db: Queries,
  userId: string,
  productId: number,
): Promise<ProductSubscription> {
  return presentSubscription((await listCurrentProducts(db, userId, [productId], clock.now()))[0]);
}

function presentSubscription(row: SubscriptionRow | undefined): ProductSubscription {
  return {
    isSubscribed: row !== undefined,
    isFree: row !== undefined && row.offerId === null,
    paid_until: row?.paidUntil?.toISOString() ?? null,
  };
}

async function present(context: Context, actor: Actor, views: readonly ProductView[]): Promise<Product[]> {
  const contents = new Map<string, ContentRow[]>();
  const albumIds = views.flatMap(({ product }) => product.albumId ?? []);
  for (const row of await listContents(context.db, albumIds)) {
    const rows = contents.get(row.albumId);
    if (rows) rows.push(row);
    else contents.set(row.albumId, [row]);
  }
  const current = new Map(
    (
      await currentOf(
        context,
        actor,
        views.map(({ product }) => product.id),
      )
    ).map((row) => [row.productId, row]),
  );
  return views.map(({ product, store }) => {
    const rows = contents.get(product.albumId ?? '') ?? [];
    const subscription = presentSubscription(current.get(product.id));
    return {
      id: product.id,
      name: inLanguage(product.name, actor.language),
      content: inLanguage(product.content, actor.language),
      is_activated: product.isActivated && product.albumId !== null,
      hasFree: product.hasFree,
      ...subscription,
      quantity: rows[0]?.quantity ?? 0,
      media: rows.map((row) => presentContent(product.id, row)),
      store: presentStore(store, actor.language),
      album_id: subscription.isSubscribed ? product.albumId : null,
    };
  });
}

type Part = ParamsOf<typeof api.productPart>['part'];

/** Returns the URL of a part of what lies in a product. It changes with the content. */
export function contentUrl(productId: number, mediaId: string, part: Part, key: string): string {
  const path = fillPath(api.productPart.path, { product_id: productId, media_id: mediaId, part });
  // A key ends with the hash of its content.
  return `${API_BASE}${path}?v=${key.slice(-12)}`;
}

function presentContent(productId: number, { media, keys }: ContentRow): Product['media'][number] {
  const url = (part: Part, key: string) => contentUrl(productId, media.id, part, key);
  const { cover, colour, depth, background, backgroundDepth } = keys;
  return {
    id: media.id,
    media_type: media.mediaType as Product['media'][number]['media_type'],
    cover: cover ? url('cover', cover) : null,
    preview:
      colour && depth && background && backgroundDepth
        ? {
            colour: url('colour', colour),
            depth: url('depth', depth),
            background: url('background', background),
            backgroundDepth: url('backgroundDepth', backgroundDepth),
          }
        : null,
  };
}

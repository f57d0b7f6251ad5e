import type { Language, Product, ProductSubscription } from '@framelift/contract';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { albumListQuery } from './albums.ts';
import { call } from './client.ts';
import { allPages, paged } from './paged.ts';
import { SUBSCRIPTIONS } from './payment.ts';
import { QUIET } from './query-client.ts';

const SHELF_MS = 5 * 60_000;

// The server answers in the caller's language, so every query is one of a language.

/** The stores of the feed. */
export const storesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['stores', language],
    queryFn: ({ signal }) => allPages((at) => call('stores', { input: at, signal })),
    staleTime: SHELF_MS,
    meta: QUIET,
  });

/** The products on show, of one store or of all. */
export const productListQuery = (language: Language, store: number | null) =>
  paged(['products', language, store], (at, signal) =>
    call('products', { input: { ...at, ...(store !== null && { store: String(store) }) }, signal }),
  );

export const productQuery = (language: Language, id: number) =>
  queryOptions({
    queryKey: ['product', id, language],
    queryFn: ({ signal }) => call('product', { params: { product_id: id }, signal }),
    refetchOnMount: 'always',
    meta: QUIET,
  });

/** What the products are sold for. */
export const productSolutionsQuery = (language: Language) =>
  queryOptions({
    queryKey: ['product-solutions', language],
    queryFn: ({ signal }) => allPages((at) => call('product_solutions', { input: at, signal })),
    staleTime: SHELF_MS,
    meta: QUIET,
  });

/** The plans on offer, with that of having none. */
export const planSolutionsQuery = (language: Language) =>
  queryOptions({
    queryKey: ['plan-solutions', language],
    queryFn: ({ signal }) => allPages((at) => call('plan_solutions', { input: at, signal })),
    staleTime: SHELF_MS,
    meta: QUIET,
  });

/** The packs of points on offer. */
export const pointSolutionsQuery = (language: Language) =>
  queryOptions({
    queryKey: ['point-solutions', language],
    queryFn: ({ signal }) => allPages((at) => call('point_solutions', { input: at, signal })),
    staleTime: SHELF_MS,
    meta: QUIET,
  });

/** After a change of what the member has of a product. */
async function had(client: QueryClient, id: number, now: ProductSubscription): Promise<void> {
  const one = { queryKey: ['product', id] };
  client.setQueriesData(one, (product: Product | undefined) => product && { ...product, ...now });
  // The album of the product comes with the product.
  await Promise.all([
    client.invalidateQueries(one),
    client.invalidateQueries({ queryKey: ['products'] }),
    client.invalidateQueries({ queryKey: [SUBSCRIPTIONS] }),
    client.invalidateQueries({ queryKey: albumListQuery.queryKey }),
  ]);
}

/** Saves a free product; saving it again changes nothing. */
export const saveProduct = mutationOptions({
  mutationFn: (id: number) => call('product_subscribe', { input: { target: id } }),
  onSuccess: (now, id, _result, { client }) => had(client, id, now),
});

/** Undoes `saveProduct`. */
export const dropProduct = mutationOptions({
  mutationFn: (id: number) => call('product_unsubscribe', { input: { target: id } }),
  onSuccess: (now, id, _result, { client }) => had(client, id, now),
});

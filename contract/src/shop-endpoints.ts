import { z } from 'zod';
import { MEMBERS, PEOPLE } from './actors.ts';
import { defineEndpoint } from './endpoint.ts';
import { cursor, id, smallId, smallIdText } from './fields.ts';
import { product, productSubscription, project, solution, store } from './shop.ts';

const page = cursor.optional();
/** `v` changes with the content, so that caches never show old bytes. */
const version = z.strictObject({ v: z.string().max(64).optional() });
const target = smallId;

/**
 * What is for sale, in the language of the caller, and what members have of it. Everybody may look at it; a guest gets no
 * stores.
 */
export const shopApi = {
  stores: defineEndpoint({
    name: 'stores',
    method: 'GET',
    path: '/stores',
    kind: 'list',
    summary: 'The active stores, in the order of the operators. Guests have none.',
    actors: PEOPLE,
    input: z.strictObject({ page }),
    output: store,
  }),
  storeIcon: defineEndpoint({
    name: 'storeIcon',
    method: 'GET',
    path: '/store/{store_id}/icon',
    kind: 'file',
    params: z.strictObject({ store_id: smallIdText }),
    input: version,
    summary: 'Returns the icon of a store.',
    actors: PEOPLE,
    output: z.unknown(),
    errors: ['storeNotFound'],
  }),
  products: defineEndpoint({
    name: 'products',
    method: 'GET',
    path: '/products',
    kind: 'list',
    summary: 'The activated products of active stores, or of one store, in the order of the operators.',
    actors: PEOPLE,
    input: z.strictObject({ page, store: smallIdText.optional() }),
    output: product,
  }),
  product: defineEndpoint({
    name: 'product',
    method: 'GET',
    path: '/product/{product_id}',
    params: z.strictObject({ product_id: smallIdText }),
    summary: 'One product: one on show, one that the caller has, and to operators any.',
    actors: PEOPLE,
    output: product,
    errors: ['productNotFound'],
  }),
  productPart: defineEndpoint({
    name: 'productPart',
    method: 'GET',
    path: '/product/{product_id}/{media_id}/{part}',
    kind: 'file',
    params: z.strictObject({
      product_id: smallIdText,
      media_id: id,
      part: z.enum(['cover', 'colour', 'depth', 'background', 'backgroundDepth']),
    }),
    input: version,
    summary: 'Returns the cover of a picture of a product, or a part of its small 3D preview.',
    actors: PEOPLE,
    output: z.unknown(),
    errors: ['productNotFound', 'mediaNotFound', 'conversionFailed'],
  }),
  product_solutions: defineEndpoint({
    name: 'product_solutions',
    method: 'GET',
    path: '/product_solutions',
    kind: 'list',
    summary: 'What activated products, or one of them, are sold for.',
    actors: PEOPLE,
    input: z.strictObject({ page, product_id: smallIdText.optional() }),
    output: solution,
  }),
  plan_solutions: defineEndpoint({
    name: 'plan_solutions',
    method: 'GET',
    path: '/plan_solutions',
    kind: 'list',
    summary: 'The plans on offer. Plan 1, having none, is among them and costs nothing.',
    actors: PEOPLE,
    input: z.strictObject({ page }),
    output: solution,
  }),
  point_solutions: defineEndpoint({
    name: 'point_solutions',
    method: 'GET',
    path: '/point_solutions',
    kind: 'list',
    summary: 'The packs of points on offer.',
    actors: PEOPLE,
    input: z.strictObject({ page }),
    output: solution,
  }),
  projects: defineEndpoint({
    name: 'projects',
    method: 'GET',
    path: '/projects',
    kind: 'list',
    summary: 'Everything that can be paid for, with the projectId of its payment.',
    actors: MEMBERS,
    input: z.strictObject({ page }),
    output: project,
  }),
  product_unsubscribe: defineEndpoint({
    name: 'product_unsubscribe',
    method: 'POST',
    path: '/product_unsubscribe',
    summary:
      'Ends the subscription of a product: a free one now, a paid one when what is paid has passed. A repeated call succeeds as well.',
    actors: MEMBERS,
    input: z.strictObject({ target }),
    output: productSubscription,
    errors: ['productNotFound'],
  }),
  check_product_subscribe: defineEndpoint({
    name: 'check_product_subscribe',
    method: 'POST',
    path: '/check_product_subscribe',
    summary: 'Tells whether the caller has a product.',
    actors: MEMBERS,
    input: z.strictObject({ target }),
    output: productSubscription,
    errors: ['productNotFound'],
  }),
} as const;

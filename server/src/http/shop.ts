import {
  checkProductSubscription,
  getProduct,
  listProducts,
  openProductPart,
  unsubscribeFromProduct,
} from '../domain/catalogue/products.ts';
import { listProjects, listSolutions } from '../domain/catalogue/solutions.ts';
import { listStores, openStoreIcon } from '../domain/catalogue/stores.ts';
import type { Handlers } from './endpoint.ts';
import { sendFile } from './send-file.ts';

/** Kept by browsers, but asked for again at every use: a product can be taken off the shelf. */
const REVALIDATED = 'private, no-cache';

export const shopHandlers = {
  stores: ({ context, actor, input }) => listStores(context, actor, input),
  storeIcon: async ({ context, params, request, reply }) => {
    const icon = await openStoreIcon(context, params);
    reply.header('cache-control', REVALIDATED);
    return sendFile(request, reply, { ...icon, version: icon.sha256 });
  },
  products: ({ context, actor, input }) => listProducts(context, actor, input),
  product: ({ context, actor, params }) => getProduct(context, actor, params),
  productPart: async ({ context, actor, params, request, reply, signal }) => {
    const part = await openProductPart(context, actor, params, signal);
    reply.header('cache-control', REVALIDATED);
    return sendFile(request, reply, { ...part, version: part.sha256 });
  },
  product_solutions: ({ context, actor, input: { page, product_id: productId } }) =>
    listSolutions(context, actor, { page, kind: 'product', productId }),
  plan_solutions: ({ context, actor, input }) => listSolutions(context, actor, { ...input, kind: 'plan' }),
  point_solutions: ({ context, actor, input }) => listSolutions(context, actor, { ...input, kind: 'points' }),
  projects: ({ context, actor, input }) => listProjects(context, actor, input),
  product_unsubscribe: ({ context, actor, input }) => unsubscribeFromProduct(context, actor, input),
  check_product_subscribe: ({ context, actor, input }) => checkProductSubscription(context, actor, input),
} satisfies Partial<Handlers>;

import type { Client, Localized } from '@framelift/contract';
import { offers, products, stores } from '../platform/db/schema.ts';
import type { TestApp } from './app.ts';

const named = (name: string): Localized => ({ en: name });

/** An operator with a store. */
export interface TestShop {
  readonly operator: Client;
  readonly operatorId: string;
  readonly storeId: number;
  /** Adds an activated product with these pictures of the operator in an album. */
  product(
    mediaIds: readonly string[],
    given?: Partial<typeof products.$inferInsert>,
  ): Promise<{ readonly id: number; readonly albumId: string }>;
  /** Adds an offer of a product and returns its id. */
  offer(productId: number, given?: Partial<typeof offers.$inferInsert>): Promise<number>;
}

export async function openTestShop(app: TestApp): Promise<TestShop> {
  const { db, clock } = app.context;
  const { client: operator, userId: operatorId } = await app.admin();
  const createdAt = clock.now();
  const one = <T>([row]: T[]): T => row ?? fail();
  const slug = `test-${operatorId}`;
  const store = { slug, name: { en: 'Paper Moon', zh: '紙月亮' }, position: 0, createdAt };
  const { id: storeId } = one(await db.insert(stores).values(store).returning());
  return {
    operator,
    operatorId,
    storeId,
    async product(mediaIds, given = {}) {
      const { id: albumId } = await operator.call('albumCreate', { input: { name: 'Content' } });
      if (mediaIds.length > 0)
        await operator.call('editToAlbum', { input: { id: albumId, editType: 'add', media_ids: [...mediaIds] } });
      const texts = { name: named('Lanterns'), content: named('Four evenings.') };
      const row = { storeId, ...texts, isActivated: true, albumId, position: 0, createdAt, ...given };
      const { id } = one(await db.insert(products).values(row).returning());
      return { id, albumId };
    },
    async offer(productId, given = {}) {
      const content = { en: [] };
      const price = { priceUsd: 1200, priceTwd: 360_00, period: 3 };
      const row = { kind: 'product', productId, content, ...price, position: 0, createdAt, ...given } as const;
      return one(await db.insert(offers).values(row).returning()).id;
    },
  };
}

function fail(): never {
  throw new Error('An insertion returned no row');
}

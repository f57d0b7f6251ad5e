import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openPostgres } from '../platform/db/open.ts';
import { createLog } from '../platform/log.ts';
import { openTestDatabase, type TestDatabase } from '../testing/database.ts';
import { openSandboxStore } from './store.ts';

const schema = z.object({ orders: z.array(z.string()).default([]) });

describe('the memory of a sandbox', () => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase();
  });
  afterAll(() => opened.close());

  it('loses no change of twenty at once, from two processes', async () => {
    const other = await openPostgres({ connectionString: opened.url }, createLog('silent'));
    const stores = [openSandboxStore(opened.db, 'races', schema), openSandboxStore(other.db, 'races', schema)];
    const add = (name: string, index: number) => stores[index % 2]?.change((state) => state.orders.push(name));
    const sizes = await Promise.all(Array.from({ length: 20 }, (_, index) => add(`order ${index}`, index)));
    expect(sizes.toSorted((a = 0, b = 0) => a - b)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect((await openSandboxStore(other.db, 'races', schema).read()).orders).toHaveLength(20);
    await other.close();
  });

  it('saves nothing of a change that throws, and is apart for each provider', async () => {
    const store = openSandboxStore(opened.db, 'one', schema);
    await store.change((state) => state.orders.push('kept'));
    const failed = store.change((state) => {
      state.orders.push('lost');
      throw new Error('refused');
    });
    await expect(failed).rejects.toThrow('refused');
    expect(await store.read()).toEqual({ orders: ['kept'] });
    expect(await openSandboxStore(opened.db, 'two', schema).read()).toEqual({ orders: [] });
  });
});

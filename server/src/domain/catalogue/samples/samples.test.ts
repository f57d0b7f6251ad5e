import { sizeOf } from '@framelift/engine/testing/pictures';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { products, stores, users } from '../../../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { openTestDatabase } from '../../../testing/database.ts';
import { HEIGHT, WIDTH } from './paper.ts';
import { SAMPLES } from './samples.ts';
import { SCENES } from './scenes.ts';
import { sampleJobs, seedSamples } from './seed-samples.ts';

describe('the samples', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(await openTestDatabase());
  });
  afterAll(() => app.close());
  /** Returns the jobs of a name that begin in so many hours at the earliest. */
  async function jobsOf(name: string, hours = -100): Promise<{ data: object }[]> {
    const start = sql`now() + make_interval(hours => ${hours})`;
    const found = sql`select data from pgboss.job where name = ${name} and start_after > ${start}`;
    return (await app.context.db.execute<{ data: object }>(found)).rows;
  }

  it('are drawings that are the same every time, each other than all, with a depth of near and far', async () => {
    const drawings = Object.entries(SCENES).map(([name, draw]) => {
      const drawing = draw();
      expect(draw(), name).toEqual(drawing);
      return drawing.colour;
    });
    expect(new Set(drawings).size).toBe(drawings.length);
    const [draw] = Object.values(SCENES);
    const { depth } = draw?.() ?? expect.fail('no drawing');
    const { channels } = await sharp(Buffer.from(depth)).resize(90).stats();
    expect([channels[0]?.min, (channels[0]?.max ?? 0) > 200]).toEqual([0, true]);
  });

  it('are added once: a store with an icon, and a product that appears with its first picture, in three languages', async () => {
    const [store, ...others] = SAMPLES;
    const [product] = store?.products ?? [];
    if (!store || !product) throw new Error('There are no samples');
    // One picture of them, a small one, since each takes seconds.
    const few = [{ ...store, products: [{ ...product, scenes: product.scenes.slice(0, 1) }] }];
    await seedSamples(app.context, few, 0.4);
    const { db } = app.context;
    const added = async () => [await db.$count(stores), await db.$count(products), await db.$count(users)];
    const once = await added();
    expect(once.slice(0, 2)).toEqual([1, 1]);
    // Not even by two servers that start at the same time.
    await Promise.all([seedSamples(app.context, others), seedSamples(app.context)]);
    expect(await added()).toEqual(once);
    const list = async (language: string) => (await app.client({ language }).call('products', { input: {} })).data;
    const [shown, ...rest] = await vi.waitFor(
      async () => {
        const rows = await list('en');
        if (rows.length === 0) throw new Error('Nothing is on show yet');
        return rows;
      },
      { timeout: 60_000, interval: 200 },
    );
    expect(rest).toEqual([]);
    expect(shown).toMatchObject({ name: 'First evening', hasFree: true, quantity: 1, store: { name: 'Paper Moon' } });
    for (const language of ['zh', 'ja'])
      expect((await list(language))[0]?.name).toMatch(/[\p{Script=Han}\p{Script=Hiragana}]/u);
    const colour = await fetch(app.url + (shown?.media[0]?.preview?.colour ?? ''));
    const { width, height } = await sizeOf(Buffer.from(await colour.arrayBuffer()));
    expect([width, height]).toEqual([WIDTH * 0.4, HEIGHT * 0.4]);
    const icon = await vi.waitFor(
      async () => {
        const [row] = (await app.client().call('stores', { input: {} })).data;
        return row?.icon ?? expect.fail('no icon yet');
      },
      { timeout: 30_000, interval: 200 },
    );
    expect((await fetch(app.url + icon)).status).toBe(200);

    // A member's first upload waits for none of them.
    expect([await jobsOf('media.convert'), await jobsOf('media.convertForGuest')]).toMatchObject([[], [{}]]);

    // What could not be drawn is tried again, a day later.
    for (const { job, dead } of sampleJobs) {
      const [row] = await jobsOf(job.name);
      await dead?.(app.context, row?.data ?? {});
      expect(await jobsOf(job.name, 23)).toMatchObject([{ data: row?.data }]);
    }

    const { token } = await app.member();
    const client = app.client({ token });
    await client.call('product_subscribe', { input: { target: shown?.id ?? 0 } });
    const [album] = (await client.call('albums', { input: {} })).data;
    const [picture] = (await client.call('videos', { input: { album: album?.id ?? '' } })).data;
    const media = await client.call('media', { params: { id: picture?.id ?? '' } });
    expect(media).toMatchObject({ status: 1, effect: 100, depthSource: 'member' });
  });
});

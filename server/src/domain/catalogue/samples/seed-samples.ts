import { join } from 'node:path';
import { byLanguage, type Localized } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { albumMedia, albums, offers, products, stores } from '../../../platform/db/schema.ts';
import { seedOnce } from '../../../platform/db/seed.ts';
import { defineJob, handle, type Job } from '../../../platform/jobs/job.ts';
import { DAY_MS } from '../../../platform/time.ts';
import { findDeviceTypeBySlug } from '../../device-type/device-type.sql.ts';
import { importPicture } from '../../media/lifecycle/import-picture.ts';
import { storeResults } from '../../media/results.ts';
import { hashPassword } from '../../user/passwords.ts';
import { insertMember } from '../../user/user.sql.ts';
import { HEIGHT, WIDTH } from './paper.ts';
import { SAMPLES, type SampleStore } from './samples.ts';
import { SCENES, type SceneName } from './scenes.ts';

/** Owns the samples. Nobody knows its password, and no mail reaches it. */
const OWNER = { name: 'Framelift', email: 'samples@framelift.local' } as const;
/** The drawings have its ratio. */
const DEVICE = 'looking-glass-portrait';
/** Pixels of the panel for each unit of a drawing, and of an icon. */
const PANEL_SCALE = 1536 / WIDTH;
const ICON_SCALE = 0.16;

const sceneName = z.enum(Object.keys(SCENES) as [SceneName, ...SceneName[]]);
/** Draws a picture, and puts it into its album. */
const drawPicture = defineJob(
  'samples.draw',
  z.strictObject({ mediaId: z.uuid(), ownerId: z.uuid(), albumId: z.uuid(), scene: sceneName, scale: z.number() }),
  { retryDelay: 40, longestDelay: 600 },
);
const drawIcon = defineJob('samples.icon', z.strictObject({ storeId: z.int(), ownerId: z.uuid(), scene: sceneName }), {
  retryDelay: 40,
  longestDelay: 600,
});

/**
 * Adds a small catalogue of our own drawings, once. They are drawn and converted in the background, and a product appears
 * with its first picture. What operators change or take away stays so.
 */
export async function seedSamples(
  context: Context,
  samples: readonly SampleStore[] = SAMPLES,
  scale = PANEL_SCALE,
): Promise<void> {
  const { db, ids, clock } = context;
  const createdAt = clock.now();
  await seedOnce(db, 'samples', createdAt, async (tx) => {
    const ownerId = ids.uuid();
    const passwordHash = await hashPassword(ids.secret());
    const account = {
      phone: '',
      passwordHash,
      isAdmin: false,
      language: 'en',
      createdAt,
      confirmedAt: createdAt,
    } as const;
    // Somebody uses the address: the catalogue stays empty.
    if (!(await insertMember(tx, { id: ownerId, ...OWNER, ...account })))
      return context.log.warn({ email: OWNER.email }, 'The samples were not added: their address is taken');
    for (const [position, sample] of samples.entries())
      await seedStore(context, tx, { ownerId, position, sample, scale });
  });
}

const written = (key: (language: Parameters<typeof textsIn>[0]) => string): Localized => byLanguage(key);

async function seedStore(
  context: Context,
  tx: Tx,
  {
    ownerId,
    position,
    sample,
    scale,
  }: { readonly ownerId: string; readonly position: number; readonly sample: SampleStore; readonly scale: number },
): Promise<void> {
  const { ids, clock, jobs } = context;
  const createdAt = clock.now();
  const name = written((language) => textsIn(language, 'seeds')(`stores.${sample.name}`));
  const [store] = await tx
    .insert(stores)
    .values({ slug: sample.name, name, position, createdAt })
    .returning({ id: stores.id });
  if (!store) throw new Error('An insertion returned no row');
  await jobs.enqueue(tx, drawIcon, { storeId: store.id, ownerId, scene: sample.icon });
  for (const [place, { name: key, scenes, prices }] of sample.products.entries()) {
    const text = (part: 'name' | 'content') =>
      written((language) => textsIn(language, 'seeds')(`products.${key}.${part}`));
    const albumId = ids.uuid();
    await tx.insert(albums).values({ id: albumId, ownerId, name: text('name').en, createdAt });
    const [product] = await tx
      .insert(products)
      .values({
        ...{ storeId: store.id, name: text('name'), content: text('content'), albumId },
        ...{ hasFree: prices.length === 0, isActivated: true, position: position * 100 + place, createdAt },
      })
      .returning({ id: products.id });
    if (!product) throw new Error('An insertion returned no row');
    for (const [rank, { period, usd, twd }] of prices.entries())
      await tx.insert(offers).values({
        ...{ kind: 'product', productId: product.id, content: { en: [], zh: [], ja: [] } },
        ...{ priceUsd: usd, priceTwd: twd, period, position: rank, createdAt },
      });
    for (const scene of scenes)
      await jobs.enqueue(tx, drawPicture, { mediaId: ids.uuid(), ownerId, albumId, scene, scale });
  }
}

/** In the processes of guests: a member's first upload does not wait for the samples of a first start. */
const afterMembers = (user: string) => ({ user, isGuest: true });

type PictureData = z.output<typeof drawPicture.data>;
type IconData = z.output<typeof drawIcon.data>;

async function runPicture(context: Context, { mediaId, ownerId, albumId, scene, scale }: PictureData): Promise<void> {
  const { db, converter, tempDirs } = context;
  const device = await findDeviceTypeBySlug(db, DEVICE);
  const [album] = await db.select({ id: albums.id }).from(albums).where(eq(albums.id, albumId));
  // An operator has taken one of them away.
  if (!device || !album) return;
  await tempDirs.use(async (folder) => {
    const drawing = SCENES[scene]();
    const [path, depthPath] = [join(folder, 'colour.jpg'), join(folder, 'depth.png')];
    const turn = afterMembers(ownerId);
    await converter.rasterize({ svg: drawing.colour, outPath: path, scale, kind: 'colour' }, turn);
    await converter.rasterize({ svg: drawing.depth, outPath: depthPath, scale, kind: 'depth' }, turn);
    const picture = { id: mediaId, ownerId, name: `${scene}.jpg`, deviceTypeId: device.id, path, depthPath };
    const size = { width: Math.round(WIDTH * scale), height: Math.round(HEIGHT * scale) };
    await importPicture(context, { ...picture, size }, async (tx) => {
      await tx.insert(albumMedia).values({ albumId, mediaId });
    });
  });
}

async function runIcon(context: Context, { storeId, ownerId, scene }: IconData): Promise<void> {
  const { db, converter, tempDirs } = context;
  await storeResults(context, (results) =>
    tempDirs.use(async (folder) => {
      const path = join(folder, 'icon.jpg');
      const drawn = { svg: SCENES[scene]().colour, outPath: path, scale: ICON_SCALE, kind: 'colour' } as const;
      await converter.rasterize(drawn, afterMembers(ownerId));
      const iconKey = await results.put(path, 'image/jpeg');
      await db.transaction(async (tx) => {
        const [store] = await tx.select().from(stores).where(eq(stores.id, storeId)).for('update');
        if (!store || store.iconKey) return;
        await results.save(tx, { id: '', ownerId });
        await tx.update(stores).set({ iconKey }).where(eq(stores.id, storeId));
      });
    }),
  );
}

/** What could not be drawn is tried again on the next day: nobody else would, and its product stays off the shelf. */
async function tryTomorrow<Data extends object>(context: Context, job: Job<Data>, data: Data): Promise<void> {
  const { db, jobs, clock, log } = context;
  log.error({ job: job.name, data }, 'A sample could not be drawn; it is tried again in a day');
  const startAfter = new Date(clock.now().getTime() + DAY_MS);
  await db.transaction((tx) => jobs.enqueue(tx, job, data, { startAfter }));
}

export const sampleJobs = [
  handle<Context, PictureData>(drawPicture, {
    run: runPicture,
    dead: (context, data) => tryTomorrow(context, drawPicture, data),
  }),
  handle<Context, IconData>(drawIcon, {
    run: runIcon,
    dead: (context, data) => tryTomorrow(context, drawIcon, data),
  }),
];

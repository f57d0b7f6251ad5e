import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { byLanguage, LIMITS, type Localized } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { seedOnce } from '../../platform/db/seed.ts';
import { defineJob, handle, type JobRun } from '../../platform/jobs/job.ts';
import { DAY_MS } from '../../platform/time.ts';
import { storeResults } from '../media/results.ts';
import { listAdmins } from '../user/user.sql.ts';
import { findEventForUpdate, insertAngle, insertEvent, updateEvent } from './live.sql.ts';

/** Of its angles, in their order; also the names of their folders. */
const CAMERAS = ['left', 'front', 'above'] as const;
/** As a phone shows it, and small enough for three of them at once. */
const SIZE = { width: 640, height: 360, fps: 15, segmentSeconds: 2 };
const YEARS = 10;
/** In the store. Another number starts a new recording beside those that somebody may be watching. */
const FOLDER = 'live/demo-1';

const drawCamera = defineJob(
  'live.demo',
  z.strictObject({
    camera: z.int(),
    /** Events that get a picture of the scene. */
    eventIds: z.array(z.uuid()),
    seconds: z.number().optional(),
  }),
  { retryDelay: 40, longestDelay: 600 },
);
type DrawData = z.output<typeof drawCamera.data>;

type TextOfSeeds = ReturnType<typeof textsIn<'seeds'>>;
const written = (write: (text: TextOfSeeds) => string): Localized =>
  byLanguage((language) => write(textsIn(language, 'seeds')));

/**
 * Adds a demonstration, once: an event for every member and one for members with a plan, which both go on for years, and one
 * in three days. Their three angles show one scene of ours, drawn in the background within a minute or two, and played in a
 * loop: nothing is encoded afterwards. What operators change or take away stays so.
 * @param seconds how much is drawn, for tests; a minute repeats without a jump
 */
export async function seedLiveDemo(context: Context, seconds?: number): Promise<void> {
  const { db, ids, clock, jobs } = context;
  const now = clock.now();
  const day = DateTime.fromJSDate(now, { zone: LIMITS.timeZone }).startOf('day');
  const evening = day.plus({ days: 3, hours: 20 });
  const endless = { startsAt: day.toJSDate(), endsAt: day.plus({ years: YEARS }).toJSDate() };
  const events = [
    { key: 'open', ...endless, isFreeView: true },
    { key: 'plans', ...endless, isFreeView: false },
    { key: 'next', startsAt: evening.toJSDate(), endsAt: evening.plus({ hours: 2 }).toJSDate(), isFreeView: true },
  ] as const;
  await seedOnce(db, 'live demo', now, async (tx) => {
    const eventIds: string[] = [];
    for (const { key, ...event } of events) {
      const eventId = ids.uuid();
      eventIds.push(eventId);
      await insertEvent(tx, {
        id: eventId,
        title: written((text) => text(`liveDemo.${key}`)),
        ...event,
        createdAt: now,
      });
      for (const [position, camera] of CAMERAS.entries()) {
        const angle = {
          name: written((text) => text(`liveDemo.cameras.${camera}`)),
          source: `store:${FOLDER}/${camera}`,
        };
        await insertAngle(tx, { id: ids.uuid(), eventId, position, ...angle });
      }
    }
    for (const camera of CAMERAS.keys())
      await jobs.enqueue(tx, drawCamera, {
        camera,
        eventIds: camera === 1 ? eventIds : [],
        ...(seconds && { seconds }),
      });
  });
}

async function draw(context: Context, { camera, eventIds, seconds }: DrawData, { signal }: JobRun): Promise<void> {
  const { converter, tempDirs, storage } = context;
  const name = CAMERAS[camera];
  if (name === undefined) throw new Error(`There is no camera ${camera}`);
  await tempDirs.use(async (folder) => {
    const outDir = join(folder, 'loop');
    const posterPath = join(folder, 'poster.jpg');
    await mkdir(outDir);
    await converter.drawLoop({ ...SIZE, outDir, camera, posterPath, ...(seconds && { seconds }) }, { signal });
    const files = (await readdir(outDir)).sort();
    // The playlist after what it names: viewers see all of it or nothing.
    for (const file of [...files.filter((file) => file.endsWith('.ts')), 'index.m3u8'])
      await storage.putFile(`${FOLDER}/${name}/${file}`, join(outDir, file), typeOf(file));
    if (eventIds.length > 0) await setCovers(context, posterPath, eventIds);
  });
}

const typeOf = (file: string) => (file.endsWith('.ts') ? 'video/mp2t' : 'application/vnd.apple.mpegurl');

/** Gives the events a picture, unless an operator was faster. It belongs to the first administrator. */
async function setCovers(context: Context, posterPath: string, eventIds: readonly string[]): Promise<void> {
  const [ownerId] = await listAdmins(context.db);
  if (ownerId === undefined) return;
  await storeResults(context, async (results) => {
    const coverKey = await results.put(posterPath, 'image/jpeg');
    await context.db.transaction(async (tx) => {
      const events = [];
      for (const id of eventIds) events.push(await findEventForUpdate(tx, id));
      const bare = events.flatMap((event) => (event && !event.coverKey ? event.id : []));
      if (bare.length === 0) return;
      await results.save(tx, { id: '', ownerId });
      for (const id of bare) await updateEvent(tx, id, { coverKey });
    });
  });
}

/** What could not be drawn is tried again on the next day: nobody else would. */
async function tryTomorrow({ db, jobs, clock, log }: Context, data: DrawData): Promise<void> {
  log.error({ data }, 'The live demonstration could not be drawn; it is tried again in a day');
  const startAfter = new Date(clock.now().getTime() + DAY_MS);
  await db.transaction((tx) => jobs.enqueue(tx, drawCamera, data, { startAfter }));
}

export const liveDemoJob = handle<Context, DrawData>(drawCamera, { run: draw, dead: tryTomorrow });

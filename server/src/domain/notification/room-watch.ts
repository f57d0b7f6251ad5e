import { z } from 'zod';
import type { Context } from '../../context.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/time.ts';
import { lockSetting, readSetting, writeSetting } from '../site/site.sql.ts';
import { notifyAdmins } from './notify.ts';

const NAME = 'room';
const WATCH_MS = MINUTE_MS;
/** After this time without trouble, trouble is new and told again. */
const EPISODE_MS = HOUR_MS;
/** Every failed call reports: those after the first add nothing. */
const REPORT_MS = 10_000;

/** What all processes of the site have met. */
const kept = z.object({
  /** When room was last found short. */
  shortAt: z.iso.datetime().nullable(),
  /** When a write last failed for want of room. */
  failedAt: z.iso.datetime().nullable(),
});
type Kept = z.output<typeof kept>;

const read = (value: unknown): Kept => kept.safeParse(value).data ?? { shortAt: null, failedAt: null };

/** Returns the time of the last write that failed for want of room, on any machine. */
export async function lastRoomFailure({ db }: Context): Promise<Date | null> {
  const { failedAt } = read(await readSetting(db, NAME));
  return failedAt === null ? null : new Date(failedAt);
}

/**
 * Looks whether the disks of this process have room, and tells the administrators once when they have not.
 * @param failed whether a write has just failed for want of room
 */
export async function watchRoom(context: Context, failed = false): Promise<void> {
  const { db, clock, room, log } = context;
  const free = await room.freeBytes();
  if (!failed && (free === null || free >= room.reserveBytes)) return;
  await db.transaction(async (tx) => {
    const { shortAt, failedAt } = read(await lockSetting(tx, NAME, clock.now()));
    const now = clock.now();
    const isNew = shortAt === null || Math.abs(now.getTime() - Date.parse(shortAt)) > EPISODE_MS;
    const next: Kept = { shortAt: now.toISOString(), failedAt: failed ? now.toISOString() : failedAt };
    await writeSetting(tx, NAME, next, now);
    if (!isNew) return;
    log.error({ free, reserve: room.reserveBytes }, 'There is hardly any room left');
    await notifyAdmins(context, tx, 'serverFull');
  });
}

/** Watches the room until the returned function is called. */
export function keepRoomWatched(context: Context): () => void {
  const look = () => {
    watchRoom(context).catch((error: unknown) => context.log.warn({ err: error }, 'The room could not be watched'));
  };
  look();
  const timer = setInterval(look, WATCH_MS);
  return () => clearInterval(timer);
}

const reported = new WeakMap<Context, number>();

/** Records that a write failed for want of room. Never throws: the database may be what is full. */
export function reportFullServer(context: Context): void {
  const now = context.clock.elapsedMs();
  if (now - (reported.get(context) ?? Number.NEGATIVE_INFINITY) < REPORT_MS) return;
  reported.set(context, now);
  watchRoom(context, true).catch((error: unknown) => {
    context.log.warn({ err: error }, 'A full server could not be recorded');
  });
}

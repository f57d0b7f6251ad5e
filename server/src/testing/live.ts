import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client, Localized } from '@framelift/contract';
import { liveAngles, liveEvents } from '../platform/db/schema.ts';
import { HOUR_MS, MINUTE_MS } from '../platform/time.ts';
import type { TestApp } from './app.ts';

const TITLE: Localized = { en: 'Lantern night', zh: '元宵之夜', ja: 'ランタンの夜' };

/** Adds an event that runs now, for every member, with an angle for each source. Returns its id. */
export async function addEvent(
  { context: { db, clock, ids } }: TestApp,
  given: Partial<typeof liveEvents.$inferInsert> = {},
  sources: readonly string[] = ['store:live/test/left', 'store:live/test/right'],
): Promise<string> {
  const now = clock.now();
  const id = ids.uuid();
  const startsAt = new Date(now.getTime() - MINUTE_MS);
  const endsAt = new Date((given.startsAt ?? startsAt).getTime() + 2 * HOUR_MS);
  await db
    .insert(liveEvents)
    .values({ id, title: TITLE, startsAt, endsAt, isFreeView: true, createdAt: now, ...given });
  for (const [position, source] of sources.entries()) {
    const name = { en: `Angle ${position + 1}`, zh: `角度 ${position + 1}` };
    await db.insert(liveAngles).values({ id: ids.uuid(), eventId: id, position, name, source });
  }
  return id;
}

/** Confirms the age of a member and lets them watch. */
export async function watchAs(member: Client, eventId: string) {
  await member.call('confirmAge', { input: { birth_year: 1980 } });
  return member.call('watchLive', { input: { event_id: eventId } });
}

/** Puts a recording into the store, whose segments tell their name. @param map also adds an initialisation of this name */
export async function putRecording(
  { context: { storage }, dataDir }: TestApp,
  folder: string,
  { count = 3, seconds = 2, map }: { readonly count?: number; readonly seconds?: number; readonly map?: string } = {},
): Promise<void> {
  const path = join(dataDir, 'recorded');
  const put = async (name: string, content: string, type: string) => {
    await writeFile(path, content);
    await storage.putFile(`${folder}/${name}`, path, type);
  };
  const names = Array.from({ length: count }, (_, at) => `s${at}.ts`);
  for (const name of map ? [...names, map] : names) await put(name, `${folder}/${name}`, 'video/mp2t');
  const lines = ['#EXTM3U', `#EXT-X-TARGETDURATION:${seconds}`, ...(map ? [`#EXT-X-MAP:URI="${map}"`] : [])];
  lines.push(...names.flatMap((name) => [`#EXTINF:${seconds}.000,`, name]));
  await put('index.m3u8', [...lines, '#EXT-X-ENDLIST', ''].join('\n'), 'application/vnd.apple.mpegurl');
}

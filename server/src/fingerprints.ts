import { frameFingerprints } from './domain/frame/item.sql.ts';
import { mediaFingerprints } from './domain/media/media.sql.ts';
import { notificationFingerprints } from './domain/notification/notification.sql.ts';
import type { Queries } from './platform/db/open.ts';

/** Returns the fingerprints of everything that can be watched, by id: media, frames, and the notifications of members. */
export async function fingerprints(db: Queries, ids: readonly string[], now: Date): Promise<Map<string, string>> {
  const ofMedia = await mediaFingerprints(db, ids);
  const others = ids.filter((id) => !ofMedia.has(id));
  const ofFrames = await frameFingerprints(db, others, now);
  const members = others.filter((id) => !ofFrames.has(id));
  return new Map([...ofMedia, ...ofFrames, ...(await notificationFingerprints(db, members, now))]);
}

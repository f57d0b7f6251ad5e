import { frameFingerprints } from './domain/frame/item.sql.ts';
import { mediaFingerprints } from './domain/media/media.sql.ts';
import type { Queries } from './platform/db/open.ts';

/** Returns the fingerprints of everything that can be watched: media and frames, by id. */
export async function fingerprints(db: Queries, ids: readonly string[], now: Date): Promise<Map<string, string>> {
  const ofMedia = await mediaFingerprints(db, ids);
  const others = ids.filter((id) => !ofMedia.has(id));
  return new Map([...ofMedia, ...(await frameFingerprints(db, others, now))]);
}

import { frameFingerprints } from './domain/frame/item.sql.ts';
import { mediaFingerprints } from './domain/media/media.sql.ts';
import type { Queries } from './platform/db/open.ts';

/** Returns the fingerprints of everything that can be watched: media and frames, by id. */
export async function fingerprints(db: Queries, ids: readonly string[], now: Date): Promise<Map<string, string>> {
  return new Map([...(await mediaFingerprints(db, ids)), ...(await frameFingerprints(db, ids, now))]);
}

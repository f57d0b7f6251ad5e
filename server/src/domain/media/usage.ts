import type { api, OutputOf } from '@framelift/contract';
import { type Actor, signedIn } from '../../actor.ts';
import type { Context } from '../../context.ts';
import { sumUploads } from './media.sql.ts';

/** What `requestUpload` counts against, as its caller sees it. */
export async function getUserUsage(
  { db, settings }: Context,
  actor: Actor,
): Promise<OutputOf<typeof api.getUserUsage>> {
  return { used: await sumUploads(db, signedIn(actor).userId, null), limit: settings.storageBytes };
}

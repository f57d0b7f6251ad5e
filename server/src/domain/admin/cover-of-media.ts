import { join } from 'node:path';
import { ApiError, type Endpoint } from '@framelift/contract';
import type { Context } from '../../context.ts';
import type { AuditActor } from '../../platform/audit.ts';
import { asApiError } from '../media/engine-errors.ts';
import { getOwnMedia } from '../media/media.ts';
import type { Results } from '../media/results.ts';

/**
 * Stores the cover of a picture of the caller as a picture of the shop or of an event, and returns its key.
 * @param longest pixels of its longer side
 * @param call the endpoint, whose errors it answers
 * @throws ApiError `mediaNotFound` for a picture that is not the caller's or has no cover yet; `conversionFailed`
 */
export async function storeCoverOf(
  context: Context,
  { actor }: AuditActor,
  mediaId: string,
  { longest, call, results }: { readonly longest: number; readonly call: Endpoint; readonly results: Results },
): Promise<string> {
  const { cover } = (await getOwnMedia(context.db, actor, mediaId)).keys;
  try {
    return await context.tempDirs.use(async (folder) => {
      const [path, outPath] = [join(folder, 'cover'), join(folder, 'small')];
      if (!cover || !(await context.storage.readTo(cover, path))) throw new ApiError('mediaNotFound');
      await context.converter.shrink({ path, outPath, longest, kind: 'colour' });
      return results.put(outPath, 'image/jpeg');
    });
  } catch (error) {
    throw asApiError(error, call);
  }
}

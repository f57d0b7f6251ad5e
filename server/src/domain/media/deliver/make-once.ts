import { ApiError, type ErrorCode } from '@framelift/contract';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/open.ts';
import { asApiError } from '../engine-errors.ts';
import { findMediaForUpdate, type MediaRow, type MediaView } from '../media.sql.ts';
import { type Results, storeResults } from '../results.ts';
import { createSharedWork } from './shared-work.ts';

/** How files of a media are made that are stored with it from then on. `T` is their key, or keys. */
interface Making<T> {
  /** The endpoint whose errors may be answered. */
  readonly endpoint: Parameters<typeof asApiError>[1];
  /** The error if the media is gone, or was changed meanwhile. */
  readonly missing: ErrorCode;
  /** Makes them in a folder and adds them to the results. */
  make(work: {
    readonly context: Context;
    readonly view: MediaView;
    readonly results: Results;
    readonly folder: string;
    /** Aborted when every caller has hung up. */
    readonly signal: AbortSignal;
  }): Promise<T>;
  /** Returns what another process, which was faster, has stored; null if none was. */
  findStored(tx: Tx, mediaId: string): Promise<T | null>;
  /** Whether what was made still belongs to the media. */
  isCurrent?(locked: MediaRow, view: MediaView): boolean;
}

/**
 * Returns a function that makes files of a media on request, once: simultaneous requests share the work, and of several
 * processes the first to finish stores its files.
 * @throws ApiError of the endpoint, among them `missing`
 */
export function createMaker<T>({ endpoint, missing, make, findStored, isCurrent = () => true }: Making<T>) {
  const share = createSharedWork<T>();
  return (context: Context, view: MediaView, caller: AbortSignal): Promise<T> =>
    share(`${view.media.id} ${view.media.resultRevision}`, caller, async (signal) => {
      try {
        return await storeResults(context, async (results) => {
          const made = await context.tempDirs.use((folder) => make({ context, view, results, folder, signal }));
          return context.db.transaction(async (tx) => {
            const locked = await findMediaForUpdate(tx, view.media.id);
            if (!locked || !isCurrent(locked, view)) throw new ApiError(missing);
            const stored = await findStored(tx, locked.id);
            if (stored !== null) return stored;
            await results.save(tx, locked);
            return made;
          });
        });
      } catch (error) {
        throw asApiError(error, endpoint);
      }
    });
}

import { localStored } from '../../api/stored.ts';

/** What is to be shown on a frame. */
export interface ToShow {
  readonly mediaIds: readonly string[];
  readonly albumIds: readonly string[];
}

/**
 * Storage key of what a member without a frame wanted to show. Kept across tabs, because the camera of a phone opens the
 * code of a frame in a new one.
 */
const KEY = 'showOnFrame';
/** Later, a frame that is paired has nothing to do with it any more. */
const LASTS_MS = 60 * 60_000;

/** Remembers what to show on the frame that is paired next. */
export function rememberToShow(what: ToShow): void {
  localStored.set(KEY, JSON.stringify({ ...what, at: Date.now() }));
}

/** Returns what was to be shown, once; null if there is nothing, or it was too long ago. */
export function takeToShow(): ToShow | null {
  const stored = localStored.get(KEY);
  if (stored === null) return null;
  localStored.set(KEY, null);
  try {
    const { mediaIds, albumIds, at } = JSON.parse(stored) as Partial<ToShow & { at: number }>;
    const known = Array.isArray(mediaIds) && Array.isArray(albumIds) && typeof at === 'number';
    return known && Date.now() - at < LASTS_MS ? { mediaIds, albumIds } : null;
  } catch {
    return null;
  }
}

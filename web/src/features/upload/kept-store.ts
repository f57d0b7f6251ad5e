import type { FileKind } from '@framelift/contract';
import { LIMITS } from '@framelift/contract/limits';
import { createStore, delMany, entries, get, keys, set } from 'idb-keyval';
import type { Rect } from '../../ui/crop/crop-rect.ts';
import type { Edit } from '../../ui/crop/picture-edit.ts';

const store = createStore('framelift.upload', 'selection');
const HOUR_MS = 3_600_000;
/** The store of a damaged profile may never answer. */
const PATIENCE_MS = 4000;

export interface KeptFile {
  readonly file: File;
  readonly kind: FileKind;
  readonly area: Rect | null;
  readonly edit: Edit;
  /** Its own device type, if it differs from the others'. */
  readonly deviceTypeId: number | null;
}

/** What a visitor has chosen before they have an account. */
export interface KeptSelection {
  readonly files: readonly KeptFile[];
  readonly deviceTypeId: number | undefined;
  readonly percent: number | undefined;
  /** Id of the album or the frame that gets the results. */
  readonly to?: string | undefined;
}

type Stored = KeptSelection & { readonly until: number };

/** Whether the store has let somebody wait in vain. Until it answers after all, nobody else waits for it. */
let isSilent = false;

/** Rejects if the store does not answer in time. */
function inTime<T>(ask: () => Promise<T>): Promise<T> {
  const silence = new Error('The store does not answer');
  if (isSilent) return Promise.reject(silence);
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      isSilent = true;
      reject(silence);
    }, PATIENCE_MS);
    const answered = () => {
      clearTimeout(timer);
      isSilent = false;
    };
    // Throws where there is no store at all.
    const asking = (async () => ask())();
    asking.finally(answered).then(resolve, reject);
  });
}

/**
 * Stores a selection for a day.
 * @throws if this browser denies it, has no room, or does not answer
 */
export async function putKept(key: string, selection: KeptSelection): Promise<void> {
  const until = Date.now() + LIMITS.emailLinkHours * HOUR_MS;
  // Large files take their time to be stored: only the first answer has a limit.
  await inTime(() => keys(store));
  await set(key, { ...selection, until }, store);
}

/** Returns what was stored in the last day; null where there is nothing, or nothing can be read. */
export async function getKept(key: string): Promise<KeptSelection | null> {
  try {
    const stored = await inTime(() => get<Stored>(key, store));
    return stored && stored.until > Date.now() ? stored : null;
  } catch {
    return null;
  }
}

/** Removes what is stored under the keys that `goes` is true for. Nothing is stored where it is denied. */
export async function removeKept(goes: (key: string) => boolean): Promise<void> {
  try {
    const going = (await inTime(() => keys<string>(store))).filter(goes);
    await delMany(going, store);
  } catch {}
}

/** Removes what is too old, e.g. of a tab that was closed. */
export async function removeExpired(): Promise<void> {
  try {
    const old = (await inTime(() => entries<string, Stored>(store))).filter(([, { until }]) => until <= Date.now());
    await delMany(
      old.map(([key]) => key),
      store,
    );
  } catch {}
}

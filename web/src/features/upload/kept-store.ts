import type { FileKind } from '@framelift/contract';
import { LIMITS } from '@framelift/contract/limits';
import type { Rect } from '../../ui/crop/crop-rect.ts';
import type { Edit } from '../../ui/crop/picture-edit.ts';

const DATABASE = 'framelift.upload';
const STORE = 'selection';
const HOUR_MS = 3_600_000;

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

/**
 * Stores a selection for a day.
 * @throws if this browser denies it or has no room
 */
export async function putKept(key: string, selection: KeptSelection): Promise<void> {
  const until = Date.now() + LIMITS.emailLinkHours * HOUR_MS;
  await run('readwrite', (store) => store.put({ ...selection, until }, key));
}

/** Returns what was stored in the last day; null where there is nothing, or nothing can be read. */
export async function getKept(key: string): Promise<KeptSelection | null> {
  const stored = await run<Stored>('readonly', (store) => store.get(key)).catch(() => null);
  return stored && stored.until > Date.now() ? stored : null;
}

/** Removes what is stored under the keys that `goes` is true for. */
export async function removeKept(goes: (key: string, until: number) => boolean): Promise<void> {
  await run('readwrite', (store) => {
    const request = store.openCursor();
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return;
      if (goes(String(cursor.key), (cursor.value as Stored).until)) cursor.delete();
      cursor.continue();
    };
    return request;
  }).catch(() => undefined);
}

/** Removes what is too old, e.g. of a tab that was closed. */
export const removeExpired = () => removeKept((_key, until) => until <= Date.now());

function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<T | null> {
  return new Promise((resolve, reject) => {
    // Throws where storage is denied, or does not exist.
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve((request.result as T | undefined) ?? null);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    };
  });
}

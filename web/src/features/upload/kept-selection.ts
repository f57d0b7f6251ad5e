import type { FileKind } from '@framelift/contract';
import { LIMITS } from '@framelift/contract/limits';
import type { Rect } from '../../ui/crop/crop-rect.ts';
import type { Edit } from '../../ui/crop/picture-edit.ts';

const DATABASE = 'framelift.upload';
const STORE = 'selection';
const KEY = 'chosen';
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
}

/** Where nothing can be stored, a selection lasts until the page is reloaded. */
let unstored: KeptSelection | null = null;

/**
 * Keeps what was chosen for the time after the login, also in another tab: the link of an email opens in one. Like the
 * link it is kept for a day.
 * @returns false if this browser does not store it, so that it lasts until the page is reloaded
 */
export async function keepSelection(selection: KeptSelection): Promise<boolean> {
  unstored = selection;
  const until = Date.now() + LIMITS.emailLinkHours * HOUR_MS;
  return run('readwrite', (store) => store.put({ ...selection, until }, KEY)).then(
    () => true,
    () => false,
  );
}

export async function forgetSelection(): Promise<void> {
  unstored = null;
  await run('readwrite', (store) => store.delete(KEY)).catch(() => undefined);
}

/** Returns what was kept and removes it; null if there is nothing, or nothing of the last day. */
export async function takeSelection(): Promise<KeptSelection | null> {
  const stored = await run<KeptSelection & { until: number }>('readonly', (store) => store.get(KEY)).catch(() => null);
  const found = unstored ?? (stored && stored.until > Date.now() ? stored : null);
  if (stored ?? unstored) await forgetSelection();
  return found;
}

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

import type { FileKind } from '@framelift/contract';
import { LIMITS } from '@framelift/contract/limits';
import { sessionStored } from '../../api/stored.ts';
import { UNFINISHED_UPLOAD } from '../../shared/upload-dialog.tsx';
import type { Rect } from '../../ui/crop/crop-rect.ts';
import type { Edit } from '../../ui/crop/picture-edit.ts';
import { randomUuid } from '../../ui/random-uuid.ts';

const DATABASE = 'framelift.upload';
const STORE = 'selection';
const KEY = 'chosen';
const UPLOAD_KEY = 'upload';
/** More than this is not copied for the case that the page is reloaded. */
const LONGEST_COPY = 500 * 1024 * 1024;
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

/** What a tab is uploading: the note of the tab tells which of the stored files have not arrived. */
interface UploadNote {
  readonly id: string;
  readonly owner: string;
  readonly left: readonly number[];
}

function readNote(): UploadNote | null {
  const note = sessionStored.get(UNFINISHED_UPLOAD);
  return note === null ? null : (JSON.parse(note) as UploadNote);
}

const writeNote = (note: UploadNote | null) => sessionStored.set(UNFINISHED_UPLOAD, note && JSON.stringify(note));

/** Keeps what this tab uploads, so that a reload lists what has not arrived. Where nothing can be stored, it is lost. */
export async function keepUpload(selection: KeptSelection, owner: string): Promise<void> {
  writeNote(null);
  if (selection.files.reduce((sum, { file }) => sum + file.size, 0) > LONGEST_COPY) return;
  const id = randomUuid();
  // Written first: the upload may be over before the files are stored.
  writeNote({ id, owner, left: selection.files.map((_, i) => i) });
  const until = Date.now() + LIMITS.emailLinkHours * HOUR_MS;
  await run('readwrite', (store) => store.put({ ...selection, id, until }, UPLOAD_KEY)).catch(() => writeNote(null));
}

/** Records which of the kept files have not arrived, by their places. */
export function noteLeft(left: readonly number[]): void {
  const note = readNote();
  if (note && left.length === 0) void forgetUpload();
  else if (note) writeNote({ ...note, left });
}

export async function forgetUpload(): Promise<void> {
  if (!readNote()) return;
  writeNote(null);
  await run('readwrite', (store) => store.delete(UPLOAD_KEY)).catch(() => undefined);
}

/**
 * Returns what this tab was uploading for this user when it was reloaded; it stays until `forgetUpload`. What a closed tab
 * left behind goes after a day, as another tab may still be uploading it.
 */
export async function unfinishedUpload(owner: string): Promise<KeptSelection | null> {
  const stored = await run<KeptSelection & { id: string; until: number }>('readonly', (store) =>
    store.get(UPLOAD_KEY),
  ).catch(() => null);
  const note = readNote();
  const isOver = stored !== null && stored.until < Date.now();
  if (isOver) await run('readwrite', (store) => store.delete(UPLOAD_KEY)).catch(() => undefined);
  if (isOver || (note && note.owner !== owner)) await forgetUpload();
  if (!stored || isOver || note?.owner !== owner || note.id !== stored.id) return null;
  const files = stored.files.filter((_, i) => note.left.includes(i));
  return files.length > 0 ? { ...stored, files } : null;
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

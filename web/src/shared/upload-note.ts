import { sessionStored } from '../api/stored.ts';
import { UPLOAD_NOTE_KEY } from './upload-note-key.ts';

/**
 * What a tab is uploading: which of the stored files have not arrived. It is there when the page is loaded if a reload
 * interrupted the upload.
 */
export interface UploadNote {
  readonly owner: string;
  /** The newest first. Older ones count until the files of the newer ones are stored. */
  readonly kept: readonly { readonly id: string; readonly left: readonly number[] }[];
}

/** The page before a reload may hold its locks for a moment longer. */
const RELEASE_MS = 2000;

/** Ids of the uploads that are this page's: a duplicated tab begins with a copy of the note of another. */
const own = new Set<string>();
const isOwn = ({ id }: { id: string }) => own.has(id);

/** Returns what this tab is uploading, without what another tab does. */
export function readUploadNote(): UploadNote | null {
  const note = storedNote();
  const kept = note?.kept.filter(isOwn) ?? [];
  return note && kept.length > 0 ? { ...note, kept } : null;
}

export function writeUploadNote(note: UploadNote | null): void {
  sessionStored.set(UPLOAD_NOTE_KEY, note && note.kept.length > 0 ? JSON.stringify(note) : null);
}

function storedNote(): UploadNote | null {
  const note = sessionStored.get(UPLOAD_NOTE_KEY);
  return note === null ? null : (JSON.parse(note) as UploadNote);
}

/** Makes a new upload this page's. */
export function ownUpload(id: string): void {
  own.add(id);
  void holdLock(id);
}

let claimed: Promise<void> | null = null;

/** Takes over what the page before a reload was uploading, and nothing that another tab has open. */
export function claimUploads(): Promise<void> {
  const claim = async ({ id }: { id: string }) => {
    if (await holdLock(id)) own.add(id);
  };
  claimed ??= Promise.all(storedNote()?.kept.map(claim) ?? []).then(() => writeUploadNote(readUploadNote()));
  return claimed;
}

/** Holds a lock as long as this page is there. Returns false if another page has it. */
function holdLock(id: string): Promise<boolean> {
  // Missing on plain HTTP.
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = () => {
      resolve(true);
      return new Promise(() => {});
    };
    navigator.locks
      .request(`upload:${id}`, { signal: AbortSignal.timeout(RELEASE_MS) }, hold)
      .catch(() => resolve(false));
  });
}

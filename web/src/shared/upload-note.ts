import { sessionStored } from '../api/stored.ts';

/**
 * What a tab is uploading: which of the stored files have not arrived. It is there when the page is loaded if a reload
 * interrupted the upload.
 */
export interface UploadNote {
  readonly owner: string;
  /** The newest first. Older ones count until the files of the newer ones are stored. */
  readonly kept: readonly { readonly id: string; readonly left: readonly number[] }[];
}

const KEY = 'upload';

export function readUploadNote(): UploadNote | null {
  const note = sessionStored.get(KEY);
  return note === null ? null : (JSON.parse(note) as UploadNote);
}

export function writeUploadNote(note: UploadNote | null): void {
  sessionStored.set(KEY, note && note.kept.length > 0 ? JSON.stringify(note) : null);
}

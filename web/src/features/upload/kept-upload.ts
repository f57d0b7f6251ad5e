import { claimUploads, ownUpload, readUploadNote, writeUploadNote } from '../../shared/upload-note.ts';
import { getKept, type KeptSelection, putKept, removeKept } from './kept-store.ts';

const PREFIX = 'upload:';
/** More than this is not copied for the case that the page is reloaded. */
const LONGEST_COPY = 500 * 1024 * 1024;

/**
 * Keeps what this tab uploads, so that a reload lists what has not arrived. What was kept before goes once the files are
 * stored: until then a reload lists that. Where nothing can be stored, it is lost.
 */
export async function keepUpload(id: string, selection: KeptSelection, owner: string): Promise<void> {
  if (readUploadNote()?.owner !== owner) void forgetUpload();
  const before = readUploadNote()?.kept ?? [];
  ownUpload(id);
  // Written first: the upload may be over before the files are stored.
  writeUploadNote({ owner, kept: [{ id, left: selection.files.map((_, i) => i) }, ...before] });
  const isSmall = selection.files.reduce((sum, { file }) => sum + file.size, 0) <= LONGEST_COPY;
  const isStored =
    isSmall &&
    (await putKept(PREFIX + id, selection).then(
      () => true,
      () => false,
    ));
  const note = readUploadNote();
  const at = note ? note.kept.findIndex((one) => one.id === id) : -1;
  if (!note || at < 0) {
    await removeUploads([id]);
  } else if (isStored) {
    writeUploadNote({ ...note, kept: note.kept.slice(0, at + 1) });
    await removeUploads(note.kept.slice(at + 1).map((one) => one.id));
  } else {
    writeUploadNote({ ...note, kept: note.kept.filter((one) => one.id !== id) });
  }
}

/** Records which of the kept files have not arrived, by their places. */
export function noteLeft(id: string, left: readonly number[]): void {
  const note = readUploadNote();
  if (note && left.length === 0) void forgetUpload();
  else if (note) writeUploadNote({ ...note, kept: note.kept.map((one) => (one.id === id ? { id, left } : one)) });
}

/** Forgets what this tab was uploading, and nothing of other tabs. */
export async function forgetUpload(): Promise<void> {
  const note = readUploadNote();
  if (!note) return;
  writeUploadNote(null);
  await removeUploads(note.kept.map(({ id }) => id));
}

/** Forgets what all tabs are uploading. */
export async function forgetUploads(): Promise<void> {
  writeUploadNote(null);
  await removeKept((key) => key.startsWith(PREFIX));
}

/** Returns what this tab was uploading for this user when it was interrupted; it stays until `forgetUpload`. */
export async function unfinishedUpload(owner: string): Promise<KeptSelection | null> {
  await claimUploads();
  const note = readUploadNote();
  for (const { id, left } of note?.owner === owner ? note.kept : []) {
    const stored = await getKept(PREFIX + id);
    const files = stored?.files.filter((_, i) => left.includes(i)) ?? [];
    if (stored && files.length > 0) return { ...stored, files };
  }
  await forgetUpload();
  return null;
}

async function removeUploads(ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await removeKept((key) => ids.some((id) => key === PREFIX + id));
}

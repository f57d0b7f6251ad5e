import { getKept, type KeptSelection, putKept, removeKept } from './kept-store.ts';

const KEY = 'chosen';

/** Where nothing can be stored, a selection lasts until the page is reloaded. */
let unstored: KeptSelection | null = null;

/**
 * Keeps what was chosen for the time after the login, also in another tab: the link of an email opens in one. Like the
 * link it is kept for a day.
 * @returns false if this browser does not store it, so that it lasts until the page is reloaded
 */
export async function keepSelection(selection: KeptSelection): Promise<boolean> {
  unstored = selection;
  return putKept(KEY, selection).then(
    () => true,
    () => false,
  );
}

export async function forgetSelection(): Promise<void> {
  unstored = null;
  await removeKept((key) => key === KEY);
}

/** Returns what was kept and removes it; null if there is nothing, or nothing of the last day. */
export async function takeSelection(): Promise<KeptSelection | null> {
  const found = unstored ?? (await getKept(KEY));
  if (found) await forgetSelection();
  return found;
}

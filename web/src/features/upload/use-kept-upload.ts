import { useEffect, useRef } from 'react';
import { type KeptSelection, keepUpload, noteLeft } from './kept-selection.ts';

/**
 * Keeps what is uploaded while it is, so that a reload of the page lists what has not arrived.
 * @param keys of the files that have not arrived, in the order of `selectionNow`
 */
export function useKeptUpload(
  busy: boolean,
  userId: string | null,
  keys: readonly number[],
  selectionNow: () => KeptSelection,
): void {
  const kept = useRef<readonly number[]>([]);
  const latest = useRef({ keys, selectionNow });
  latest.current = { keys, selectionNow };
  useEffect(() => {
    if (!busy || userId === null) return;
    kept.current = latest.current.keys;
    void keepUpload(latest.current.selectionNow(), userId);
  }, [busy, userId]);
  const left = keys.join();
  useEffect(() => {
    // What an earlier load of the page has kept is not ours yet.
    if (kept.current.length === 0) return;
    const still = left.split(',');
    noteLeft(kept.current.flatMap((key, i) => (still.includes(String(key)) ? [i] : [])));
  }, [left]);
}

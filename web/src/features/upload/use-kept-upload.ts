import { useEffect, useRef } from 'react';
import { randomUuid } from '../../ui/random-uuid.ts';
import type { KeptSelection } from './kept-store.ts';
import { keepUpload, noteLeft } from './kept-upload.ts';

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
  const kept = useRef<{ readonly id: string; readonly keys: readonly number[] } | null>(null);
  const latest = useRef({ keys, selectionNow });
  latest.current = { keys, selectionNow };
  useEffect(() => {
    if (!busy || userId === null) return;
    const id = randomUuid();
    kept.current = { id, keys: latest.current.keys };
    void keepUpload(id, latest.current.selectionNow(), userId);
  }, [busy, userId]);
  const left = keys.join();
  useEffect(() => {
    // What an earlier load of the page has kept is not ours yet.
    if (!kept.current) return;
    const { id, keys } = kept.current;
    const still = left.split(',');
    noteLeft(
      id,
      keys.flatMap((key, i) => (still.includes(String(key)) ? [i] : [])),
    );
  }, [left]);
}

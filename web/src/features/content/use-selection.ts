import { useCallback, useEffect, useRef, useState } from 'react';

/**
 * The selected rows of a list. Selecting begins with the first of them, or by `begin`; it goes on while the list grows.
 * @param order ids of the list, as far as it is loaded
 */
export function useSelection(order: readonly string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [selecting, setSelecting] = useState(false);
  const anchor = useRef<string | null>(null);
  const latest = useRef(order);
  latest.current = order;
  const now = useRef(selecting);
  now.current = selecting;

  /** Selects or deselects one; with `range` all from the one before to it. */
  const toggle = useCallback((id: string, range: boolean) => {
    const ids = latest.current;
    const [from, to] = [ids.indexOf(anchor.current ?? ''), ids.indexOf(id)].sort((a, b) => a - b);
    setSelecting(true);
    setChosen((before) => {
      const next = new Set(before);
      if (range && from !== undefined && to !== undefined && from >= 0)
        for (const one of ids.slice(from, to + 1)) next.add(one);
      else if (!next.delete(id)) next.add(id);
      return next;
    });
    anchor.current = id;
  }, []);
  const all = useCallback(() => {
    setSelecting(true);
    setChosen(new Set(latest.current));
  }, []);
  const end = useCallback(() => {
    setSelecting(false);
    setChosen(new Set());
    anchor.current = null;
  }, []);
  const begin = useCallback(() => setSelecting(true), []);
  /** For handlers of rows, which are not rendered again when selecting begins or ends. */
  const isSelecting = useCallback(() => now.current, []);
  return { selecting, isSelecting, has: (id: string) => chosen.has(id), toggle, all, end, begin };
}

/** Ctrl+A (⌘A) selects all and Escape ends selecting, unless a field or a dialog has the keys. */
export function useSelectionKeys(enabled: boolean, selecting: boolean, { all, end }: { all(): void; end(): void }) {
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.defaultPrevented || target.closest('input:not([type="checkbox"]), textarea, select, [role="menu"]'))
        return;
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      const isAll =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'a';
      if (isAll && (selecting || target.closest('[data-guide="wall"]'))) all();
      else if (event.key === 'Escape' && selecting) end();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [enabled, selecting, all, end]);
}

import { useEffect, useRef } from 'react';
import { hasOpenDialog } from '../../ui/use-modal-history.ts';

/** Calls these functions by their keys, wherever the focus is, except in what uses the keys itself. */
export function usePlayerKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, altKey, ctrlKey, metaKey, repeat, target, defaultPrevented } = event;
      if (altKey || ctrlKey || metaKey || repeat || defaultPrevented || hasOpenDialog()) return;
      if (target instanceof Element && target.closest('input, select, textarea, [role="grid"], [role="menu"]')) return;
      // The space bar presses buttons and links.
      if (key === ' ' && target instanceof Element && target.closest('button, a')) return;
      const act = latest.current[key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

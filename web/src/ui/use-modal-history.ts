import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** A `navigate(-1)` on its way; an entry pushed meanwhile would be the one that it takes away. */
let leaving: Promise<void> = Promise.resolve();

/** When the entries of dialogs that were closed are gone, so that a navigation does not meet one of them. */
export const dialogsSettled = (): Promise<void> => leaving;

const dialogsOf = (state: unknown): readonly string[] => (state as { dialogs?: string[] } | null)?.dialogs ?? [];

/**
 * State of the entry that the browser shows now. React's `useLocation` lags behind it while a page is loading, so the
 * history itself is asked; the router keeps the state of a location under `usr`.
 */
const stateNow = (): unknown => (window.history.state as { usr?: unknown } | null)?.usr;

/** Unlike those of an earlier load of this page, whose states the history keeps. */
const run = Math.random().toString(36).slice(2);
let count = 0;

/**
 * Gives an open dialog an entry of its own in the history, so that "back" closes it and leaves the page as it is. Of
 * stacked dialogs only the top one closes. A dialog closed by its own button takes its entry away again. A dialog
 * that leads to another page navigates there with `replace: true`, which puts the page in the place of its entry.
 */
export function useModalHistory(opened: boolean, onClose: () => void): void {
  const { state } = useLocation();
  const navigate = useNavigate();
  const entry = useRef<string | null>(null);
  const closing = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef({ onClose, navigate });
  latest.current = { onClose, navigate };

  useEffect(() => {
    const leave = () => {
      const mine = entry.current;
      entry.current = null;
      if (mine === null || dialogsOf(stateNow()).at(-1) !== mine) return;
      leaving = new Promise((resolve) => window.addEventListener('popstate', () => resolve(), { once: true }));
      latest.current.navigate(-1);
    };
    // React's strict mode runs effects twice: only what is still closed a moment later really closes.
    clearTimeout(closing.current);
    if (!opened) return leave();
    let gone = false;
    if (entry.current === null) {
      void leaving.then(() => {
        if (gone || entry.current !== null) return;
        const id = `${run}-${++count}`;
        entry.current = id;
        const { pathname, search, hash } = window.location;
        const before = stateNow();
        latest.current.navigate(
          { pathname, search, hash },
          { state: { ...(before as object | null), dialogs: [...dialogsOf(before), id] } },
        );
      });
    }
    return () => {
      gone = true;
      closing.current = setTimeout(leave, 0);
    };
  }, [opened]);

  // A new state means that the browser moved; where to, the history knows best. Back pressed at once after the dialog
  // was opened is seen by `popstate` alone: the router shows no state that came and went while it was rendering.
  useEffect(() => {
    const check = () => {
      if (entry.current === null || dialogsOf(stateNow()).includes(entry.current)) return;
      entry.current = null;
      latest.current.onClose();
    };
    check();
    window.addEventListener('popstate', check);
    return () => window.removeEventListener('popstate', check);
  }, [state]);
}

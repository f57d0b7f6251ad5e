import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** A pending `navigate(-1)`; it would remove an entry pushed meanwhile. */
let leaving: Promise<void> = Promise.resolve();

/** Resolves when the history entries of closed dialogs are removed, so that a navigation does not collide with them. */
export const dialogsSettled = (): Promise<void> => leaving;

const dialogsOf = (state: unknown): readonly string[] => (state as { dialogs?: string[] } | null)?.dialogs ?? [];

/**
 * Returns the state of the current history entry. React's `useLocation` lags behind while a page is loading, so the
 * history itself is read; the router stores the state of a location under `usr`.
 */
const stateNow = (): unknown => (window.history.state as { usr?: unknown } | null)?.usr;

/** When the browser last began to leave the page, by `performance.now()`. */
let leftAt = Number.NEGATIVE_INFINITY;
/** A page that is still there after this time was not left, e.g. because the link was a download. */
const LEAVING_MS = 5000;
const onBeforeUnload = (): void => {
  leftAt = performance.now();
};

/** Distinguishes the entries from those of an earlier load of this page, whose states remain in the history. */
const run = Math.random().toString(36).slice(2);
let count = 0;

/** Whether a dialog of this page has an entry. Escape is heard by all open dialogs, and closes the top one alone. */
export const hasOpenDialog = (): boolean => dialogsOf(stateNow()).some((id) => id.startsWith(`${run}-`));

/**
 * Gives an open dialog its own history entry, so that "back" closes it without leaving the page. Of stacked dialogs
 * only the top one closes. A dialog closed by its own button removes its entry. A dialog that leads to another page
 * navigates with `replace: true`, so that the page takes the place of its entry.
 * @returns what Escape does, which reaches all open dialogs: calls `onClose` unless another dialog lies over this one
 */
export function useModalHistory(opened: boolean, onClose: () => void): () => void {
  const { state } = useLocation();
  const navigate = useNavigate();
  const entry = useRef<string | null>(null);
  /** Counts what would remove the entry or keep it, of which the last one counts. */
  const turn = useRef(0);
  const latest = useRef({ onClose, navigate });
  latest.current = { onClose, navigate };

  // The entry is removed in the task in which the dialog disappears: going back later would cancel a navigation that
  // somebody began as soon as the dialog was gone.
  useLayoutEffect(() => {
    const leave = () => {
      const mine = entry.current;
      entry.current = null;
      if (mine !== null) remove(mine);
    };
    const remove = (mine: string) => {
      if (dialogsOf(stateNow()).at(-1) !== mine) return;
      // Going back would cancel the navigation, e.g. that of a link clicked while an alert closes by itself. The entry
      // goes later if the page is still there, e.g. because somebody was asked whether to leave, and stayed.
      const rest = leftAt + LEAVING_MS - performance.now();
      if (rest > 0) return void setTimeout(() => remove(mine), rest);
      leaving = new Promise((resolve) => window.addEventListener('popstate', () => resolve(), { once: true }));
      latest.current.navigate(-1);
    };
    turn.current++;
    if (!opened) return leave();
    let gone = false;
    window.addEventListener('beforeunload', onBeforeUnload);
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
      window.removeEventListener('beforeunload', onBeforeUnload);
      // React's strict mode runs effects twice: the entry is removed only if the effect has not run again by then.
      const left = ++turn.current;
      queueMicrotask(() => {
        if (turn.current === left) leave();
      });
    };
  }, [opened]);

  // A new state means that the browser has navigated; the history knows the actual position. "Back" pressed right after
  // the dialog opened is seen by `popstate` only: the router does not render a state that came and went during
  // rendering.
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

  return () => {
    const dialogs = dialogsOf(stateNow());
    const mine = entry.current;
    const isCovered = mine !== null && dialogs.includes(mine) && dialogs.at(-1) !== mine;
    if (!isCovered) onClose();
  };
}

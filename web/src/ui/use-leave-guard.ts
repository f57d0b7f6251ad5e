import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { dialogsSettled, useModalHistory } from './use-modal-history.ts';

/**
 * Asks before the page with unsaved input is left: by a link, by "back" (for which the input has a history entry of its
 * own, like dialogs), or by closing the page, where the browser asks. `ask` resolves to true if the user wants to
 * leave.
 */
export function useLeaveGuard(unsaved: boolean, ask: () => Promise<boolean>): void {
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const latest = useRef({ ask, navigate });
  latest.current = { ask, navigate };

  const back = async () => {
    setLeaving(true);
    const leave = await ask();
    await dialogsSettled();
    if (leave) navigate(-1);
    else setLeaving(false);
  };
  // "Back" has removed the entry before it asks; staying creates a new one.
  useModalHistory(unsaved && !leaving, () => void back());

  useEffect(() => {
    if (!unsaved) return;
    let asked = false;
    const follow = async (path: string) => {
      asked = true;
      const leave = await latest.current.ask();
      await dialogsSettled();
      asked = false;
      // Replaces the history entry of the input.
      if (leave) latest.current.navigate(path, { replace: true });
    };
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const { origin, pathname, search, hash, target, href } = link;
      const elsewhere = href !== '' && origin === location.origin && pathname !== location.pathname;
      if (!elsewhere || target === '_blank' || link.hasAttribute('download')) return;
      event.preventDefault();
      event.stopPropagation();
      if (!asked) void follow(pathname + search + hash);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', onClick, true);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [unsaved]);
}

import { useEffect, useRef } from 'react';

/**
 * Gives the focus back to what opened a dialog. Mantine does so only for dialogs that were mounted before they opened,
 * and ours are mounted by being opened, for their code is fetched then.
 */
export function useReturnFocus(opened: boolean): void {
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (!opened) return;
    opener.current = document.activeElement;
    return () => {
      // After the dialog's own clean-up, which would take the focus away again.
      const target = opener.current;
      setTimeout(() => {
        if (target instanceof HTMLElement && target.isConnected) target.focus({ preventScroll: true });
      }, 0);
    };
  }, [opened]);
}

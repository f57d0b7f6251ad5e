import { useEffect, useRef } from 'react';

/**
 * Returns the focus to the element that opened a dialog. Mantine does so only for dialogs that were mounted before they
 * opened; ours are mounted when they open, because their code is loaded then.
 */
export function useReturnFocus(opened: boolean): void {
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (!opened) return;
    opener.current = document.activeElement;
    return () => {
      // Runs after the dialog's own clean-up, which would move the focus again.
      const target = opener.current;
      setTimeout(() => {
        if (target instanceof HTMLElement && target.isConnected) target.focus({ preventScroll: true });
      }, 0);
    };
  }, [opened]);
}

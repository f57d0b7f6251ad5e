import { useEffect } from 'react';

/**
 * Presses the button that a visitor pressed in the painted page before the app had come (`start-when-painted.js`). An
 * effect runs once React has taken the page over: before, it would drop the click.
 */
export function useEarlyPress(): void {
  useEffect(() => {
    const pressed = document.querySelector<HTMLElement>('[data-pressed]');
    pressed?.removeAttribute('data-pressed');
    pressed?.click();
  }, []);
}

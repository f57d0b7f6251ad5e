import { type RefObject, useEffect, useRef } from 'react';

/**
 * Puts the focus on the first field that was found wrong, and back on the button after a form was sent, for the controls
 * that are disabled meanwhile lose it. `problem` is what was found.
 */
export function useFormFocus(busy: boolean, problem: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const lost = useRef(false);
  useEffect(() => {
    if (busy) lost.current = true;
    if (busy || !(lost.current || problem)) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) {
      lost.current = false;
      wrong.focus();
    } else if (lost.current && document.activeElement === document.body) {
      form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
    }
  }, [busy, problem]);
  return form;
}

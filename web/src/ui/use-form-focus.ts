import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses the first invalid field, or the button after the form was submitted: controls disabled meanwhile lose the
 * focus. A new `problem` triggers it.
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

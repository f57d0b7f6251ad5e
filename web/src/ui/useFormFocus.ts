import { type RefObject, useEffect, useRef } from 'react';

/**
 * For a form whose controls are disabled while it is sent, which takes the focus away: afterwards it is on the first field
 * that was found wrong, else on the button again.
 */
export function useFormFocus(busy: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  const was = useRef(false);
  useEffect(() => {
    const ended = was.current && !busy;
    was.current = busy;
    if (!ended) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
    else if (document.activeElement === document.body)
      form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
  }, [busy]);
  return form;
}

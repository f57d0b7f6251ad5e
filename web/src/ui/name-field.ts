import { fittingText, LIMITS } from '@framelift/contract';
import type { CompositionEvent, FormEvent } from 'react';

/**
 * Properties of the input of a name: it takes as many characters as the contract allows, as people count them, where
 * `maxLength` counts parts of emoji. What does not fit is cut from the inserted text, as browsers do.
 */
export const NAME_FIELD = {
  maxLength: LIMITS.textUnits,
  onChangeCapture(event: FormEvent<HTMLInputElement>) {
    // Cutting a text that an input method still composes would end the composition.
    if (!(event.nativeEvent as InputEvent).isComposing) fit(event.currentTarget);
  },
  onCompositionEnd({ currentTarget: input }: CompositionEvent<HTMLInputElement>) {
    if (fit(input)) input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  },
} as const;

/** Cuts the text before the cursor until the whole fits. Returns whether it was too long. */
function fit(input: HTMLInputElement): boolean {
  const { value } = input;
  if (fittingText(value) === value) return false;
  const end = input.selectionEnd ?? value.length;
  const after = value.slice(end);
  let before = value.slice(0, end);
  while (before !== '' && fittingText(before + after) !== before + after) before = withoutLast(before);
  // React compares with the value that its own setter recorded, and would miss a change made through it.
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  set?.call(input, fittingText(before + after));
  input.setSelectionRange(before.length, before.length);
  return true;
}

/** Returns the text without its last code point. */
function withoutLast(text: string): string {
  return [...text].slice(0, -1).join('');
}

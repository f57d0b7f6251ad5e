import type { ComponentProps, FormEvent, KeyboardEvent } from 'react';
import { preloadClient } from '../api/client.ts';

/** True while Enter only confirms a composed character. Safari tells it by the key code 229 alone. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229;
}

/**
 * A form that is sent by Enter and by its button, never while characters are being composed: until then all keys are the
 * input method's. The code that sends it is fetched while it is filled in.
 */
export function Form({
  onSubmit,
  onKeyDown,
  ...rest
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void }) {
  return (
    <form
      noValidate
      onFocus={() => void preloadClient()}
      onKeyDown={(event) => {
        if (!isComposing(event)) onKeyDown?.(event);
        else if (event.key === 'Enter') event.preventDefault();
      }}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
      {...rest}
    />
  );
}

import type { ComponentProps, FormEvent, KeyboardEvent } from 'react';

/** True while Enter only confirms a composed character. Safari tells it by the key code 229 alone. */
function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229;
}

/**
 * A form that is sent by Enter and by its button, but not while characters are being composed: until then all keys
 * belong to the input method.
 */
export function Form({
  onSubmit,
  onKeyDown,
  ...rest
}: Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => void }) {
  return (
    <form
      noValidate
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

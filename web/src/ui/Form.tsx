import type { ComponentProps, FormEvent, KeyboardEvent } from 'react';

/** True while Enter only confirms an input method's composition. Safari reports this only by key code 229. */
function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229;
}

/**
 * A form submitted by Enter or its button, except during composition: until it ends, all keys belong to the input
 * method.
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

import type { ComponentProps, FormEvent } from 'react';
import { isComposing } from './is-composing.ts';

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

import type { KeyboardEvent } from 'react';

/** True while Enter only confirms an input method's composition. Safari reports this only by key code 229. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229;
}

import { type PointerEvent, useRef } from 'react';
import { UI_LIMITS } from '../../ui/limits.ts';

/** Returns handlers that report horizontal swipes of a finger or pen; `by` is 1 for the next and -1 for the previous. */
export function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ readonly id: number; readonly x: number; readonly y: number } | null>(null);
  return {
    onPointerDown({ pointerType, pointerId: id, clientX: x, clientY: y, isPrimary }: PointerEvent) {
      // A second finger zooms.
      start.current = pointerType === 'mouse' || !isPrimary ? null : { id, x, y };
    },
    onPointerUp({ pointerId, clientX, clientY }: PointerEvent) {
      const from = start.current;
      start.current = null;
      if (from?.id !== pointerId) return;
      const [across, down] = [clientX - from.x, clientY - from.y];
      if (Math.abs(across) >= UI_LIMITS.swipePx && Math.abs(across) > Math.abs(down)) onSwipe(across < 0 ? 1 : -1);
    },
    onPointerCancel() {
      start.current = null;
    },
  };
}

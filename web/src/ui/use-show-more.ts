import { type RefObject, useEffect, useRef } from 'react';

/**
 * "Show more" below a list of `count` rows. The button may be gone when they have come: whoever used the keyboard goes on
 * at the first new row, in what `selector` finds there, or at the row itself.
 */
export function useShowMore<E extends HTMLElement>(
  count: number,
  fetchNextPage: () => unknown,
  selector?: string,
): { readonly place: RefObject<E | null>; readonly showMore: () => void } {
  const place = useRef<E>(null);
  const firstNew = useRef<number | null>(null);
  useEffect(() => {
    if (firstNew.current === null || count <= firstNew.current) return;
    const row = place.current?.children[firstNew.current];
    const target = selector ? row?.querySelector(selector) : row;
    if (target instanceof HTMLElement) target.focus();
    firstNew.current = null;
  }, [count, selector]);
  const showMore = () => {
    firstNew.current = count;
    void fetchNextPage();
  };
  return { place, showMore };
}

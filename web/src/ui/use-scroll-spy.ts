import { useEffect, useState } from 'react';
import { UI_LIMITS } from './limits.ts';

const { rootMargin, thresholds } = UI_LIMITS.scrollSpy;

/**
 * Returns the id of the element being read: the one in the URL's hash while it is in view, because the last ones cannot
 * reach the top; otherwise the first above the lowest quarter of the window.
 */
export function useScrollSpy(ids: readonly string[]): string | undefined {
  const [current, setCurrent] = useState(ids[0]);
  const all = ids.join(' ');
  useEffect(() => {
    const order = all.split(' ');
    const inView = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inView.add(target.id);
          else inView.delete(target.id);
        }
        const named = window.location.hash.slice(1);
        const read = inView.has(named) ? named : order.find((id) => inView.has(id));
        // If none is in view, the last one is kept.
        if (read) setCurrent(read);
      },
      { rootMargin, threshold: [...thresholds] },
    );
    for (const id of order) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
    return () => observer.disconnect();
  }, [all]);
  return current;
}

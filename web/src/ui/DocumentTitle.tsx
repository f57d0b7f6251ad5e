import { useEffect } from 'react';

/** Sets the document title, used by tabs, bookmarks, history and screen readers. */
export function DocumentTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} – Framelift`;
  }, [title]);
  return null;
}

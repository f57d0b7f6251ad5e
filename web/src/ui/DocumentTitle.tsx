import { useEffect } from 'react';

/** Names the page for tabs, bookmarks, history and readers. */
export function DocumentTitle({ title }: { title: string }) {
  useEffect(() => {
    document.title = `${title} – Framelift`;
  }, [title]);
  return null;
}

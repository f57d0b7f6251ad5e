import { useEffect, useState } from 'react';

/**
 * Returns the URL of a picture that is drawn anew for every other key; null without a key, and while it is drawn.
 * @param draw makes what the key tells, and returns an object URL of it, which is revoked later; null if it cannot
 */
export function useDrawnUrl(key: string | null, draw: () => Promise<string | null>): string | null {
  const [drawn, setDrawn] = useState<{ readonly key: string; readonly url: string } | null>(null);
  useEffect(() => {
    if (key === null) return;
    let left = false;
    let own: string | null = null;
    void draw().then((url) => {
      if (left && url) URL.revokeObjectURL(url);
      if (left || !url) return;
      own = url;
      setDrawn({ key, url });
    });
    return () => {
      left = true;
      if (own) URL.revokeObjectURL(own);
      // The same key may come back, when the URL no longer leads anywhere.
      setDrawn(null);
    };
    // The key tells all that matters of what is drawn.
  }, [key]);
  return drawn !== null && drawn.key === key ? drawn.url : null;
}

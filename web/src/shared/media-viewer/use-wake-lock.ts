import { useEffect } from 'react';

/**
 * Keeps the screen on while it is wanted and the page is visible: the browser releases the wake lock of a hidden page.
 * It grants none e.g. in power saving mode, and some browsers have none: the screen then goes off as usual.
 */
export function useWakeLock(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    let held: WakeLockSentinel | null = null;
    let asking = false;
    let ended = false;
    const release = () => held?.release().catch(() => {});
    const ask = async () => {
      if (asking || (held && !held.released) || document.visibilityState !== 'visible') return;
      asking = true;
      try {
        held = (await navigator.wakeLock?.request('screen')) ?? null;
        if (ended) await release();
      } catch {
        // Not granted now: asked again when the page is shown again.
      } finally {
        asking = false;
      }
    };
    const changed = () => void ask();
    document.addEventListener('visibilitychange', changed);
    void ask();
    return () => {
      ended = true;
      document.removeEventListener('visibilitychange', changed);
      void release();
    };
  }, [wanted]);
}

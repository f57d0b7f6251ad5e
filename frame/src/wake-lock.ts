/** Keeps the screen on while it is wanted. */
export interface WakeLock {
  want(awake: boolean): void;
}

/**
 * Keeps the screen on while the page is visible. The browser releases the wake lock whenever the page is hidden, and
 * grants none on low battery or without HTTPS: the screen's own settings apply then.
 */
export function createWakeLock(): WakeLock {
  let wanted = true;
  let held: WakeLockSentinel | null = null;
  let asking = false;
  const ask = async () => {
    if (!wanted || asking || document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    if (held && !held.released) return;
    asking = true;
    try {
      held = await navigator.wakeLock.request('screen');
      if (!wanted) void held.release();
    } catch {
      // Not granted now: asked again when the page is shown or the show changes.
    } finally {
      asking = false;
    }
  };
  document.addEventListener('visibilitychange', () => void ask());
  void ask();
  return {
    want(awake) {
      wanted = awake;
      if (awake) void ask();
      else void held?.release();
    },
  };
}

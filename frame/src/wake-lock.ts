/**
 * Keeps the screen on while the page is visible. The browser releases the wake lock whenever the page is hidden, and
 * grants none on low battery or without HTTPS: the screen's own settings apply then.
 */
export function stayAwake(): void {
  const ask = () => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    navigator.wakeLock.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', ask);
  ask();
}

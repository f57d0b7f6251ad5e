/**
 * Keeps the screen on while the page is seen. The browser takes it back whenever the page is hidden, and gives none on
 * low battery or without HTTPS: then the screen's own settings decide.
 */
export function stayAwake(): void {
  const ask = () => {
    if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
    navigator.wakeLock.request('screen').catch(() => {});
  };
  document.addEventListener('visibilitychange', ask);
  ask();
}

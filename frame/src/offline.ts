const CACHE = 'framelift.frame';
const PAGE = '/frame';

/**
 * Caches this page in its current version for a start without a network; older versions are removed. Browsers without
 * service workers (old ones, or without HTTPS) need the network to start.
 */
export async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return;
  try {
    // The default scope would be the script's own folder, but the page is above it; the server allows the wider scope.
    await navigator.serviceWorker.register(`${PAGE}/sw.js`, { scope: PAGE });
    // The cache is useful only once the service worker is active.
    await navigator.serviceWorker.ready;
    const parts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ src }) => src);
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[href]')].map(({ href }) => href);
    const wanted = [PAGE, ...parts, ...links].map((address) => new URL(address, location.href).href);
    const cache = await caches.open(CACHE);
    await cache.addAll(wanted);
    for (const { url } of await cache.keys()) if (!wanted.includes(url)) await cache.delete(url);
  } catch (error) {
    // The network failed meanwhile, or the disk is full: the next start tries again.
    console.warn('This page could not be kept for a start without a network', error);
  }
}

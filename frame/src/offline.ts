const CACHE = 'framelift.frame';
const PAGE = '/frame';

/**
 * Keeps this page for a start without a network, as it is now: what it was before goes. Browsers that cannot (old ones,
 * any without HTTPS) start when the network is there.
 */
export async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return;
  try {
    // Its own folder would be the narrowest scope, but the page lies above that; the server allows it.
    await navigator.serviceWorker.register(`${PAGE}/sw.js`, { scope: PAGE });
    // Only with a worker at work is what lies in the cache of use.
    await navigator.serviceWorker.ready;
    const parts = [...document.querySelectorAll<HTMLScriptElement>('script[src]')].map(({ src }) => src);
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[href]')].map(({ href }) => href);
    const wanted = [PAGE, ...parts, ...links].map((address) => new URL(address, location.href).href);
    const cache = await caches.open(CACHE);
    await cache.addAll(wanted);
    for (const { url } of await cache.keys()) if (!wanted.includes(url)) await cache.delete(url);
  } catch (error) {
    // The network went away meanwhile, or the disk is full: the next start tries again.
    console.warn('This page could not be kept for a start without a network', error);
  }
}

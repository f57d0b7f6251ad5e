// Lets a frame start without a network: its page and what that needs come from the cache, which the page itself fills
// (see src/offline.ts). A server that can be reached always comes first, so that nobody is kept on an old page.

const PAGE = '/frame';
/** Longer than a server takes to answer. A frame behind a router without a line must not wait for ever. */
const PATIENCE_MS = 8000;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (new URL(request.url).pathname.startsWith(`${PAGE}/`)) event.respondWith(file(request));
});

async function page(request) {
  const kept = await caches.match(PAGE);
  if (!kept) return fetch(request);
  const hangUp = new AbortController();
  const patience = setTimeout(() => hangUp.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(request, { signal: hangUp.signal });
    return answer.ok ? answer : kept;
  } catch {
    return kept;
  } finally {
    clearTimeout(patience);
  }
}

/** Files of a build have their hash in their name. */
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

// The service worker of the app: a page to show without a network, files of the build, and the target of "share".
// A server that can be reached always comes first, so that nobody is kept on an old page.

const VERSION = '__VERSION__';
const PREFIX = 'framelift.app-';
const CACHE = PREFIX + VERSION;
const OFFLINE = '/offline.html';
/** Everything that the offline page loads. */
const KEPT = [OFFLINE, '/offline.js', '/scheme.js', '/favicon.svg'];
/** Files shared from another app, until the upload page has taken them. */
const SHARED = 'framelift.shared';
const SHARE_TARGET = '/share-target';
/**
 * Not of this app: the display frame, which has its own worker; calls, files, and pages that are sent to people without
 * an account.
 */
const FOREIGN = /^\/(?:frame|api|files|s|embed|sandbox|healthz|livez)(?:\/|$)/;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
      // The request of a page starts while the worker does.
      await self.registration.navigationPreload?.enable();
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || FOREIGN.test(pathname)) return;
  if (request.method === 'POST' && pathname === SHARE_TARGET) event.respondWith(takeShared(request));
  else if (request.method !== 'GET') return;
  else if (request.mode === 'navigate') event.respondWith(page(event));
  else if (pathname.startsWith('/assets/')) event.respondWith(asset(event));
  else if (KEPT.includes(pathname)) event.respondWith(kept(request));
});

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const offline = await caches.match(OFFLINE, { cacheName: CACHE });
    if (!offline) throw error;
    return offline;
  }
}

/** Files of a build have their hash in their name: the first copy is the right one for ever. */
async function asset(event) {
  const { request } = event;
  const copy = await caches.match(request, { cacheName: CACHE });
  if (copy) return copy;
  const response = await fetch(request);
  // Part of a file, or an error, is no copy. A full disk costs only the copy.
  if (response.status === 200) {
    event.waitUntil(keep(request, response.clone()).catch(() => {}));
  }
  return response;
}

async function keep(request, response) {
  // A later worker has removed the cache while this one was answering.
  if (!(await caches.has(CACHE))) return;
  const cache = await caches.open(CACHE);
  await cache.put(request, response);
}

async function kept(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const copy = await caches.match(request, { cacheName: CACHE });
    if (!copy) throw error;
    return copy;
  }
}

/** Stores shared files as `/shared/<n>`, with their names, and opens the upload page, which takes them from there. */
async function takeShared(request) {
  try {
    const files = (await request.formData()).getAll('files').filter((file) => file instanceof File && file.size > 0);
    // What an earlier share left behind was never taken.
    await caches.delete(SHARED);
    const cache = await caches.open(SHARED);
    for (const [n, file] of files.entries()) {
      const headers = { 'content-type': file.type, 'x-file-name': encodeURIComponent(file.name) };
      await cache.put(`/shared/${n}`, new Response(file, { headers }));
    }
  } catch {
    // The disk is full: no half of a selection is kept, and the upload page says that nothing arrived.
    await caches.delete(SHARED);
  }
  return Response.redirect('/upload?shared=1', 303);
}

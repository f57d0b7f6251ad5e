import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Folders of the built pages; null serves none (in tests of the API). */
export interface Pages {
  readonly web: string | null;
  readonly frame: string | null;
}

export function builtPages(): Pages {
  const require = createRequire(import.meta.url);
  const distOf = (name: string) => join(dirname(require.resolve(`${name}/package.json`)), 'dist');
  return { web: distOf('@framelift/web'), frame: distOf('@framelift/frame') };
}

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Revalidated by ETag on every visit, so that a new build is used immediately. */
const REVALIDATED = 'no-cache';

/** Serves the built files; other addresses fall through to the not-found handler. */
export function mountStatic(app: FastifyInstance, pages: Pages): void {
  const served = [
    { folder: pages.web, prefix: '/' },
    { folder: pages.frame, prefix: '/frame/' },
  ].filter(({ folder }) => folder !== null && existsSync(folder));
  for (const [position, { folder, prefix }] of served.entries()) {
    app.register(fastifyStatic, {
      root: folder as string,
      prefix,
      // One `reply.sendFile` serves both folders.
      decorateReply: position === 0,
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      // Sends file.br or file.gz if the build made it.
      preCompressed: true,
      // Otherwise folders are refused for clients without compression, such as curl.
      allowedPath: (path) => !path.endsWith('/'),
      setHeaders: (reply, path) => {
        reply.header('cache-control', /[\\/]assets[\\/]/.test(path) ? IMMUTABLE : REVALIDATED);
        // The scope /frame is above the folder of its service worker.
        if (prefix === '/frame/' && path.endsWith('sw.js')) reply.header('service-worker-allowed', '/frame');
      },
    });
  }
}

/** Returns whether a URL may be a page, instead of a missing file of the app. */
export function asksForPage(request: FastifyRequest, path: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (path.startsWith('/assets/') || path.startsWith('/frame/assets/')) return false;
  const isFile = /\.\w+$/.test(path);
  return !isFile || (request.headers.accept ?? '').includes('text/html');
}

/** Sends the app's page, whose router handles the URL. Returns false if the URL cannot be a page. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, pages: Pages): boolean {
  const path = request.url.split('?', 1)[0] ?? '/';
  if (!asksForPage(request, path)) return false;
  const folder = /^\/frame(\/|$)/.test(path) ? pages.frame : pages.web;
  if (!folder) return false;
  if (existsSync(join(folder, 'index.html'))) reply.code(200).sendFile('index.html', folder);
  else reply.code(503).type('text/plain; charset=utf-8').send('This page is not built yet: run "npm run build".\n');
  return true;
}

import { texts } from '@framelift/texts/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compress } from './compress.plugin.ts';
import { prerender } from './prerender.plugin.ts';
import { pwa } from './pwa/pwa.plugin.ts';

const server = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000';

/** Namespaces that nearly every first page needs. */
const FIRST_TEXTS = /\/texts\/(\w+)\/(?:auth|common|landing|shell)\.json$/;
const firstTexts = (id: string) => `texts-${FIRST_TEXTS.exec(id)?.[1]}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), texts('common'), pwa(), prerender(), compress()],
  build: {
    manifest: true,
    sourcemap: true,
    // Inlined files would require data: URLs in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Includes all static imports of the entry, which would otherwise be split into two dozen small files.
            { name: 'app', test: /\/web\/src\/main\.tsx$/, priority: 1 },
            // One file per language with the texts of the first pages.
            { name: firstTexts, test: FIRST_TEXTS, priority: 1 },
            // The client of the API, which is loaded as a whole: without this it would be two dozen small files.
            { name: 'contract', test: /\/contract\/src\/|node_modules\/zod\// },
            // Dependencies change rarely: their chunk stays in the browser's cache across releases.
            {
              name: 'vendor',
              priority: 2,
              // Without what reads endless lists: no first page has one.
              test: /node_modules\/(?:react|react-dom|scheduler|react-router|@tanstack(?!.*InfiniteQuery\.|.*infiniteQueryObserver)|i18next|react-i18next)\//,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/api', '/files', '/sandbox'].map((path) => [path, { target: server }])),
  },
});

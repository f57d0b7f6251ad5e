import { texts } from '@framelift/texts/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compress } from './compress.plugin.ts';

const server = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000';

/** The areas that nearly every first page needs. */
const FIRST_TEXTS = /\/texts\/(\w+)\/(?:auth|common|guest|landing|shell)\.json$/;
const firstTexts = (id: string) => `texts-${FIRST_TEXTS.exec(id)?.[1]}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), texts('common'), compress()],
  build: {
    manifest: true,
    sourcemap: true,
    // Inlined files would have to be allowed as data: addresses by the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // With all that the entry needs, which would otherwise lie in two dozen small files.
            { name: 'app', test: /\/web\/src\/main\.tsx$/, priority: 1 },
            // One file a language with the texts of the first pages.
            { name: firstTexts, test: FIRST_TEXTS, priority: 1 },
            // What changes only when a dependency does stays in the browser's cache from release to release.
            {
              name: 'vendor',
              priority: 2,
              test: /node_modules\/(?:react|react-dom|scheduler|react-router|@tanstack|i18next|react-i18next)\//,
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

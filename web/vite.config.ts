import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    manifest: true,
    sourcemap: true,
    rolldownOptions: {
      output: {
        advancedChunks: {
          groups: [
            // The texts that nearly every first page needs travel together: one request per language.
            {
              name: (id) => {
                const texts = /\/i18n\/(en|zh|ja)\/(?:common|shell|landing|auth|guest)\.json/.exec(id);
                return texts ? `texts-${texts[1]}` : null;
              },
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

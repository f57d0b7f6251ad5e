import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['API_ORIGIN'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    manifest: true,
    sourcemap: true,
  },
  server: {
    proxy: Object.fromEntries(['/api', '/files', '/sandbox'].map((path) => [path, { target: server }])),
  },
});

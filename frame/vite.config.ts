import { texts } from '@framelift/texts/vite';
import { defineConfig } from 'vite';

// Display frames run whatever browser they were sold with, so the page is compiled down further than the web app.
export default defineConfig({
  base: '/frame/',
  plugins: [texts('frame')],
  build: { target: 'es2019', assetsInlineLimit: 0, modulePreload: false },
});

import { test as base } from '@playwright/test';
import { type RunningServer, startServer } from './server.ts';

/** `app` is one running server for all tests: each creates its own member, as real users do. */
export const test = base.extend<object, { app: RunningServer }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this very pattern
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.remove();
    },
    { scope: 'worker', timeout: 150_000 },
  ],
  baseURL: ({ app }, use) => use(app.url),
  page: async ({ page }, use) => {
    // Playwright intercepts file choosers only while there is a listener, and enables that without waiting for the
    // browser: a chooser opened immediately by a key would come too early. A listener from the start avoids that.
    page.on('filechooser', () => {});
    await use(page);
  },
});

export { expect } from '@playwright/test';

import { test as base } from '@playwright/test';
import { type RunningServer, startServer } from './server.ts';

/** `app` is one running server for all journeys: each makes its own member, as real people would. */
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
    // Playwright intercepts file choosers only while somebody listens, and switches that on without waiting for the
    // browser: a chooser that a key opens at once would come first and be lost. A listener from the start rules that out.
    page.on('filechooser', () => {});
    await use(page);
  },
});

export { expect } from '@playwright/test';

import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const DEBIAN_CHROMIUM = '/usr/bin/chromium';
const chromium = process.env['CHROMIUM_PATH'] ?? (existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : undefined);

/** What converts little. */
const LOOKS = /(screens|gallery|languages|frame|password)\.spec\.ts$/;

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/journeys',
  // A conversion takes both cores: two journeys that convert would only wait for each other. Looking at pages does not.
  workers: 2,
  projects: [
    { name: 'journeys', testIgnore: LOOKS, workers: 1 },
    { name: 'looks', testMatch: LOOKS },
  ],
  timeout: 120_000,
  expect: { timeout: 15_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: '../reports/playwright.json' }]],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    locale: 'en-US',
    colorScheme: 'dark',
    timezoneId: 'Asia/Taipei',
    // Recording slows every journey. Where a failure needs it: `--trace retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      // Without a UTF-8 locale Chromium saves a file under the name "download" when the real one is not ASCII.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
      args: [
        // Chromium's own sandbox needs rights that root in a container does not have.
        '--no-sandbox',
        // WebGL on the processor: no machine that runs the tests needs a graphics card.
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});

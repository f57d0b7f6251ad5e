import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const DEBIAN_CHROMIUM = '/usr/bin/chromium';
const chromium = process.env['CHROMIUM_PATH'] ?? (existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : undefined);

/** Tests that convert little. */
const LOOKS = /(screens|gallery|languages|frame|password|lifetime|install|routes)\.spec\.ts$/;

/** What Playwright disables on Linux and macOS: Chromium reads the last list only. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
/** The list below the address bar is two pages, opened with every window even if headless: 0.7 s of CPU time. */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

const launchOptions = {
  ...(chromium === undefined ? {} : { executablePath: chromium }),
  // Without a UTF-8 locale Chromium saves a file under the name "download" when the real one is not ASCII.
  env: { ...process.env, LC_ALL: 'C.UTF-8' },
  args: [
    // Chromium's own sandbox needs privileges that root lacks in a container.
    '--no-sandbox',
    // WebGL on the CPU, so that tests need no GPU.
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    // The emulated GPU draws WebGL alone, not the pages: eight journeys took 196 s of CPU time instead of 491 s.
    '--disable-gpu-compositing',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...ADDRESS_BAR].join()}`,
  ],
};

export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/journeys',
  // A conversion uses both cores: two tests that convert would only wait for each other. Tests of pages can run in
  // parallel.
  workers: 2,
  projects: [
    { name: 'journeys', testIgnore: LOOKS, workers: 1 },
    { name: 'looks', testMatch: LOOKS, workers: 1 },
  ],
  timeout: 180_000,
  // Pages draw WebGL on the CPU while the server converts on the same cores: what takes a moment on its own may wait for
  // half a minute.
  expect: { timeout: 30_000 },
  // See docs/decisions/0042-second-try-of-journeys.md.
  retries: 1,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [['list'], ['json', { outputFile: '../reports/playwright.json' }]],
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    locale: 'en-US',
    colorScheme: 'dark',
    timezoneId: 'Asia/Taipei',
    // Tracing slows every test. If a failure needs it: `--trace retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions,
  },
});

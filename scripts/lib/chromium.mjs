import { existsSync } from 'node:fs';
import { canInstallPackages, installPackages } from './debian.mjs';
import { bin } from './processes.mjs';

const DEBIAN = '/usr/bin/chromium';

/**
 * Finds a Chromium for the browser tests, or installs one: Debian's package if that needs no confirmation, else
 * Playwright's.
 *
 * @returns {Promise<string | undefined>} its path, or undefined for Playwright's own, which Playwright finds itself
 * @throws if there is none and none can be installed
 */
export async function provideChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  if (existsSync(DEBIAN)) return DEBIAN;
  if (canInstallPackages()) {
    await installPackages(['chromium']);
    return DEBIAN;
  }
  // Does nothing if the browser is installed already.
  const { ok, output } = await bin('playwright/cli.js', ['install', 'chromium']);
  if (!ok) throw new Error(`${output}\nThere is no Chromium for the browser tests. CHROMIUM_PATH may name one.`);
  return undefined;
}

// Installs the locked dependencies if they are missing. Runs before anything is installed: plain Node only.
import { readFileSync } from 'node:fs';
import { isNewEnough } from './lib/own-node.mjs';
import { npm, seconds } from './lib/processes.mjs';
import { ROOT, whenMain } from './lib/root.mjs';

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(`${ROOT}${file}`, 'utf8')).packages;
  } catch {
    return {};
  }
}

/**
 * Compares the lockfile with npm's own record of node_modules, so that a manual `npm install` counts as well. Optional
 * packages of other platforms are never installed and are ignored.
 */
function isInstalled() {
  const installed = packagesOf('node_modules/.package-lock.json');
  return Object.entries(packagesOf('package-lock.json')).every(([path, locked]) => {
    if (path === '' || locked.optional || locked.devOptional) return true;
    const found = installed[path];
    return found !== undefined && found.version === locked.version && found.integrity === locked.integrity;
  });
}

/** Checks Node and installs the locked dependencies. @throws if npm fails */
export async function setup() {
  if (!isNewEnough(process.versions.node))
    throw new Error(`Node ${process.versions.node} is too old. Use npm start, npm test or scripts/with-node.mjs.`);
  if (isInstalled()) return;
  console.log('Installing dependencies (about a minute the first time) …');
  const result = await npm(['ci', '--prefer-offline', '--no-audit', '--no-fund'], { show: true });
  if (!result.ok) throw new Error('The dependencies could not be installed; the lines above say why.');
  console.log(`Installed in ${seconds(result.ms)}.`);
}

await whenMain(import.meta.url, setup);

import { existsSync } from 'node:fs';
import { run } from './processes.mjs';

const QUIET = { env: { DEBIAN_FRONTEND: 'noninteractive' } };

/** Returns whether packages can be installed without confirmation. */
export const canInstallPackages = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

let last = Promise.resolve();

/**
 * Installs packages, one call at a time, because apt-get fails while another one locks its lists. @throws with the
 * output of apt-get
 */
export function installPackages(packages) {
  const mine = last.then(() => install(packages));
  last = mine.catch(() => {});
  return mine;
}

async function install(packages) {
  console.log(`Installing ${packages.join(' and ')} …`);
  const apt = ['apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=300'];
  // A list that cannot be refreshed may still contain the package, so only the installation decides.
  await run([...apt, 'update'], QUIET);
  const { ok, output } = await run([...apt, 'install', '-y', '--no-install-recommends', ...packages], QUIET);
  if (!ok) throw new Error(`${output}\nInstalling ${packages.join(' and ')} failed.`);
}

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstallPackages, installPackages } from './debian.mjs';

/** Programs that read files back independently of the product, and Debian's packages of them. */
const READERS = { ffprobe: 'ffmpeg', exiftool: 'libimage-exiftool-perl' };

/**
 * Finds the readers of the tests, or installs them where that asks nobody. Tests look for them on the PATH themselves
 * (`engine/src/testing/tools.ts`) and are skipped without.
 *
 * @throws when one is missing and cannot be installed
 */
export async function provideReaders() {
  const lacking = missing();
  if (lacking.length === 0) return;
  if (canInstallPackages()) await installPackages(lacking.map((name) => READERS[name]));
  const still = missing();
  if (still.length > 0) {
    const packages = still.map((name) => READERS[name]).join(' and ');
    throw new Error(`${still.join(' and ')} cannot be found: install ${packages} (Debian's names).`);
  }
}

const missing = () => Object.keys(READERS).filter((name) => !onPath(name));

const onPath = (name) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstallPackages, installPackages } from './debian.mjs';

/** Programs that read files independently of the product, and their Debian packages. */
const READERS = { ffprobe: 'ffmpeg', exiftool: 'libimage-exiftool-perl' };

/**
 * Finds the readers for the tests, or installs them if that needs no confirmation. Tests look for them on the PATH
 * (`engine/src/testing/tools.ts`) and are skipped without them.
 *
 * @throws if one is missing and cannot be installed
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

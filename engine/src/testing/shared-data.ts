import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `shared/data` next to the checkout: real photographs that are not part of the project. */
const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../../shared/data');

/**
 * Returns the path of a file of the data folder, or null where it is absent. Tests then skip with
 * `test.skipIf(photo === null)(…)`, after a one-line warning.
 */
export function sharedData(name: string): string | null {
  const path = join(folder, name);
  if (existsSync(path)) return path;
  process.emitWarning(`${path} is absent: the tests that need it are skipped`);
  return null;
}

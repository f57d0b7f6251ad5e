import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Path of a built file of the engine; the same from source and from a bundle. */
export function distFile(name: string): string {
  const root = createRequire(import.meta.url).resolve('@framelift/engine/package.json');
  return join(root, '..', 'dist', name);
}

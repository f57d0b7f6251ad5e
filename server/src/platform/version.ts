import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Version of this server, from its package.json. */
export function ownVersion(): string {
  const path = createRequire(import.meta.url).resolve('@framelift/server/package.json');
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  return version;
}

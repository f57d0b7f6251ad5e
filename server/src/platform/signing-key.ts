import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The key file holds no key. The message is one sentence for the operator. */
export class UnusableKey extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableKey';
  }
}

/**
 * Returns the key that signs links: 32 random bytes in a file that is created if missing and readable by its owner only.
 * Processes that start together get the same key.
 * @throws UnusableKey if the file holds no key, as after a power cut: the operator decides whether to remove it
 */
export function readSigningKey(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  // Synced before it gets its name: a key file emptied by a power cut would prevent the server from starting.
  writeFileSync(aside, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < 32) throw new UnusableKey(`${path} holds no key: remove it, and links that were given out end.`);
  return key;
}

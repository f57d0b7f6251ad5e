import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSigningKey } from './signing-key.ts';

it('makes the signing key once, readable by its owner alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'framelift-key-'));
  const path = join(folder, 'new', 'secret.key');
  const key = readSigningKey(path);
  expect(key).toMatch(/^[\w-]{43}$/);
  expect(readSigningKey(path)).toBe(key);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'new'))).toEqual(['secret.key']);
  writeFileSync(path, '');
  expect(() => readSigningKey(path)).toThrow('holds no key');
  rmSync(folder, { recursive: true });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const assets = `${import.meta.dirname}/../dist/assets/`;

// Skipped without a build; `npm test` builds first.
it.skipIf(!existsSync(assets))('the page has less than 90 KB of JavaScript, zipped', () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const bytes = scripts.reduce((sum, name) => sum + gzipSync(readFileSync(assets + name)).length, 0);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(90_000);
});

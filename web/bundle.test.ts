import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const dist = `${import.meta.dirname}/dist/`;
const built = existsSync(`${dist}.vite/manifest.json`);
/** Largest first load of a page in bytes of gzip: 5 KB below the limit of the product, as room for the next change. */
const LIMIT = 165_000;

interface Chunk {
  readonly name?: string;
  readonly file: string;
  readonly imports?: readonly string[];
}

/** Returns the gzipped bytes of these manifest entries and all their imports, including the colour scheme script. */
function firstLoad(entries: readonly string[]): number {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'));
  const files = new Set(['scheme.js']);
  const visit = (name: string) => {
    // A chunk that joins several files is listed under a key with its hash.
    const chunk = manifest[name] ?? Object.values(manifest).find((one) => one.name === basename(name, '.tsx'));
    if (!chunk) throw new Error(`The build has no ${name}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const entry of entries) visit(entry);
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(dist + file)).length, 0);
}

const APP = ['index.html', 'texts-ja'];
const pages = {
  '/index': [...APP, 'src/features/landing/LandingPage.tsx', '../texts/ja/depth.json'],
  '/login': [...APP, 'src/features/auth/AuthPage.tsx'],
};

// Skipped without a build; `npm test` builds first.
it.skipIf(!built).each(Object.entries(pages))(
  'the first load of %s stays under 165 KB of JavaScript, zipped',
  (_, entries) => {
    const bytes = firstLoad(entries);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(LIMIT);
  },
);

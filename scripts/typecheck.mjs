// Type-checks every workspace with its own settings, two at a time.
import { readFileSync } from 'node:fs';
import { bin, pooled } from './lib/processes.mjs';
import { ROOT, whenMain } from './lib/root.mjs';

/** @returns {Promise<{ ok: boolean, output: string }>} `output` contains the compiler errors */
export async function typecheck() {
  const { workspaces } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
  const results = await pooled(
    workspaces.map((workspace) => () => bin('typescript/bin/tsc', ['-p', workspace])),
    2,
  );
  return { ok: results.every((result) => result.ok), output: results.map((result) => result.output).join('') };
}

await whenMain(import.meta.url, async () => {
  const { ok, output } = await typecheck();
  process.stdout.write(output);
  process.exitCode = ok ? 0 : 1;
});

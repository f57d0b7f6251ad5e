import { existsSync } from 'node:fs';
import { distFile } from '../render/dist.ts';

/** Kernels and models come from engine/dist: without it, tests say what to do instead of failing oddly. */
export function requireBuilt(): void {
  const missing = ['warp.wasm', 'match.wasm', 'scale.wasm', 'models/manifest.json'].filter(
    (name) => !existsSync(distFile(name)),
  );
  if (missing.length > 0)
    throw new Error(`engine/dist lacks ${missing.join(', ')}: run \`node engine/build.mjs\` (\`npm test\` does) first`);
}

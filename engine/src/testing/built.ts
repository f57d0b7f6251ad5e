import { existsSync } from 'node:fs';
import { distFile } from '../render/dist.ts';

/** Throws with instructions when engine/dist, which contains the kernels and models, is not built. */
export function requireBuilt(): void {
  const missing = ['warp.wasm', 'match.wasm', 'scale.wasm', 'models/manifest.json'].filter(
    (name) => !existsSync(distFile(name)),
  );
  if (missing.length > 0)
    throw new Error(`engine/dist lacks ${missing.join(', ')}: run \`node engine/build.mjs\` (\`npm test\` does) first`);
}

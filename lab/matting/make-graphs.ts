/**
 * Writes the graphs of the matting network for the engine's input sizes, and the plan of their weights, into
 * engine/models. Must be rerun when the sizes or the published network change.
 *
 *   node lab/matting/make-graphs.ts [FOLDER]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readIsnet, WEIGHTS_PLAN } from '../../engine/scripts/prepare-models.ts';
import { MATTE_SIZES, MODEL_FILES } from '../../engine/src/depth/model-files.ts';
import { resizeIsnet } from './isnet.ts';

export async function makeGraphs(folder: string): Promise<void> {
  const { graphs, weights } = resizeIsnet(await readIsnet(), MATTE_SIZES, MODEL_FILES.matteWeights);
  for (const [i, size] of MATTE_SIZES.entries())
    writeFileSync(join(folder, MODEL_FILES.matte[size]), graphs[i] as Uint8Array);
  const pieces = weights.pieces.map((piece) => `    [${piece.join(', ')}]`).join(',\n');
  const plan = `{\n  "bytes": ${weights.bytes},\n  "pieces": [\n${pieces}\n  ]\n}\n`;
  writeFileSync(join(folder, WEIGHTS_PLAN), plan);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await makeGraphs(process.argv[2] ?? join(import.meta.dirname, '../../engine/models'));

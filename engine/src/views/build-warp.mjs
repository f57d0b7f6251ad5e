// Compiles warp.as to WebAssembly. The source has its own ending because it is AssemblyScript, not TypeScript.
//   node engine/src/views/build-warp.mjs engine/dist/warp.wasm
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const source = fileURLToPath(new URL('./warp.as', import.meta.url));

/** Compiles the row warp into `outFile`; written beside it first and renamed, so that nobody reads half a module. */
export async function buildWarp(outFile) {
  let binary;
  const { error, stderr } = await asc.main(
    ['warp.ts', '--outFile', 'warp.wasm', '-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'],
    {
      readFile: (name) => (name === 'warp.ts' ? readFileSync(source, 'utf8') : null),
      writeFile: (name, contents) => {
        if (name === 'warp.wasm') binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error || !binary) throw new Error(`warp.as does not compile:\n${stderr.toString()}`, { cause: error });
  mkdirSync(dirname(outFile), { recursive: true });
  const part = `${outFile}.${process.pid}.part`;
  writeFileSync(part, binary);
  renameSync(part, outFile);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outFile = process.argv[2];
  if (!outFile) throw new Error('usage: build-warp.mjs OUT.wasm');
  await buildWarp(outFile);
}

// Compiles AssemblyScript to WebAssembly. The sources have their own ending because they are not TypeScript.
//   node engine/scripts/compile-wasm.mjs engine/src/views/warp.as engine/dist/warp.wasm
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/** The memory comes from outside, since threads share that of a video; it may be as large as an address reaches. */
const MEMORY = ['--importMemory', '--sharedMemory', '--maximumMemory', '65536', '--enable', 'threads'];

/** Compiles `source` into `outFile`; written beside it first and renamed, so that nobody reads half a module. */
export async function compileWasm(source, outFile) {
  let binary;
  const { error, stderr } = await asc.main(
    ['source.ts', '--outFile', 'out.wasm', '-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', ...MEMORY],
    {
      readFile: (name) => (name === 'source.ts' ? readFileSync(source, 'utf8') : null),
      writeFile: (name, contents) => {
        if (name === 'out.wasm') binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error || !binary)
    throw new Error(`${basename(source)} does not compile:\n${stderr.toString()}`, { cause: error });
  mkdirSync(dirname(outFile), { recursive: true });
  const part = `${outFile}.${process.pid}.part`;
  writeFileSync(part, binary);
  renameSync(part, outFile);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [source, outFile] = process.argv.slice(2);
  if (!source || !outFile) throw new Error('usage: compile-wasm.mjs SOURCE.as OUT.wasm');
  await compileWasm(source, outFile);
}

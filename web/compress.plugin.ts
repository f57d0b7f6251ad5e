import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes a `.br` and a `.gz` next to every text file of the build; the server sends them unchanged. */
export function compress(): Plugin {
  let folder = '';
  return {
    name: 'compress',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = `${root}/${build.outDir}/`;
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:html|js|css|svg|json|webmanifest|wasm)$/.test(name)) continue;
        const bytes = readFileSync(folder + name);
        const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${folder}${name}.br`, brotliCompressSync(bytes, { params: size }));
        writeFileSync(`${folder}${name}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

// Runs a script of the project with a supported Node, for `npm start` and other commands:
//
//   node scripts/with-node.mjs scripts/start.mjs [arguments]
//
// An older Node downloads one into .node/ and starts it; only this file and lib/ must run on the older one.
import { spawn } from 'node:child_process';
import { delimiter, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { provideNode } from './lib/own-node.mjs';
import { forwardSignals } from './lib/processes.mjs';
import { ROOT, whenMain } from './lib/root.mjs';

await whenMain(import.meta.url, async () => {
  const [script, ...args] = process.argv.slice(2);
  const node = await provideNode();
  // Keeps compiled code, also for children and threads: the server then starts as fast as from one bundled file.
  process.env.NODE_COMPILE_CACHE ??= `${ROOT}.cache/compiled`;
  if (node === process.execPath) {
    process.argv = [node, resolve(script), ...args];
    await import(pathToFileURL(script).href);
    return;
  }
  // Set here and not in a copy: only the real environment finds PATH in any spelling on Windows.
  process.env.PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  process.env.npm_node_execpath = node;
  const child = spawn(node, [script, ...args], { stdio: 'inherit' });
  forwardSignals(child);
  child.on('error', (error) => {
    console.error(`The Node in .node/ does not run here (${error.message}). Install Node 24.3 or newer.`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
});

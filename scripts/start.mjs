// `npm start`: installs and builds what is missing or older than its sources, then runs the server until it is stopped.
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { ROOT, whenMain } from './lib/root.mjs';
import { setup } from './setup.mjs';

function serve() {
  const server = spawn(process.execPath, [`${ROOT}server/dist/main.mjs`, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C in a terminal reaches the server directly as well: it takes signals that arrive together as one.
    process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  }
  server.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

await whenMain(import.meta.url, async () => {
  await setup();
  await build();
  serve();
});

// `npm start`: installs and builds what is missing or older than its sources, then runs the server until it is stopped.
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { ROOT, whenMain } from './lib/root.mjs';
import { setup } from './setup.mjs';

/** npm runs us through a shell, and the shell dies of a SIGTERM without passing it on. */
function watchParent(gone) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    gone();
  }, 500);
  return watch;
}

function serve() {
  const server = spawn(process.execPath, [`${ROOT}server/dist/main.mjs`, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Ctrl-C in a terminal reaches the server directly as well: it takes signals that arrive together as one.
    process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  }
  const parent = watchParent(() => server.kill('SIGTERM'));
  server.on('exit', (code) => {
    clearInterval(parent);
    process.exitCode = code ?? 1;
  });
}

await whenMain(import.meta.url, async () => {
  await setup();
  await build();
  serve();
});

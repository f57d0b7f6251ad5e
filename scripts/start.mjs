// `npm start`: installs and builds what is missing or outdated, then runs the server until it is stopped.
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { forwardSignals } from './lib/processes.mjs';
import { ROOT, whenMain } from './lib/root.mjs';
import { setup } from './setup.mjs';

await whenMain(import.meta.url, async () => {
  await setup();
  await build();
  const server = spawn(process.execPath, [`${ROOT}server/src/main.ts`, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  forwardSignals(server);
  server.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
});

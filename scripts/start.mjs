// `npm start`: installs and builds what is missing or outdated, then runs the server until it is stopped.
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { forwardSignals } from './lib/processes.mjs';
import { ROOT, whenMain } from './lib/root.mjs';
import { setup } from './setup.mjs';

await whenMain(import.meta.url, async () => {
  await setup();
  await build();
  // Without the option V8 keeps 64 MB for new objects, even at rest.
  const options = ['--max-semi-space-size=8'];
  const server = spawn(process.execPath, [...options, `${ROOT}server/src/main.ts`, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  forwardSignals(server);
  server.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
});

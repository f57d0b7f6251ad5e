// `npm run dev`: the server from source, restarted on every change, behind the web app with hot reloading.
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { ROOT, whenMain } from './lib/root.mjs';
import { setup } from './setup.mjs';

await whenMain(import.meta.url, async () => {
  await setup();
  await build(['engine']);
  const start = (args, cwd) =>
    spawn(process.execPath, args, {
      cwd: `${ROOT}${cwd}`,
      env: { ENVIRONMENT: 'dev', ...process.env },
      stdio: 'inherit',
    });
  const children = [
    start(['--watch', '--watch-preserve-output', 'server/src/main.ts'], ''),
    start([`${ROOT}node_modules/vite/bin/vite.js`], 'web'),
  ];
  const stop = () => {
    for (const child of children) child.kill('SIGTERM');
  };
  for (const child of children) child.on('exit', stop);
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
});

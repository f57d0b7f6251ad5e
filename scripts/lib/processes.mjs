import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './root.mjs';

/** Running children, so that an interrupted script leaves none behind. */
const running = new Set();

/** Runs npm as a Node script if npm started this process, which needs no shell on any platform. */
const NPM = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];

/**
 * Runs a command in the checkout and waits for its end.
 *
 * @param {string[]} command program and arguments
 * @param {{ env?: Record<string, string | undefined>, show?: boolean, cwd?: string }} [options] `show` passes the
 *   output to the terminal; otherwise it is collected.
 * @returns {Promise<{ ok: boolean, output: string, ms: number }>} `output` is stdout and stderr in order of arrival
 */
export async function run([program, ...args], options = {}) {
  const started = performance.now();
  const child = spawn(program, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', options.show ? 'inherit' : 'pipe', options.show ? 'inherit' : 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  try {
    const [code] = await once(child, 'close');
    return { ok: code === 0, output, ms: performance.now() - started };
  } catch (error) {
    return { ok: false, output: `${program}: ${error.message}\n`, ms: performance.now() - started };
  } finally {
    running.delete(child);
  }
}

export const npm = (args, options) => run([...NPM, ...args], options);

/** Runs the script of an installed package's command, without a shell and without the look-ups of npx. */
export const bin = (script, args, options) =>
  run([process.execPath, `${ROOT}node_modules/${script}`, ...args], options);

/** Signals every running child to stop. */
export function stopAll(signal = 'SIGTERM') {
  for (const child of running) child.kill(signal);
}

/**
 * Forwards the signals that end this process to a child, and stops the child when npm is gone: npm runs a script
 * through a shell, and a SIGTERM ends the shell without being forwarded. Ctrl-C in a terminal also reaches the child
 * directly, which treats simultaneous signals as one.
 */
export function forwardSignals(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 500);
  child.on('exit', () => clearInterval(watch));
}

/**
 * Runs tasks in order, up to `width` at a time.
 *
 * @template T
 * @param {(() => Promise<T>)[]} tasks
 * @param {number} width
 * @returns {Promise<T[]>} results in the order of the tasks
 */
export async function pooled(tasks, width) {
  const results = new Array(tasks.length);
  let next = 0;
  const lane = async () => {
    while (next < tasks.length) {
      const index = next++;
      results[index] = await tasks[index]();
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}

export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** The real program in a process of its own. */
export interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  output(): string;
  errors(): string;
  /** Waits until the output contains this text. */
  says(text: string): Promise<void>;
  readonly exited: Promise<number | null>;
}

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const children = new Set<ChildProcess>();

/**
 * Starts the server with exactly these settings. Captchas are off by default, because the callers are
 * programs, and so are the samples, which take their time; nothing is fetched.
 * `through` is a program and its options that run another one with changed rights.
 */
export function start(settings: Record<string, string>, { through = [] as readonly string[] } = {}): Running {
  const { PATH = '' } = process.env;
  // Not the project's working directory: nothing may depend on it.
  const [program = '', ...options] = [...through, process.execPath, MAIN];
  const child = spawn(program, options, {
    cwd: tmpdir(),
    env: { PATH, CAPTCHA: 'off', SAMPLES: 'off', DEPTH_MODEL: 'basic', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let [output, errors] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (errors += text));
  const exited = once(child, 'close').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return {
    child,
    url: `http://localhost:${settings['PORT']}`,
    output: () => output,
    errors: () => errors,
    exited,
    async says(text) {
      await expect
        .poll(() => output.includes(text) || child.exitCode !== null, { timeout: 90_000, interval: 50 })
        .toBe(true);
      if (!output.includes(text)) expect.fail(`It ended without saying "${text}":\n${output}\n${errors}`);
    },
  };
}

export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return String(port);
}

/** Kills the programs that a test left running. */
export function endPrograms(): void {
  for (const child of children) child.kill('SIGKILL');
}

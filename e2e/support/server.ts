import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const START_MS = 120_000;

/** The built server in a separate process with its own data folder. */
export interface RunningServer {
  /** URL of the site, without a trailing slash. */
  readonly url: string;
  readonly dataDir: string;
  /** Its output so far, over all starts. */
  output(): string;
  /** Restarts it on the same port and data folder. */
  start(): Promise<void>;
  /** Kills it immediately, like a crash. */
  kill(): Promise<void>;
  /** Stops it cleanly. @returns its exit code */
  stop(): Promise<number | null>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/**
 * Starts a server.
 * @param settings in addition to those of all tests
 * @throws if the server does not respond within two minutes, with its output
 */
export async function startServer(settings: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
  if (!existsSync(MAIN)) throw new Error('There is no built server: run `npm run build` first.');
  const dataDir = await mkdtemp(join(tmpdir(), 'framelift-e2e-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let printed = '';
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(process.execPath, [MAIN], {
      // Any folder: the server must not depend on its working directory.
      cwd: dataDir,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        SANDBOX: 'on',
        SAMPLES: 'off',
        // Nothing is fetched from anywhere.
        DEPTH_MODEL: 'basic',
        CONVERTERS: '1',
        // Registrations come from addresses of their own, see `register`.
        TRUST_PROXY: '127.0.0.1',
        DATABASE_URL: undefined,
        SMTP_URL: undefined,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    const deadline = Date.now() + START_MS;
    while (!(await answers(url))) {
      if (started.exitCode !== null || Date.now() > deadline) {
        started.kill('SIGKILL');
        throw new Error(`The server did not start:\n${printed}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    child.kill(signal);
    const [code] = (await exit) as [number | null];
    return code;
  }

  await start();
  return {
    url,
    dataDir,
    output: () => printed,
    start,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
    remove: async () => {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/healthz`)).ok;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}

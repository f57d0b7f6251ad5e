import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import { DatabaseRefused } from './binaries.ts';
import { type Connection, controlPath, type KeeperMessage, type KeeperOptions } from './protocol.ts';

/** The embedded database from the view of one process that uses it. */
export interface Embedded {
  readonly connection: Connection;
  /** Whether no other process has used the database since it started. */
  readonly first: boolean;
  /** Disconnects; the last process waits until the database has stopped. */
  close(): Promise<void>;
}

export interface EmbeddedOptions extends Partial<KeeperOptions> {
  readonly folder: string;
  readonly log: Log;
  /** Called when the database restarted at another address because its keeper was killed. */
  readonly onMoved?: (connection: Connection) => void;
}

interface Attached {
  readonly socket: Socket;
  readonly connection: Connection;
  readonly first: boolean;
}

const PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 5_000;
const KEEPER = join(import.meta.dirname, 'keeper.ts');
/** Saves memory: the keeper does little and runs for months. */
const FRUGAL = ['--max-old-space-size=32', '--max-semi-space-size=1', '--single-threaded-gc', '--v8-pool-size=0'];

/**
 * Starts the PostgreSQL with its data in `folder`, or joins the processes that already use it. Creates the folder if
 * missing.
 * @throws DatabaseRefused
 */
export async function joinEmbedded({ folder, log, onMoved, ...rest }: EmbeddedOptions): Promise<Embedded> {
  const options: KeeperOptions = {
    transport: process.platform === 'win32' ? 'tcp' : 'socket',
    settings: {},
    ...rest,
    folder,
  };
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  let isLeaving = false;
  let attached = await attach(options, log);
  watch();

  function watch(): void {
    attached.socket.once('close', async () => {
      if (isLeaving) return;
      log.error('The keeper of the built-in database was killed and is started again');
      for (let pauseMs = PAUSE_MS; !isLeaving; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        try {
          attached = await attach(options, log);
          onMoved?.(attached.connection);
          return watch();
        } catch (error) {
          log.error({ err: error }, 'The built-in database could not be started');
          await sleep(pauseMs);
        }
      }
    });
  }

  return {
    connection: attached.connection,
    first: attached.first,
    async close() {
      isLeaving = true;
      const { socket } = attached;
      if (socket.closed) return;
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.end();
      await closed;
    },
  };
}

/** Connects to the keeper, starting one if needed, and waits for the database. @throws DatabaseRefused */
async function attach(options: KeeperOptions, log: Log): Promise<Attached> {
  let starting: ReturnType<typeof startKeeper> | undefined;
  try {
    for (;;) {
      const attached = await enter(options.folder, log);
      if (attached) return attached;
      if (starting?.ended()) {
        const message = starting.errors().trim();
        if (message) throw new DatabaseRefused(message);
        starting = undefined;
      }
      starting ??= startKeeper(options);
      await sleep(PAUSE_MS);
    }
  } finally {
    starting?.letGo();
  }
}

/** Returns null if no keeper listens or it is about to end. @throws DatabaseRefused */
async function enter(folder: string, log: Log): Promise<Attached | null> {
  const socket = connect({ path: controlPath(folder), allowHalfOpen: false });
  return new Promise((resolve, reject) => {
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(null));
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(JSON.parse(line) as KeeperMessage);
    });
    function take(message: KeeperMessage): void {
      if (message.kind === 'ready') resolve({ socket, ...message });
      else if (message.kind === 'log') log[message.level](message.message);
      else {
        socket.end();
        reject(new DatabaseRefused(message.message));
      }
    }
  });
}

function startKeeper(options: KeeperOptions) {
  const keeper = spawn(
    process.execPath,
    [...FRUGAL, KEEPER, JSON.stringify(options)],
    // A process group of its own, so that Ctrl-C does not end it.
    { cwd: dirname(options.folder), detached: true, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true },
  );
  let said = '';
  let hasEnded = false;
  keeper.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  keeper.on('error', (error) => {
    said += error.message;
    hasEnded = true;
  });
  keeper.on('close', () => {
    hasEnded = true;
  });
  return {
    ended: () => hasEnded,
    errors: () => said,
    letGo() {
      // Ends a keeper that still waits for the lock of another one; a keeper that holds the lock ignores the signal.
      if (process.platform !== 'win32') keeper.kill('SIGTERM');
      keeper.stderr.destroy();
      keeper.unref();
    },
  };
}

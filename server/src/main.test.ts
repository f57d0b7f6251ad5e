import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@framelift/contract';
import { type Hub, openHub } from '@framelift/engine/testing/hub';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { registration } from './testing/app.ts';
import { administrate, createTestDatabase } from './testing/database.ts';
import { endPrograms, freePort, type Running, start } from './testing/program.ts';
import { canMount, onFullDisk, onReadOnlyDisk, withoutRights } from './testing/small-disk.ts';

const clientOf = ({ url }: Running) => createClient({ base: `${url}/api` });
const stop = async (server: Running) => {
  server.child.kill('SIGTERM');
  return server.exited;
};

/** Sends the first part of a login request; `finish` sends the rest and returns the status line. */
async function halfLogin({ url }: Running) {
  const body = JSON.stringify({ email: 'a@example.com', password: 'Wrong-Horse-1' });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text) => (answer += text));
  const head = `POST /api/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  socket.write(head + body.slice(0, 5));
  return {
    socket,
    async finish() {
      const closed = once(socket, 'close');
      socket.write(body.slice(5));
      await closed;
      return answer.split('\r\n', 1)[0];
    },
  };
}

const folder = mkdtempSync(join(tmpdir(), 'framelift-main-'));
afterEach(endPrograms);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 }));

describe('an installation on one machine', { timeout: 120_000 }, () => {
  const DATA_DIR = join(folder, 'one');
  let settings: Record<string, string>;
  let admin: { email: string; password: string };
  /** The way out of every server of this installation, which leads nowhere. */
  let proxy: Hub;
  beforeAll(async () => {
    proxy = await openHub(new Uint8Array());
    const { origin } = new URL(proxy.address);
    settings = { DATA_DIR, PORT: await freePort(), NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: origin };
  });
  afterAll(() => proxy.close());

  it('says on its first start where it is, where mails go, and two passwords that work [R-1.admin.1]', async () => {
    const server = start(settings);
    await server.says('"msg":"ready"');
    // No job complains of what has not begun yet.
    expect(server.output()).not.toMatch(/"level":[45]0/);
    expect(server.output()).toContain(`Open    ${server.url}\n`);
    expect(server.output()).toContain('Depth   basic\n');
    expect(server.output()).toContain(`Mails   stay in ${DATA_DIR}/outbox, shown at ${server.url}/sandbox/mailbox\n`);
    const accounts = [...server.output().matchAll(/(Admin|Member) +(\S+@\S+) +password (\S+)/g)];
    expect(accounts.map(([, name]) => name)).toEqual(['Admin', 'Member']);
    for (const [, name, email = '', password = ''] of accounts) {
      const { user } = await clientOf(server).call('login', { input: { email, password } });
      expect(user).toMatchObject({ isAdmin: name === 'Admin', isConfirmed: true });
      if (name === 'Admin') admin = { email, password };
    }
    expect((await fetch(`${server.url}/sandbox/mailbox`)).status).toBe(200);

    // A second server on the same folder refuses to start and does not disturb the first.
    const second = start({ ...settings, PORT: await freePort() });
    expect(await second.exited).toBe(1);
    expect(second.errors()).toBe(
      `The data folder ${DATA_DIR} is in use by process ${server.child.pid}: stop that Framelift first, or give this one another DATA_DIR.\n`,
    );
    expect(second.output()).toBe('');
    expect((await clientOf(server).call('login', { input: admin })).user.isAdmin).toBe(true);

    expect(await stop(server)).toBe(0);
    expect(readdirSync(DATA_DIR)).not.toContain('framelift.lock');
  });

  it('shows no password again, and ends a running request before it stops on SIGTERM', async () => {
    const server = start(settings);
    await server.says('"msg":"ready"');
    expect(server.output()).not.toMatch(/password/i);
    const request = await halfLogin(server);
    // When the server responds to a later request, it has read the first half.
    await fetch(`${server.url}/healthz`);
    server.child.kill('SIGTERM');
    await server.says('stopping');
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    expect(await request.finish()).toBe('HTTP/1.1 422 Unprocessable Entity');
    expect(await server.exited).toBe(0);
  });

  it('starts again at once after kill -9, with everything there', async () => {
    const killed = start(settings);
    await killed.says('"msg":"ready"');
    killed.child.kill('SIGKILL');
    await killed.exited;
    expect(existsSync(join(DATA_DIR, 'framelift.lock'))).toBe(true);

    const server = start(settings);
    await server.says('"msg":"ready"');
    expect((await clientOf(server).call('login', { input: admin })).user.isAdmin).toBe(true);

    // A request that never ends would delay the stop; a second, later signal ends the server immediately.
    const { socket } = await halfLogin(server);
    socket.on('error', () => {});
    await fetch(`${server.url}/healthz`);
    server.child.kill('SIGINT');
    await server.says('stopping');
    // The request may delay the stop by 10 s; signals that arrive together with the first do not count.
    await expect
      .poll(() => server.child.kill('SIGINT') && server.child.exitCode, { timeout: 5_000, interval: 200 })
      .toBe(false);
    expect(await server.exited).toBe(1);
  });

  it('fetches nothing as tests start it; by itself it names the depth model that it fetches, and how to keep it off', async () => {
    expect(proxy.tunnels).toEqual([]);
    // Empty is not set.
    const server = start({ ...settings, DEPTH_MODEL: '' });
    await server.says('"msg":"Depth Anything V2 Small is not in use');
    expect(server.output()).toContain(
      'Depth   Depth Anything V2 Small (Apache-2.0, 99 MB) is fetched in the background, basic until then; DEPTH_MODEL=basic keeps it off\n',
    );
    expect(new Set(proxy.tunnels)).toEqual(new Set(['huggingface.co:443']));
    expect(server.output()).toContain('"msg":"ready"');
    expect(await stop(server)).toBe(0);
  });
});

describe('a start that cannot succeed', () => {
  let taken: Server;
  let port: string;
  beforeAll(async () => {
    port = await freePort();
    taken = createServer().listen(Number(port), '127.0.0.1');
    await once(taken, 'listening');
  });
  afterAll(() => taken.close());

  it('because of a taken port ends with one sentence before there is a database', async () => {
    const DATA_DIR = join(folder, 'taken');
    const server = start({ DATA_DIR, PORT: port });
    expect(await server.exited).toBe(1);
    expect(server.errors()).toBe(
      `127.0.0.1:${port} is already in use: stop what listens there, or set another PORT.\n`,
    );
    expect(readdirSync(DATA_DIR)).toEqual([]);
  });

  /** Returns what the start of a server says that ends with exit code 1. */
  async function refusal(DATA_DIR: string, through: readonly string[] = []): Promise<string> {
    const server = start({ DATA_DIR, PORT: await freePort() }, { through });
    expect(await server.exited).toBe(1);
    expect(server.output()).toBe('');
    return server.errors();
  }
  const made = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path);
    return path;
  };

  it('because of a data folder that may not be written says so in one sentence [S14]', async () => {
    const closed = made('closed');
    chmodSync(closed, 0o500);
    expect(await refusal(closed, withoutRights)).toMatch(
      /^The data folder \S+\/closed cannot be used by this user \(\S+\): give it to this user, or set another DATA_DIR\.\n$/,
    );
    const inside = join(closed, 'new');
    expect(await refusal(inside, withoutRights)).toMatch(/^The data folder \S+\/new cannot be used by this user .+\n$/);

    const partly = made('partly');
    mkdirSync(join(partly, 'objects'), { mode: 0o500 });
    expect(await refusal(partly, withoutRights)).toMatch(
      /^The data folder \S+ cannot be used by this user \(\S+\/objects\): .+\n$/,
    );
    expect(readdirSync(partly)).toEqual(['objects']);

    const foreign = made('foreign');
    if (process.getuid?.() === 0) chownSync(foreign, 65_534, 65_534);
    chmodSync(foreign, process.getuid?.() === 0 ? 0o700 : 0o000);
    expect(await refusal(foreign, withoutRights)).toMatch(/^The data folder \S+ cannot be used by this user .+\n$/);
    chmodSync(foreign, 0o700);
  });

  it('because of a file where the data folder should be says so in one sentence [S14]', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'far', 'below')])
      expect(await refusal(path)).toMatch(
        /^The data folder \S+ is no folder \(\S+\): remove that file, or set another DATA_DIR\.\n$/,
      );
    const dataDir = made('key');
    writeFileSync(join(dataDir, 'secret.key'), '');
    const server = start({ DATA_DIR: dataDir, PORT: await freePort() });
    expect(await server.exited).toBe(1);
    expect(server.errors()).toBe(`${dataDir}/secret.key holds no key: remove it, and links that were given out end.\n`);
  });

  it.runIf(canMount)('because of a disk that is full or read-only says so in one sentence [S14]', async () => {
    const dataDir = made('disk');
    expect(await refusal(dataDir, onFullDisk(dataDir))).toBe(
      `The data folder ${dataDir} is on a disk that has no room left: make some, or set another DATA_DIR.\n`,
    );
    expect(await refusal(dataDir, onReadOnlyDisk(dataDir))).toBe(
      `The data folder ${dataDir} is on a read-only file system: make that writable, or set another DATA_DIR.\n`,
    );
  });

  it('because of a database whose user may make no tables says so in one sentence [S14]', async () => {
    const database = await createTestDatabase('template0');
    const url = new URL(database.url);
    const role = url.pathname.slice(1);
    await administrate(database.url, `create role ${role} login password 'secret'`);
    url.username = role;
    url.password = 'secret';
    const server = start({ DATA_DIR: join(folder, 'rights'), PORT: await freePort(), DATABASE_URL: url.href });
    expect(await server.exited).toBe(1);
    expect(server.errors()).toMatch(
      /^The tables of the database could not be made \(permission denied [^)]+\): give its user the right to do so, or set another DATABASE_URL\.\n$/,
    );
    await database.drop();
    await administrate(inject('databaseServer'), `drop role ${role}`);
  });

  it('because of a wrong setting names it and touches nothing', async () => {
    const DATA_DIR = join(folder, 'wrong');
    const server = start({ DATA_DIR, PORT: 'x', DATABASE_URI: 'y' });
    expect(await server.exited).toBe(1);
    expect(server.errors()).toBe(
      'DATABASE_URI: is no setting; did you mean DATABASE_URL?\nPORT: must be a whole number\n',
    );
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('because PostgreSQL is away says so without the password', async () => {
    const DATABASE_URL = 'postgres://framelift:s3cret@127.0.0.1:1/framelift';
    const server = start({ DATA_DIR: join(folder, 'away'), PORT: await freePort(), DATABASE_URL });
    expect(await server.exited).toBe(1);
    expect(server.errors()).toMatch(/^DATABASE_URL: the database 127\.0\.0\.1:1\/framelift does not answer: .+\n$/);
    expect(server.errors()).not.toContain('s3cret');
  });
});

describe('an installation on PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase('template0');
  });
  afterAll(() => database.drop());

  it('has any number of web and worker processes, which may start together: one serves, another does the jobs', async () => {
    const SIGNING_SECRET = 'the same for all processes of one site';
    const common = { DATABASE_URL: database.url, SIGNING_SECRET };
    const web = start({ ...common, ROLE: 'web', DATA_DIR: join(folder, 'web'), PORT: await freePort() });
    const other = start({ ...common, ROLE: 'web', DATA_DIR: join(folder, 'web'), PORT: await freePort() });
    const worker = start({ ...common, ROLE: 'worker', DATA_DIR: join(folder, 'worker') });
    await Promise.all([web, other, worker].map((server) => server.says('"msg":"ready"')));
    const greetings = [web, other, worker].map((server) => server.output()).join('');
    expect(greetings.match(/Admin .* password/g)).toHaveLength(1);

    await clientOf(web).call('register', { input: registration('mia@example.com') });
    const outbox = join(folder, 'worker', 'outbox');
    await expect.poll(() => (existsSync(outbox) ? readdirSync(outbox) : []), { timeout: 15_000 }).toHaveLength(1);
    const { password } = registration('');
    const { user } = await clientOf(other).call('login', { input: { email: 'mia@example.com', password } });
    expect(user.isConfirmed).toBe(false);
    expect(await Promise.all([web, other, worker].map(stop))).toEqual([0, 0, 0]);
  });
});

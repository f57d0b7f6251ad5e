import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openPostgres } from '../platform/db/open.ts';
import { createLog } from '../platform/log.ts';
import { openS3Storage } from '../platform/storage/s3.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createTestDatabase } from '../testing/database.ts';
import { openSilentProxy, type SilentProxy } from '../testing/silent-proxy.ts';
import { put, refusal, requestFor, smallJpeg } from '../testing/uploads.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let bucket: S3rver;
let folder: string;
let toDatabase: SilentProxy;
let toBucket: SilentProxy;
let app: TestApp;
let client: ReturnType<TestApp['client']>;

beforeAll(async () => {
  vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true');
  database = await createTestDatabase();
  const url = new URL(database.url);
  toDatabase = await openSilentProxy(url.hostname, Number(url.port));
  url.hostname = '127.0.0.1';
  url.port = String(toDatabase.port);
  // Shorter than in production, so that the tests need not wait for half a minute.
  const limits = { connectMs: 1_000, statementMs: 1_000, silentMs: 1_500 };
  const opened = await openPostgres({ connectionString: url.href }, createLog('silent'), limits);

  folder = await mkdtemp(join(tmpdir(), 'framelift-health-'));
  const configureBuckets = [{ name: 'pictures' }];
  bucket = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets });
  const { port } = await bucket.run();
  toBucket = await openSilentProxy('127.0.0.1', port);
  const storage = await openS3Storage(
    {
      bucket: 'pictures',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${toBucket.port}`,
      publicEndpoint: `http://127.0.0.1:${port}`,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      silentMs: 300,
    },
    Buffer.alloc(32),
    () => new Date(),
  );
  app = await startTestApp({ ...opened, alone: true }, { storage });
  client = app.client({ token: (await app.member()).token });
});
afterAll(async () => {
  toDatabase.speak();
  toBucket.speak();
  await app.close();
  await toDatabase.close();
  await toBucket.close();
  await bucket.close();
  await database.drop();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

async function ask(path: string) {
  const response = await fetch(`${app.url}${path}`, { signal: AbortSignal.timeout(20_000) });
  return { status: response.status, body: (await response.json()) as unknown };
}
const PATIENT = { timeout: 20_000 };
const health = () => ask('/healthz');
const well = { status: 200, body: { ok: true, version: '0.0.0-test', database: 'ok', storage: 'ok' } };
const recovers = () => expect.poll(health, PATIENT).toEqual(well);

test('it says that everything is there', async () => {
  expect(await health()).toEqual(well);
  expect(await ask('/livez')).toEqual({ status: 200, body: { ok: true } });
});

test('a database that accepts and never answers is told, and no call hangs [R-8.catalogue.8] [S8]', async () => {
  await recovers();
  toDatabase.silence();
  await expect
    .poll(health, PATIENT)
    .toEqual({ status: 503, body: { ok: false, version: '0.0.0-test', database: 'missing', storage: 'ok' } });
  expect((await ask('/livez')).status).toBe(200);

  // More calls than connections: those that got one, and those that wait for one.
  const calls = await Promise.all(Array.from({ length: 25 }, () => refusal(client.call('user'))));
  for (const { code, status, retryAfter, message } of calls) {
    expect([code, status]).toEqual(['systemBusy', 503]);
    expect(retryAfter).toBeGreaterThan(0);
    expect(message).toBe('The system is busy. Please try again in a moment.');
  }

  // The cut connections are gone from the pool.
  toDatabase.speak();
  await recovers();
  const again = await Promise.all(Array.from({ length: 25 }, () => client.call('user')));
  expect(again).toHaveLength(25);
});

test('a database that is away is told too, and everything works again once it is back [S8]', async () => {
  await recovers();
  await toDatabase.close();
  await expect.poll(async () => (await health()).body, PATIENT).toMatchObject({ database: 'missing', storage: 'ok' });
  const away = await refusal(client.call('user'));
  expect(away).toMatchObject({ code: 'systemBusy', status: 503 });
  expect(away.retryAfter).toBeGreaterThan(0);
  const { hostname, port } = new URL(database.url);
  toDatabase = await openSilentProxy(hostname, Number(port), toDatabase.port);
  await recovers();
  expect((await client.call('user')).isConfirmed).toBe(true);
});

test('a transaction that meets the silence ends too [S8]', async () => {
  await recovers();
  const running = app.context.db.transaction(async (tx) => {
    await tx.execute('select 1');
    toDatabase.silence();
    await tx.execute('select 2');
  });
  await expect(running).rejects.toThrow();
  toDatabase.speak();
  await recovers();
});

test('a statement that takes too long is ended, and its caller may try again [S8]', async () => {
  await recovers();
  const slow = app.context.db.execute('select pg_sleep(60)');
  await expect(slow).rejects.toMatchObject({ cause: { code: '57014' } });
});

test('a bucket that accepts and never answers is told, and no upload hangs [S8]', async () => {
  await recovers();
  const jpeg = await smallJpeg();
  const link = await client.call('requestUploadMedia', {
    input: await requestFor(client, jpeg, { effect_param_id: 0 }),
  });
  expect((await put(app, link, jpeg)).ok).toBe(true);
  toBucket.silence();
  await expect
    .poll(health, PATIENT)
    .toEqual({ status: 503, body: { ok: false, version: '0.0.0-test', database: 'ok', storage: 'missing' } });
  const finish = () => client.call('setMediaS3UploadFinish', { input: { id: link.media_id } });
  expect(await refusal(finish())).toMatchObject({ code: 'systemBusy', status: 503 });

  toBucket.speak();
  await recovers();
  expect((await finish()).id).toBe(link.media_id);
});

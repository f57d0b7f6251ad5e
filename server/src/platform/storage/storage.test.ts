import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ApiError, ERRORS } from '@framelift/contract';
import { fastify } from 'fastify';
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mountFiles } from '../../http/files.ts';
import { type DiskStorage, openDiskStorage } from './disk.ts';
import { SLOWEST } from './receive.ts';
import { openS3Storage } from './s3.ts';
import { isObjectKey, type ObjectInfo, type Storage } from './storage.ts';

interface Store {
  readonly storage: Storage;
  /** Base URL of relative links. */
  readonly base: string;
  close(): Promise<void>;
}

let folder: string;
beforeAll(async () => {
  // The SDK's warning about Node versions of 2027 concerns whoever updates it, not every test run.
  vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true');
  folder = await mkdtemp(join(tmpdir(), 'framelift-storage-'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

let now = () => new Date();

const secret = Buffer.alloc(32, 7);

async function serve(storage: Storage): Promise<Store> {
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((error, _request, reply) => {
    const code = error instanceof ApiError ? error.code : 'internal';
    reply.code(ERRORS[code].status).send({ code });
  });
  mountFiles(app, storage, {
    isExpected: async (key) => !key.startsWith('finished/'),
    isShown: async (key) => !key.startsWith('deleted/'),
    isPlayed: async (key, _mediaId, frameId) => frameId === 'shelf' && !key.startsWith('deleted/'),
  });
  const base = await app.listen({ port: 0, host: '127.0.0.1' });
  return { storage, base, close: () => app.close() };
}

async function openDisk(): Promise<Store & { storage: DiskStorage; root: string }> {
  const root = join(folder, `objects-${Math.random().toString(36).slice(2)}`);
  const storage = await openDiskStorage({ root, secret, now: () => now() });
  return { ...(await serve(storage)), storage, root };
}

async function openS3(): Promise<Store> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'pictures' }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const settings = { bucket: 'pictures', region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const storage = await openS3Storage({ ...settings, endpoint }, secret, () => now());
  const store = await serve(storage);
  return {
    ...store,
    close: async () => {
      await store.close();
      await storage.close();
      await server.close();
    },
  };
}

const inMinutes = (minutes: number) => new Date(now().getTime() + minutes * 60_000);

async function collect(list: AsyncIterable<ObjectInfo>): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of list) keys.push(key);
  return keys.sort();
}

async function put(store: Store, key: string, bytes: Uint8Array, announced = bytes.length): Promise<Response> {
  const claims = { size: announced, type: 'image/jpeg', expires: inMinutes(15) };
  const { url, headers } = await store.storage.presignPut(key, claims);
  return fetch(new URL(url, store.base), { method: 'PUT', headers, body: bytes });
}

beforeEach(() => {
  now = () => new Date();
});

describe.each([
  ['disk', openDisk],
  ['S3', openS3],
])('storage on %s', (_name, open) => {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(async () => {
    await store.close();
  });

  test('a file put through a link is the object, byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    const answer = await put(store, 'uploads/one', bytes);
    expect(answer.ok).toBe(true);
    const info = await store.storage.head('uploads/one');
    expect(info).toMatchObject({ key: 'uploads/one', size: 100_000 });
    expect(info?.modified).toBeInstanceOf(Date);
    const stream = await store.storage.openRead('uploads/one');
    expect(stream && Buffer.compare(await buffer(stream), bytes)).toBe(0);
  });

  test('a link answers the bytes with a fixed type and any name, and nothing else of the store [A18]', async () => {
    const source = join(folder, 'source.jpg');
    await writeFile(source, 'picture');
    await store.storage.putFile('outputs/two/file', source, 'image/jpeg');
    const claims = { mediaId: 'one', name: '小白菜 "1";.jpeg', type: 'image/jpeg', expires: inMinutes(15) };
    const url = new URL(await store.storage.presignGet('outputs/two/file', claims), store.base);
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('picture');
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="___ _1__.jpeg"; filename*=UTF-8''%E5%B0%8F%E7%99%BD%E8%8F%9C%20%221%22%3B.jpeg`,
    );
  });

  test('a range is answered as exactly that range [A36]', async () => {
    const source = join(folder, 'digits');
    await writeFile(source, '0123456789');
    await store.storage.putFile('outputs/digits', source, 'image/png');
    const claims = { mediaId: 'one', name: 'digits.png', type: 'image/png', expires: inMinutes(15) };
    const url = new URL(await store.storage.presignGet('outputs/digits', claims), store.base);
    const answer = await fetch(url, { headers: { range: 'bytes=0-1' } });
    expect(answer.status).toBe(206);
    expect(await answer.text()).toBe('01');
    expect(answer.headers.get('content-range')).toBe('bytes 0-1/10');
    expect(answer.headers.get('content-length')).toBe('2');
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    const stream = await store.storage.openRead('outputs/digits', { start: 3, end: 5 });
    expect(stream && (await buffer(stream)).toString()).toBe('345');
  });

  test('a link ends with the picture, whenever it was signed [S15]', async () => {
    const source = join(folder, 'deleted.jpg');
    await writeFile(source, 'picture');
    await store.storage.putFile('deleted/file', source, 'image/jpeg');
    const claims = { mediaId: 'one', name: 'x.jpg', type: 'image/jpeg', expires: inMinutes(15) };
    const url = new URL(await store.storage.presignGet('deleted/file', claims), store.base);
    const answer = await fetch(url);
    expect([answer.status, answer.redirected, await answer.json()]).toEqual([404, false, { code: 'mediaNotFound' }]);
  });

  test('a link of a frame is answered by the server itself, and ends with the item of the frame', async () => {
    const source = join(folder, 'played.jpg');
    await writeFile(source, 'picture');
    await store.storage.putFile('outputs/played', source, 'image/jpeg');
    const claims = { mediaId: 'one', name: 'x.jpg', type: 'image/jpeg', expires: inMinutes(15), inline: true };
    const get = async (frameId: string) => {
      const url = await store.storage.presignGet('outputs/played', { ...claims, frameId });
      const answer = await fetch(new URL(url, store.base), { redirect: 'manual' });
      await answer.body?.cancel();
      return answer.status;
    };
    expect([await get('shelf'), await get('attic')]).toEqual([200, 404]);
  });

  test('objects are copied out to files, and never over one', async () => {
    const source = join(folder, 'copied');
    await writeFile(source, 'copied');
    await store.storage.putFile('outputs/copied', source, 'image/png');
    const target = join(folder, `target-${_name}`);
    expect(await store.storage.readTo('outputs/copied', target)).toBe(true);
    expect(await readFile(target, 'utf8')).toBe('copied');
    await expect(store.storage.readTo('outputs/copied', target)).rejects.toThrow('EEXIST');
  });

  test('what is not there reads as null, and deleting it succeeds', async () => {
    const path = join(folder, `absent-${_name}`);
    expect(await store.storage.head('uploads/absent')).toBeNull();
    expect(await store.storage.openRead('uploads/absent')).toBeNull();
    expect(await store.storage.readTo('uploads/absent', path)).toBe(false);
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    await store.storage.delete('uploads/absent');
  });

  test('lists by prefix and forgets what was deleted', async () => {
    const source = join(folder, 'listed');
    await writeFile(source, 'listed');
    for (const key of ['listing/aa/1', 'listing/aa/2', 'listing/ab/3', 'listings/4'])
      await store.storage.putFile(key, source, 'image/png');
    expect(await collect(store.storage.list('listing/'))).toEqual(['listing/aa/1', 'listing/aa/2', 'listing/ab/3']);
    expect(await collect(store.storage.list('listing/aa/'))).toEqual(['listing/aa/1', 'listing/aa/2']);
    await store.storage.delete('listing/aa/1');
    expect(await collect(store.storage.list('listing/'))).toEqual(['listing/aa/2', 'listing/ab/3']);
    expect(await collect(store.storage.list('nothing/'))).toEqual([]);
  });

  test('a link that has expired is refused and leaves nothing behind', async () => {
    const claims = { size: 3, type: 'image/jpeg', expires: inMinutes(15) };
    now = () => new Date(Date.now() - 60 * 60_000);
    const { url, headers } = await store.storage.presignPut('uploads/late', { ...claims, expires: inMinutes(15) });
    now = () => new Date();
    const answer = await fetch(new URL(url, store.base), { method: 'PUT', headers, body: 'abc' });
    expect(answer.ok).toBe(false);
    expect([403, 410]).toContain(answer.status);
    expect(await store.storage.head('uploads/late')).toBeNull();
  });

  test('keys that lead out of the store are refused', async () => {
    const claims = { size: 1, type: 'image/png', expires: inMinutes(1) };
    for (const key of ['../secret', 'uploads/../../secret', '/etc/passwd', 'uploads/', 'a', 'uploads/.hidden', 'U/x']) {
      expect(isObjectKey(key)).toBe(false);
      await expect(store.storage.presignPut(key, claims)).rejects.toThrow('Not a key');
      await expect(store.storage.head(key)).rejects.toThrow('Not a key');
    }
  });
});

// s3rver checks neither the signed path nor the signed headers, so only the disk store is tested.
describe('upload links of the disk store', () => {
  let store: Awaited<ReturnType<typeof openDisk>>;
  beforeAll(async () => {
    store = await openDisk();
  });
  afterAll(async () => {
    await store.close();
  });

  async function leftovers(): Promise<string[]> {
    return [...(await readdir(join(store.root, '.incoming'))), ...(await collect(store.storage.list('')))];
  }

  const link = async (key: string, size: number) => {
    const { url } = await store.storage.presignPut(key, { size, type: 'image/jpeg', expires: inMinutes(15) });
    return new URL(url, store.base);
  };
  const send = async (url: URL, body: string | Uint8Array, type = 'image/jpeg') => {
    const answer = await fetch(url, { method: 'PUT', headers: { 'content-type': type }, body });
    return [answer.status, answer.ok ? 'stored' : ((await answer.json()) as { code: string }).code];
  };
  /** Streams without Content-Length, so that the size is only known by counting. */
  const streamed = (bytes: number) =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(bytes));
        controller.close();
      },
    });
  const sendStreamed = async (url: URL, bytes: number) => {
    const init = { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: streamed(bytes), duplex: 'half' };
    const answer = await fetch(url, init as RequestInit);
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };

  test.each([
    ['101 bytes', 101],
    ['99 bytes', 99],
    ['no byte', 0],
  ])('%s instead of the 100 announced is refused', async (_name, bytes) => {
    expect(await send(await link('uploads/size', 100), new Uint8Array(bytes))).toEqual([413, 'uploadSizeMismatch']);
    expect(await leftovers()).toEqual([]);
  });

  test('bytes are counted where no length is told', async () => {
    expect(await sendStreamed(await link('uploads/size', 100), 101)).toEqual([413, 'uploadSizeMismatch']);
    expect(await sendStreamed(await link('uploads/size', 100), 99)).toEqual([413, 'uploadSizeMismatch']);
    expect(await sendStreamed(await link('uploads/size', 100), 30_000_000)).toEqual([413, 'uploadSizeMismatch']);
    expect(await leftovers()).toEqual([]);
  });

  test('another type than announced is refused', async () => {
    expect(await send(await link('uploads/type', 3), 'abc', 'text/html')).toEqual([415, 'uploadTypeMismatch']);
    expect(await leftovers()).toEqual([]);
  });

  test.each([
    ['signature', (url: URL) => url.searchParams.set('signature', 'A'.repeat(43))],
    ['missing signature', (url: URL) => url.searchParams.delete('signature')],
    ['size', (url: URL) => url.searchParams.set('size', '4')],
    ['type', (url: URL) => url.searchParams.set('type', 'text/html')],
    ['expiry', (url: URL) => url.searchParams.set('expires', '99999999999')],
    ['key', (url: URL) => (url.pathname = '/files/uploads/other')],
    ['an added term', (url: URL) => url.searchParams.append('inline', '1')],
  ])('an altered link is refused: %s', async (_name, alter) => {
    const url = await link('uploads/altered', 3);
    alter(url);
    expect(await send(url, 'abc')).toEqual([403, 'uploadLinkInvalid']);
    expect(await leftovers()).toEqual([]);
  });

  test('a download link uploads nothing, and an upload link downloads nothing', async () => {
    const claims = { mediaId: 'one', name: 'x.jpg', type: 'image/jpeg', expires: inMinutes(15) };
    const get = new URL(await store.storage.presignGet('uploads/other', claims), store.base);
    expect(await send(get, 'abc')).toEqual([403, 'uploadLinkInvalid']);
    expect((await fetch(await link('uploads/other', 3))).status).toBe(403);
    expect(await leftovers()).toEqual([]);
  });

  test('an expired link says so', async () => {
    const upload = await link('uploads/late', 3);
    const claims = { mediaId: 'one', name: 'x.jpg', type: 'image/jpeg', expires: inMinutes(15) };
    const download = new URL(await store.storage.presignGet('uploads/late', claims), store.base);
    now = () => new Date(Date.now() + 16 * 60_000);
    expect(await send(upload, 'abc')).toEqual([410, 'uploadLinkExpired']);
    const answer = await fetch(download);
    expect([answer.status, await answer.json()]).toEqual([410, { code: 'linkExpired' }]);
  });

  test('a link whose upload is finished takes no second file', async () => {
    expect(await send(await link('finished/one', 3), 'abc')).toEqual([403, 'uploadLinkInvalid']);
    expect(await leftovers()).toEqual([]);
  });

  test('an upload that breaks off leaves nothing behind [A2][A3]', async () => {
    const url = await link('uploads/broken', 1_000_000);
    for (let attempt = 0; attempt < 3; attempt++) {
      await new Promise<void>((resolve) => {
        const headers = { 'content-type': 'image/jpeg', 'content-length': '1000000' };
        const half = request(url, { method: 'PUT', headers });
        half.on('error', () => resolve());
        half.write(Buffer.alloc(500_000));
        const wait = setInterval(async () => {
          if ((await readdir(join(store.root, '.incoming'))).length === 0) return;
          clearInterval(wait);
          half.destroy(new Error('the line broke'));
        }, 5);
      });
      await expect.poll(leftovers).toEqual([]);
    }
    expect(await send(url, new Uint8Array(1_000_000))).toEqual([204, 'stored']);
    await store.storage.delete('uploads/broken');
    expect(await leftovers()).toEqual([]);
  });

  test('twenty PUTs of one link hold one file at a time, and the last one is stored [S5]', async () => {
    const url = await link('uploads/twenty', 100);
    const incoming = () => readdir(join(store.root, '.incoming'));
    const answers: Promise<number>[] = [];
    let last: ReturnType<typeof request> | undefined;
    for (let turn = 0; turn < 20; turn++) {
      const before = await incoming();
      last = request(url, { method: 'PUT', headers: { 'content-type': 'image/jpeg', 'content-length': '100' } });
      const sent = last;
      answers.push(new Promise((resolve) => sent.on('response', (answer) => resolve(answer.resume().statusCode ?? 0))));
      sent.write(Buffer.alloc(50, turn));
      // Each earlier one is ended before the next one holds anything.
      await expect
        .poll(async () => [(await incoming()).length, (await incoming())[0] !== before[0]])
        .toEqual([1, true]);
    }
    last?.end(Buffer.alloc(50, 19));
    expect(await Promise.all(answers)).toEqual([...Array(19).fill(409), 204]);
    const stored = await store.storage.openRead('uploads/twenty');
    expect(stored && (await buffer(stored))).toEqual(Buffer.alloc(100, 19));
    await store.storage.delete('uploads/twenty');
    expect(await leftovers()).toEqual([]);
  });

  test('an upload that stops moving is ended, and its answer can still be sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const body = new Readable({ read() {} });
    body.push(Buffer.alloc(10));
    const received = store.storage.receive('uploads/slow', body, 100);
    await expect.poll(() => readdir(join(store.root, '.incoming'))).toHaveLength(1);
    vi.advanceTimersByTime(SLOWEST.ms);
    vi.useRealTimers();
    await expect(received).rejects.toMatchObject({ code: 'UploadTimeOut' });
    expect(body.destroyed).toBe(false);
    expect(await leftovers()).toEqual([]);
  });

  test('answers carry what keeps a foreign file harmless [A23]', async () => {
    const source = join(folder, 'harmless');
    await writeFile(source, '<script>alert(1)</script>');
    await store.storage.putFile('outputs/harmless', source, 'image/png');
    const claims = { mediaId: 'one', name: 'x.png', type: 'image/png', expires: inMinutes(15) };
    const url = new URL(await store.storage.presignGet('outputs/harmless', claims), store.base);
    const { headers } = await fetch(url);
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    const shown = await store.storage.presignGet('outputs/harmless', { ...claims, inline: true });
    const { headers: inline } = await fetch(new URL(shown, store.base), { method: 'HEAD' });
    expect(inline.get('content-disposition')).toMatch(/^inline;/);
    expect(inline.get('content-length')).toBe('25');
    await store.storage.delete('outputs/harmless');
  });

  test('a range behind the end is 416 with the size', async () => {
    const source = join(folder, 'short');
    await writeFile(source, 'short');
    await store.storage.putFile('outputs/short', source, 'image/png');
    const claims = { mediaId: 'one', name: 'x.png', type: 'image/png', expires: inMinutes(15) };
    const url = new URL(await store.storage.presignGet('outputs/short', claims), store.base);
    const answer = await fetch(url, { headers: { range: 'bytes=5-' } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */5']);
    const tail = await fetch(url, { headers: { range: 'bytes=-2' } });
    expect([tail.status, await tail.text(), tail.headers.get('content-range')]).toEqual([206, 'rt', 'bytes 3-4/5']);
  });

  test('a folder that went away between two uploads is made again', async () => {
    const source = join(folder, 'again');
    await writeFile(source, 'again');
    const deeds = Array.from({ length: 40 }, async (_, index) => {
      await store.storage.putFile(`race/same/${index}`, source, 'image/png');
      await store.storage.delete(`race/same/${index}`);
    });
    await Promise.all(deeds);
    expect(await collect(store.storage.list('race/'))).toEqual([]);
  });
});

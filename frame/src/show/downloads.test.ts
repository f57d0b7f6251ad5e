import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameFile } from '@framelift/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDownloads, type Downloads } from './downloads.ts';
import { createFileStore, type FileStore } from './file-store.ts';

/** Files of the server by name; a function is called with the number of earlier requests. */
let files: Map<
  string,
  { body: Buffer; status?: (earlier: number) => number; cutsAt?: (earlier: number) => number | null }
>;
let asked: { name: string; range: string | undefined }[];
let server: Server;
let origin: string;
let downloads: Downloads;
let failures: string[];

beforeEach(async () => {
  files = new Map();
  asked = [];
  failures = [];
  server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const earlier = asked.filter((one) => one.name === name).length;
    asked.push({ name, range: request.headers.range });
    const file = files.get(name);
    const status = file?.status?.(earlier) ?? (file ? 200 : 404);
    if (!file || status !== 200) return void response.writeHead(status).end();
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': file.body.length - from });
    const cut = file.cutsAt?.(earlier);
    if (typeof cut !== 'number') return void response.end(file.body.subarray(from));
    response.write(file.body.subarray(from, cut), () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // A browser without HTTPS, which keeps files in memory.
  vi.stubGlobal('window', globalThis);
});
afterEach(() => {
  downloads.stop();
  vi.unstubAllGlobals();
  server.closeAllConnections();
  server.close();
});

function fileOf(name: string, size: number, more: object = {}): FrameFile {
  const body = Buffer.alloc(size, name);
  files.set(name, { body, ...more });
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { sha256, size, type: 'image/png', layout: 'whole', url: origin + name };
}
function start(budget = 1e9): FileStore {
  const store = { ...createFileStore(), budget: async () => budget };
  downloads = createDownloads({
    store,
    changed() {},
    failed: (file, failure) => failures.push(`${file.url.slice(origin.length)} ${failure}`),
  });
  return store;
}
const names = () => asked.map(({ name }) => name);

it('fetches what is needed first, each file once, and removes what is no longer wanted', async () => {
  const store = start();
  const [a, b, c] = [fileOf('a', 10), fileOf('b', 20), fileOf('c', 30)];
  downloads.want([b, a, b]);
  await vi.waitFor(() => expect(downloads.isComplete()).toBe(true));
  expect(names()).toEqual(['b', 'a']);
  expect(await (await downloads.read(a.sha256))?.text()).toBe('a'.repeat(10));
  downloads.want([c, b]);
  await vi.waitFor(async () => expect([...(await store.list()).keys()].sort()).toEqual([b.sha256, c.sha256].sort()));
  expect([downloads.has(a.sha256), downloads.has(b.sha256)]).toEqual([false, true]);
  expect(names()).toEqual(['b', 'a', 'c']);
});

it('never keeps a damaged file: it is asked for three times and reported, and the rest goes on', async () => {
  const store = start();
  const damaged = { ...fileOf('damaged', 10), sha256: '0'.repeat(64) };
  const short = { ...fileOf('short', 10), size: 11 };
  const good = fileOf('good', 10);
  downloads.want([damaged, short, good]);
  await vi.waitFor(() => expect(downloads.has(good.sha256)).toBe(true));
  expect(failures).toEqual(['damaged damaged', 'short damaged']);
  expect(names().filter((name) => name === 'damaged')).toHaveLength(3);
  expect([...(await store.list()).keys()]).toEqual([good.sha256]);
  // With another link it gets another chance.
  downloads.want([{ ...fileOf('damaged', 10), url: `${origin}damaged?renewed` }, good]);
  files.set('damaged?renewed', { body: Buffer.alloc(10, 'damaged') });
  await vi.waitFor(() => expect(downloads.isComplete()).toBe(true));
});

it('goes on where a broken connection ended', async () => {
  start();
  const file = fileOf('film', 1_000_000, { cutsAt: (earlier: number) => [400_000, 700_000][earlier] ?? null });
  downloads.want([file]);
  await vi.waitFor(() => expect(downloads.has(file.sha256)).toBe(true));
  expect(asked).toHaveLength(3);
  expect(asked[0]?.range).toBeUndefined();
  for (const { range } of asked.slice(1)) expect(range).toMatch(/^bytes=[1-9]\d*-$/);
});

it('keeps within its budget what is needed first, and says what does not fit', async () => {
  const store = start(60);
  const [a, b, c, d] = [fileOf('a', 30), fileOf('b', 30), fileOf('c', 30), fileOf('d', 70)];
  downloads.want([a, b, c]);
  await vi.waitFor(() => expect(failures).toEqual(['c full']));
  expect([downloads.has(a.sha256), downloads.has(b.sha256), downloads.isComplete()]).toEqual([true, true, true]);
  // The show has gone on: what comes last makes room.
  downloads.want([b, c, a]);
  await vi.waitFor(async () => expect([...(await store.list()).keys()].sort()).toEqual([b.sha256, c.sha256].sort()));
  downloads.want([d, b, c]);
  await vi.waitFor(() => expect(failures).toContain('d full'));
});

it('asks for nothing once it has stopped', async () => {
  const store = start();
  store.budget = async () => {
    downloads.stop();
    return 1e9;
  };
  downloads.want([fileOf('a', 10)]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  downloads.retry();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(asked).toEqual([]);
});

it('reports an ended link, and waits for a server that does not answer', async () => {
  start();
  const gone = fileOf('gone', 10, { status: () => 403 });
  const late = fileOf('late', 10, { status: (earlier: number) => (earlier === 0 ? 503 : 200) });
  downloads.want([gone, late]);
  await vi.waitFor(() => expect(names()).toContain('late'));
  expect([failures, downloads.isComplete()]).toEqual([['gone gone'], false]);
  await vi.waitFor(() => {
    downloads.retry();
    expect(downloads.has(late.sha256)).toBe(true);
  });
  expect(failures).toEqual(['gone gone']);
});

// @vitest-environment happy-dom
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Part, putParts } from './put-parts.ts';

const PART = 1000;
const file = new Blob([Uint8Array.from({ length: 3500 }, (_, index) => index % 251)]);

/** A real store that answers each PUT as the test defines, by the number of earlier PUTs of the same part. */
let server: Server;
let answer: (path: string, earlier: number, request: IncomingMessage, response: ServerResponse) => Promise<void>;
let puts: string[];
let stored: Map<string, Buffer>;
let parts: Part[];

async function store(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  stored.set(path, await buffer(request));
  response.writeHead(204).end();
}

beforeEach(async () => {
  puts = [];
  stored = new Map();
  server = createServer((request, response) => {
    const path = request.url ?? '';
    const earlier = puts.filter((put) => put === path).length;
    puts.push(path);
    void answer(path, earlier, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(base);
  parts = [0, 1, 2, 3].map((index) => ({
    url: `${base}/${index}`,
    headers: {},
    size: Math.min(PART, file.size - index * PART),
    arrived: false,
  }));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends; a broken line is back at once. Returns the progress and the number of waits. */
async function send(changes: { parts?: Part[]; patienceMs?: number; signal?: AbortSignal } = {}) {
  const progress: number[] = [];
  const arrived: number[] = [];
  let waits = 0;
  await putParts(file, changes.parts ?? parts, {
    signal: new AbortController().signal,
    onProgress: (sent) => progress.push(sent),
    onArrived: (index) => arrived.push(index),
    onWaiting: () => {
      waits++;
      setTimeout(() => window.dispatchEvent(new Event('online')));
    },
    ...changes,
  });
  return { progress, arrived, waits };
}

it('sends again only the parts that broke off, as soon as the line is back, and never counts more than it sent [W19][A1][A7]', async () => {
  answer = async (path, earlier, request, response) => {
    if (path === '/1' && earlier === 0) return void request.socket.destroy();
    if (path === '/2' && earlier < 2) return void request.once('data', () => request.socket.destroy());
    await store(path, request, response);
  };
  const { progress, arrived, waits } = await send();
  expect(puts).toEqual(['/0', '/1', '/1', '/2', '/2', '/2', '/3']);
  expect(Buffer.concat(['/0', '/1', '/2', '/3'].map((path) => stored.get(path) ?? Buffer.alloc(0)))).toEqual(
    Buffer.from(await file.arrayBuffer()),
  );
  expect(arrived).toEqual([0, 1, 2, 3]);
  expect(waits).toBe(3);
  expect(Math.max(...progress)).toBe(file.size);
  for (const [index, sent] of progress.entries())
    expect(Math.max(0, ...progress.slice(0, index)) - sent).toBeLessThanOrEqual(PART);
});

it.each([408, 429, 500, 502, 503, 504])('goes on after an answer of %i [W19][W30]', async (status) => {
  answer = async (path, earlier, request, response) => {
    if (path === '/1' && earlier === 0) return void request.resume().on('end', () => response.writeHead(status).end());
    await store(path, request, response);
  };
  await send();
  expect(puts).toEqual(['/0', '/1', '/1', '/2', '/3']);
});

it('skips the parts that have arrived [W19]', async () => {
  answer = (path, _earlier, request, response) => store(path, request, response);
  const { progress } = await send({ parts: parts.map((part, index) => ({ ...part, arrived: index < 2 })) });
  expect(puts).toEqual(['/2', '/3']);
  expect(Math.min(...progress)).toBeGreaterThanOrEqual(2 * PART);
});

it('gives up a part that the store refuses, and a line on which nothing moves [W19]', async () => {
  answer = async (_path, _earlier, request, response) => {
    request.resume().on('end', () => response.writeHead(403).end());
  };
  await expect(send()).rejects.toMatchObject({ code: 'fileUploadFailed', status: 403 });
  answer = async (_path, _earlier, request) => void request.socket.destroy();
  await expect(send({ patienceMs: 0 })).rejects.toMatchObject({ code: 'errorUploadingFile' });
  expect(puts).toEqual(['/0', '/0']);
});

it('stops at once when it is cancelled while it waits for the line [W19]', async () => {
  const stop = new AbortController();
  answer = async (_path, _earlier, request) => void request.socket.destroy();
  const sent = putParts(file, parts, {
    signal: stop.signal,
    onProgress: () => {},
    onArrived: () => {},
    onWaiting: () => setTimeout(() => stop.abort(new Error('cancelled'))),
  });
  await expect(sent).rejects.toThrow('cancelled');
});

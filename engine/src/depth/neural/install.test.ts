import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { copyFile, downloadFile, problemOf, removeFile, WrongFileError } from './install.ts';

const FILE = randomBytes(300_000);
const OTHER = randomBytes(300_000);
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const folder = mkdtempSync(join(tmpdir(), 'framelift-install-'));
afterAll(() => rmSync(folder, { recursive: true }));
const freshTarget = () => join(mkdtempSync(join(folder, 'models-')), 'model.onnx');
const namesBeside = (target: string) => readdirSync(join(target, '..'));

let server: Server | null = null;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((done) => (server ? server.close(done) : done(null)));
  server = null;
});

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/**
 * Starts a server whose response depends on the number of requests. @returns its address and the received Range headers
 */
async function serve(answer: Answer): Promise<{ address: string; ranges: (string | undefined)[] }> {
  const ranges: (string | undefined)[] = [];
  server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answer(request, response, ranges.length);
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`, ranges };
}

/**
 * Sends `bytes` from the offset in the Range header, if If-Range matches this version. With `breakFor` it sends half
 * and drops the connection once part of it has been written to that target.
 */
function send(request: IncomingMessage, response: ServerResponse, bytes: Buffer, etag: string, breakFor?: string) {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const goesOn = start > 0 && [undefined, etag].includes(request.headers['if-range'] as string | undefined);
  const from = goesOn ? start : 0;
  response.writeHead(goesOn ? 206 : 200, {
    etag,
    'content-length': bytes.length - from,
    ...(goesOn ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  });
  if (breakFor === undefined) return void response.end(bytes.subarray(from));
  response.write(bytes.subarray(from, from + bytes.length / 2));
  vi.waitFor(() => expect(statSync(`${breakFor}.part`).size).toBeGreaterThan(0)).then(
    () => response.destroy(),
    () => response.destroy(),
  );
}

const quick = { pauseMs: 0 };
const wanted = (address: string, bytes: number | null = FILE.length) => ({ address, bytes, sha256: sha(FILE) });

test('a download that breaks half way goes on where it broke', async () => {
  const target = freshTarget();
  const { address, ranges } = await serve((request, response, count) =>
    send(request, response, FILE, '"a"', count === 1 ? target : undefined),
  );
  const retries: string[] = [];
  await downloadFile(wanted(address), target, { ...quick, onRetry: (reason) => retries.push(reason) });
  expect(readFileSync(target).equals(FILE)).toBe(true);
  expect(namesBeside(target)).toEqual(['model.onnx']);
  expect(ranges).toHaveLength(2);
  expect(ranges[1]).toMatch(/^bytes=\d+-$/);
  expect(retries).toHaveLength(1);
});

test('a download goes on in a later run too', async () => {
  const target = freshTarget();
  const broken = await serve((request, response, count) =>
    count === 1 ? send(request, response, FILE, '"a"', target) : request.destroy(),
  );
  await expect(downloadFile(wanted(broken.address), target, quick)).rejects.toThrow();
  expect(namesBeside(target)).toContain('model.onnx.part');
  expect(namesBeside(target)).not.toContain('model.onnx');
  server?.closeAllConnections();
  server?.close();
  const whole = await serve((request, response) => send(request, response, FILE, '"a"'));
  await downloadFile(wanted(whole.address), target, quick);
  expect(whole.ranges[0]).toMatch(/^bytes=[1-9]\d*-$/);
  expect(readFileSync(target).equals(FILE)).toBe(true);
});

test('a file that changed on the server meanwhile is fetched from its start', async () => {
  const target = freshTarget();
  const { address } = await serve((request, response, count) =>
    count === 1 ? send(request, response, OTHER, '"old"', target) : send(request, response, FILE, '"new"'),
  );
  await downloadFile(wanted(address), target, quick);
  expect(readFileSync(target).equals(FILE)).toBe(true);
});

test('pieces of two files are noticed by the checksum and fetched again in one', async () => {
  const target = freshTarget();
  const { address, ranges } = await serve((request, response, count) => {
    delete request.headers['if-range'];
    send(request, response, count === 1 ? OTHER : FILE, '"same"', count === 1 ? target : undefined);
  });
  await downloadFile(wanted(address), target, quick);
  expect(readFileSync(target).equals(FILE)).toBe(true);
  expect(ranges[2]).toBeUndefined();
});

test('a server that ignores Range sends the whole file, which is not appended', async () => {
  const target = freshTarget();
  const { address } = await serve((request, response, count) => {
    delete request.headers.range;
    send(request, response, FILE, '"a"', count === 1 ? target : undefined);
  });
  await downloadFile(wanted(address), target, quick);
  expect(readFileSync(target).equals(FILE)).toBe(true);
});

test('a server that cannot go on (416) is asked for the whole file', async () => {
  const target = freshTarget();
  writeFileSync(`${target}.part`, FILE.subarray(0, 1000));
  const { address } = await serve((request, response) =>
    request.headers.range ? response.writeHead(416).end() : send(request, response, FILE, '"a"'),
  );
  await downloadFile(wanted(address), target, quick);
  expect(readFileSync(target).equals(FILE)).toBe(true);
});

test('another file is refused and nothing of it kept', async () => {
  const { address, ranges } = await serve((request, response) => send(request, response, OTHER, '"a"'));
  const target = freshTarget();
  await expect(downloadFile(wanted(address), target, quick)).rejects.toThrow(/SHA-256/);
  expect(namesBeside(target)).toEqual([]);
  expect(ranges).toHaveLength(1);
});

test('a server that names another size is refused before anything is stored', async () => {
  const { address } = await serve((request, response) => send(request, response, FILE.subarray(1), '"a"'));
  const target = freshTarget();
  await expect(downloadFile(wanted(address), target, quick)).rejects.toThrow(WrongFileError);
  expect(namesBeside(target)).toEqual([]);
});

test('a server that sends more than it should is cut off', async () => {
  const { address } = await serve((_, response) => {
    response.writeHead(200);
    response.on('error', () => {});
    const more = () => {
      while (!response.destroyed && response.write(OTHER));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const target = freshTarget();
  await expect(downloadFile(wanted(address), target, quick)).rejects.toThrow(/more than 300000 bytes/);
  expect(namesBeside(target)).toEqual([]);
});

test('a server that refuses is not asked again; one in trouble is, a few times', async () => {
  const refusing = await serve((_, response) => void response.writeHead(404).end());
  await expect(downloadFile(wanted(refusing.address), freshTarget(), quick)).rejects.toThrow(/404/);
  expect(refusing.ranges).toHaveLength(1);
  server?.close();
  const troubled = await serve((request, response, count) =>
    count < 3 ? void response.writeHead(503).end() : send(request, response, FILE, '"a"'),
  );
  const target = freshTarget();
  await downloadFile(wanted(troubled.address), target, quick);
  expect(troubled.ranges).toHaveLength(3);
});

test('a connection that falls silent counts as broken, and the download goes on behind it', async () => {
  const target = freshTarget();
  const { address, ranges } = await serve((request, response, count) => {
    if (count > 1) return send(request, response, FILE, '"a"');
    response.writeHead(200, { etag: '"a"', 'content-length': FILE.length });
    response.write(FILE.subarray(0, 100_000));
  });
  const retries: string[] = [];
  await downloadFile(wanted(address), target, {
    ...quick,
    stallMs: 300,
    onRetry: (reason) => retries.push(reason),
  });
  expect(retries).toEqual([expect.stringMatching(/sent nothing for 300 ms/)]);
  expect(ranges[1]).toBe('bytes=100000-');
  expect(readFileSync(target).equals(FILE)).toBe(true);
});

test('a download that is ended keeps what has arrived', async () => {
  const target = freshTarget();
  const { address } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': FILE.length });
    response.write(FILE.subarray(0, 100_000));
  });
  const end = new AbortController();
  const ended = downloadFile(wanted(address), target, {
    ...quick,
    signal: end.signal,
    onProgress: (bytes) => bytes === 100_000 && end.abort(new Error('the server stops')),
  });
  await expect(ended).rejects.toThrow('the server stops');
  expect(statSync(`${target}.part`).size).toBe(100_000);
});

describe('every way to fail has its name, and nothing is installed:', () => {
  const failing = async (target: string, answer: Answer | null) => {
    const { address } = await serve(answer ?? (() => {}));
    // Nobody listens there any more.
    if (!answer) await new Promise((done) => server?.close(done));
    return downloadFile(wanted(address), target, quick).then(
      () => null,
      (error: unknown) => problemOf(error),
    );
  };
  const page: Answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Log in to the network</h1>');
  };
  test.each<[string, string, Answer | null]>([
    ['nobody answers', 'offline', null],
    ['there is no such file', 'notThere', (_, response) => void response.writeHead(404).end('Not found')],
    ['the server has a problem', 'serverTrouble', (_, response) => void response.writeHead(502).end('Bad gateway')],
    ['a proxy answers with its page', 'webPage', page],
    ['it is another file', 'wrongFile', (request, response) => send(request, response, OTHER, '"a"')],
    ['the connection breaks again and again', 'interrupted', (_, response) => void response.destroy()],
  ])('%s', async (_, problem, answer) => {
    const target = freshTarget();
    expect(await failing(target, answer)).toBe(problem);
    expect(namesBeside(target)).not.toContain('model.onnx');
  });

  const whole: Answer = (request, response) => send(request, response, FILE, '"a"');
  test('the folder cannot be written to', async () => {
    const file = freshTarget();
    writeFileSync(file, '');
    expect(await failing(join(file, 'model.onnx'), whole)).toBe('notWritable');
  });

  test.runIf(process.platform === 'linux')('the disk is full; then nothing is left on it', async () => {
    const target = freshTarget();
    symlinkSync('/dev/full', `${target}.part`);
    expect(await failing(target, whole)).toBe('diskFull');
    expect(namesBeside(target)).toEqual([]);
  });
});

test('a file of the operator is copied in when it is the right one', async () => {
  const source = join(folder, 'own.onnx');
  writeFileSync(source, FILE);
  const target = freshTarget();
  await copyFile(source, sha(FILE), target);
  expect(readFileSync(target).equals(FILE)).toBe(true);
  await expect(copyFile(source, sha(OTHER), target)).rejects.toThrow(/SHA-256/);
  expect(namesBeside(target)).toEqual(['model.onnx']);
  expect(await removeFile(target)).toBe(true);
  expect(await removeFile(target)).toBe(false);
  expect(namesBeside(target)).toEqual([]);
});

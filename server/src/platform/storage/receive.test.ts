import { getEventListeners } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApiError, LIMITS } from '@framelift/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { receive, SLOWEST } from './receive.ts';

const MIB = 1024 * 1024;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framelift-receive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('the bytes of an upload leave memory while its time limit still runs [S1]', async () => {
  const limit = new AbortController();
  const sizeMib = 200;
  async function* chunks() {
    for (let sent = 0; sent < sizeMib; sent++) yield Buffer.alloc(MIB, sent);
  }
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const path = join(folder, 'large');
  const options = { limit: sizeMib * MIB, tooMuch: () => new ApiError('uploadSizeMismatch'), signal: limit.signal };
  expect(await receive(path, Readable.from(chunks()), options)).toBe(sizeMib * MIB);
  collectGarbage();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((sizeMib / 4) * MIB);
  expect(getEventListeners(limit.signal, 'abort')).toEqual([]);
  expect((await stat(path)).size).toBe(sizeMib * MIB);
});

describe('the time of an upload', () => {
  const MINUTE_MS = 60_000;
  const options = { limit: 100 * MIB, tooMuch: () => new ApiError('uploadSizeMismatch') };

  /** Starts receiving with a clock of the test; `send` waits until the bytes are in the file. */
  async function start(name: string) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const path = join(folder, name);
    const body = new Readable({ read() {} });
    const received = receive(path, body, options);
    const outcome = received.catch((error: ApiError) => error.code);
    let sent = 0;
    await expect.poll(() => stat(path).catch(() => null)).not.toBeNull();
    const send = async (bytes: number) => {
      body.push(Buffer.alloc(bytes));
      sent += bytes;
      await expect.poll(async () => (await stat(path)).size).toBe(sent);
    };
    return { body, outcome, send };
  }
  afterEach(() => {
    vi.useRealTimers();
  });

  test('has no end while bytes come steadily, and ends five minutes after the last ones [W19]', async () => {
    const { outcome, send } = await start('steady');
    for (let minute = 0; minute < 60; minute++) {
      await send(2 * LIMITS.uploadBytesPerMinute);
      vi.advanceTimersByTime(MINUTE_MS);
    }
    vi.advanceTimersByTime(SLOWEST.ms);
    expect(await outcome).toBe('UploadTimeOut');
  });

  test('ends for a sender of single bytes, and the whole file of a steady one is received [W19]', async () => {
    const trickle = await start('trickle');
    for (let minute = 0; minute < 5; minute++) {
      await trickle.send(1);
      vi.advanceTimersByTime(MINUTE_MS);
    }
    expect(await trickle.outcome).toBe('UploadTimeOut');
    expect(trickle.body.destroyed).toBe(false);
    const { body, outcome, send } = await start('whole');
    for (let window = 0; window < 4; window++) {
      await send(SLOWEST.bytes);
      vi.advanceTimersByTime(SLOWEST.ms - MINUTE_MS);
    }
    body.push(null);
    expect(await outcome).toBe(4 * SLOWEST.bytes);
  });
});

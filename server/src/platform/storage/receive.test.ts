import { getEventListeners } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ApiError } from '@framelift/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receive } from './receive.ts';

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

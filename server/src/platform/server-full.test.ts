import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ApiError } from '@framelift/contract';
import { EngineError } from '@framelift/engine';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openTestDatabase } from '../testing/database.ts';
import { isServerFull } from './server-full.ts';
import { openS3Storage } from './storage/s3.ts';

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

it.runIf(process.platform === 'linux')('a full disk is known [W25]', async () => {
  const error = await failure(writeFile('/dev/full', 'x'));
  expect(isServerFull(error)).toBe(true);
  expect(isServerFull(new ApiError('emailSendingFailed', [], { cause: error }))).toBe(true);
});

it('a full database is known, and no other error of a statement [W25]', async () => {
  const opened = await openTestDatabase();
  const raised = (code: string) =>
    failure(opened.db.execute(sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`)));
  expect(isServerFull(await raised('53100'))).toBe(true);
  expect(isServerFull(await raised('53200'))).toBe(false);
  expect(isServerFull(await raised('23505'))).toBe(false);
  await opened.close();
});

it.each([
  [507, 'XMinioStorageFull', true],
  [507, 'Whatever', true],
  [403, 'QuotaExceeded', true],
  [400, 'XMinioAdminBucketQuotaExceeded', true],
  [403, 'AccessDenied', false],
  [500, 'InternalError', false],
])('a bucket that answers %i %s is %s [W25]', async (status, code, isFull) => {
  const store = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>It is so</Message></Error>`);
    });
  }).listen(0, '127.0.0.1');
  await once(store, 'listening');
  const { port } = store.address() as AddressInfo;
  const keys = { accessKeyId: 'a', secretAccessKey: 'b' };
  const options = { bucket: 'pictures', region: 'eu', endpoint: `http://127.0.0.1:${port}`, ...keys };
  const storage = await openS3Storage(options, Buffer.alloc(32), () => new Date());
  const error = await failure(storage.putFile('results/a', fileURLToPath(import.meta.url), 'text/plain'));
  expect(error).toBeInstanceOf(Error);
  expect(isServerFull(error)).toBe(isFull);
  await storage.close();
  store.close();
});

it('a conversion that met it is known, and a broken file is not [W25]', () => {
  expect(isServerFull(new EngineError('serverFull', 'write error'))).toBe(true);
  for (const error of [
    null,
    'ENOSPC',
    new EngineError('pictureDamaged', 'cut short'),
    new ApiError('storageLimitReached'),
  ])
    expect(isServerFull(error)).toBe(false);
});

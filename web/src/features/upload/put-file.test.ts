// @vitest-environment happy-dom
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { putFile, reasonOf } from './put-file.ts';

it('gives up with UploadTimeOut when nothing moves', async () => {
  // A server that accepts the connection and never responds.
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/files/1`;
  const sent = putFile({ url, headers: {} }, new Blob(['x']), {
    signal: new AbortController().signal,
    onProgress: () => {},
    stallMs: 50,
  });
  await expect(sent).rejects.toMatchObject({ code: 'UploadTimeOut' });
  server.closeAllConnections();
  server.close();
});

it('reads the reason of our own store and spares people the XML of another', () => {
  const envelope = { success: false, code: 'uploadLinkExpired', message: 'This link has expired.', errors: [] };
  expect(reasonOf(JSON.stringify(envelope))).toEqual({ code: 'uploadLinkExpired', message: 'This link has expired.' });
  expect(reasonOf('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')).toBeNull();
  expect(reasonOf('{"success":true}')).toBeNull();
});

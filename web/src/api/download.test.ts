// @vitest-environment happy-dom
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchFile, fileNameOf } from './download.ts';

/** Sets the page's origin to the server's, as in the app. */
const visit = (url: string) => (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(url);

describe('the name of a download', () => {
  it('[A18] is the UTF-8 name where the server gives one', () => {
    const header = `attachment; filename="___.jpg"; filename*=UTF-8''%E5%B0%8F%E7%99%BD%E8%8F%9C_qs8x6a0.75.jpg`;
    expect(fileNameOf(header)).toBe('小白菜_qs8x6a0.75.jpg');
  });

  it('is the plain name otherwise, with its escapes undone', () => {
    expect(fileNameOf('attachment; filename="a \\"b\\".jpg"')).toBe('a "b".jpg');
    expect(fileNameOf('attachment; filename=plain.png')).toBe('plain.png');
    expect(fileNameOf('attachment; filename*=UTF-8\'\'%E5%; filename="safe.jpg"')).toBe('safe.jpg');
  });

  it('is unknown without a header', () => {
    expect(fileNameOf(null)).toBeNull();
    expect(fileNameOf('inline')).toBeNull();
  });
});

describe('a download', () => {
  const bytes = Buffer.alloc(300_000, 7);
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/gone') return response.writeHead(410).end();
      response.writeHead(200, {
        'content-type': 'image/jpeg',
        'content-length': bytes.length,
        ...(request.url === '/named' && { 'content-disposition': 'attachment; filename="shop_qs8x6a0.75.jpg"' }),
      });
      response.end(bytes);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    visit(base);
  });
  afterAll(() => server.close());

  it('[R-7.media.7] is a blob of all bytes with the right name, and tells how far it is', async () => {
    const fractions: number[] = [];
    const { blob, name } = await fetchFile(`${base}/named`, { onProgress: (fraction) => fractions.push(fraction) });
    expect(blob.size).toBe(bytes.length);
    expect(name).toBe('shop_qs8x6a0.75.jpg');
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
  });

  it('takes the name from a presigned address whose store hides its headers', async () => {
    const query = new URLSearchParams({ 'response-content-disposition': 'attachment; filename="depth.png"' });
    expect((await fetchFile(`${base}/x?${query}`)).name).toBe('depth.png');
  });

  it('fails when the link is refused', async () => {
    await expect(fetchFile(`${base}/gone`)).rejects.toThrow('410');
  });
});

import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createSources, type Sources } from './sources.ts';

describe('sources', () => {
  const servers: Server[] = [];
  let sources: Sources;
  afterEach(async () => {
    await sources.close();
    for (const server of servers.splice(0)) server.close();
  });

  const serve = async (listener: RequestListener, host = '127.0.0.1') => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, host, done));
    return `http://${host}:${(server.address() as AddressInfo).port}`;
  };
  const trouble = (call: Promise<unknown>) =>
    call.then(
      () => 'none',
      ({ trouble }) => trouble as string,
    );
  const signal = AbortSignal.timeout(20_000);

  it.each([
    ...['http://127.0.0.1/', 'http://localhost/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://10.1.2.3/'],
    ...[
      'http://2130706433/',
      'http://0x7f.1/',
      'http://169.254.169.254/latest/',
      'http://[fd00::1]/',
      'http://0.0.0.0/',
    ],
    ...['http://100.64.0.1/', 'http://192.168.1.1/', 'http://[::7f00:1]/', 'http://[64:ff9b::7f00:1]/'],
  ])('refuse %s, which is not on the internet', async (url) => {
    sources = createSources();
    expect(await trouble(sources.open(url, { signal }))).toBe('private');
    expect(await trouble(sources.readText(url))).toBe('private');
  });

  it('refuse a redirect into another network, to another kind of address, and more than three', async () => {
    let asked = 0;
    const inside = await serve((_, response) => {
      asked += 1;
      response.end('secret');
    }, '127.0.0.2');
    const base: string = await serve(({ url }, response) => {
      const hops = Number(url?.slice(1));
      const to = url === '/in' ? inside : url === '/file' ? 'file:///etc/passwd' : hops > 0 ? `/${hops - 1}` : '';
      if (to) response.writeHead(302, { location: to }).end();
      else response.end('here');
    });
    sources = createSources((address) => address === '127.0.0.1');
    expect(await trouble(sources.readText(`${base}/in`))).toBe('private');
    expect(asked).toBe(0);
    expect(await trouble(sources.readText(`${base}/file`))).toBe('failed');
    expect(await trouble(sources.readText(`${base}/4`))).toBe('failed');
    expect(await sources.readText(`${base}/3`)).toEqual({ url: `${base}/0`, text: 'here' });
  });

  it('pass a range on, and tell what is missing from what fails', async () => {
    const base = await serve(({ url, headers }, response) => {
      if (url === '/missing') return response.writeHead(404).end();
      if (url === '/broken') return response.writeHead(500).end();
      if (url === '/cut') return response.writeHead(200, { 'content-length': 10 }).destroy();
      return response.writeHead(206, { 'content-range': 'bytes 1-2/9' }).end(headers.range);
    });
    sources = createSources(() => true);
    const file = await sources.open(`${base}/part`, { range: 'bytes=1-2', signal });
    expect([file.status, file.range, await text(file.body)]).toEqual([206, 'bytes 1-2/9', 'bytes=1-2']);
    expect(await trouble(sources.open(`${base}/missing`, { signal }))).toBe('missing');
    for (const path of ['broken', 'cut']) expect(await trouble(sources.readText(`${base}/${path}`))).toBe('failed');
  });

  it('read a playlist once for all who ask in the same second, and none that is too long', async () => {
    let asked = 0;
    const base = await serve(({ url }, response) => {
      asked += 1;
      response.end(url === '/long' ? 'x'.repeat(2_000_000) : '#EXTM3U');
    });
    sources = createSources(() => true);
    const texts = await Promise.all(Array.from({ length: 20 }, () => sources.readText(`${base}/index.m3u8`)));
    expect([asked, new Set(texts.map(({ text }) => text))]).toEqual([1, new Set(['#EXTM3U'])]);
    expect(await trouble(sources.readText(`${base}/long`))).toBe('failed');
  });
});

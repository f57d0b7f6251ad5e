import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';

describe('the built pages', () => {
  let app: TestApp;
  const folder = mkdtempSync(join(tmpdir(), 'framelift-pages-'));
  beforeAll(async () => {
    for (const [path, text] of [
      ['web/index.html', '<title>web</title>'],
      ['web/assets/main-abc123.js', 'let web'],
      ['web/assets/main-abc123.js.gz', gzipSync('let web')],
      ['web/favicon.svg', '<svg/>'],
      ['web/.secret', 'no'],
      ['frame/index.html', '<title>frame</title>'],
      ['frame/assets/frame-def456.js', 'let frame'],
      ['frame/sw.js', 'let worker'],
      ['outside.txt', 'no'],
    ] as const) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    app = await startTestApp(await openTestDatabase(), {
      app: { pages: { web: join(folder, 'web'), frame: join(folder, 'frame') } },
    });
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  const get = async (path: string, headers: Record<string, string> = { accept: 'text/html,*/*' }) => {
    const response = await fetch(`${app.url}${path}`, { headers });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };

  it('answers every address of the app with its page, which is looked for anew at each visit', async () => {
    for (const path of ['/', '/login', '/Member/AddFriend', '/result/123?x=1', '/confirmation?email=a%40b.co']) {
      const page = await get(path);
      expect({ path, status: page.status, text: page.text }).toEqual({ path, status: 200, text: '<title>web</title>' });
      expect(page.headers.get('cache-control')).toBe('no-cache');
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    }
    // Like curl: any type, uncompressed.
    expect(await get('/', { accept: '*/*', 'accept-encoding': 'identity' })).toMatchObject({ status: 200 });
    for (const path of ['/frame', '/frame/', '/frame/pair'])
      expect(await get(path)).toMatchObject({ status: 200, text: '<title>frame</title>' });
  });

  it('let Google into the pages of the app where an operator shows its ads, and nowhere else', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? '';
    const plain = await policyOf('/');
    expect(plain).not.toContain('google');
    const { client: admin } = await app.admin();
    const settings = await admin.call('adSettings');
    await admin.call('setAdSettings', { input: { ...settings, provider: 'gpt', adUnitPath: '/6355419/Travel' } });
    const open = await policyOf('/menu/points');
    for (const kind of ['script-src', 'frame-src', 'img-src', 'connect-src'])
      expect(open).toMatch(new RegExp(`${kind} 'self'[^;]* https://\\*\\.doubleclick\\.net`));
    expect(open).toContain("script-src-attr 'none';");
    expect(await policyOf('/frame')).toBe(plain);
    await admin.call('setAdSettings', { input: settings });
    expect(await policyOf('/')).toBe(plain);
  });

  it("lets the frame's service worker answer for the frame's page, and for nothing else", async () => {
    const worker = await get('/frame/sw.js', { accept: '*/*' });
    expect(worker).toMatchObject({ status: 200, text: 'let worker' });
    expect(worker.headers.get('service-worker-allowed')).toBe('/frame');
    expect(worker.headers.get('cache-control')).toBe('no-cache');
    for (const path of ['/frame/assets/frame-def456.js', '/assets/main-abc123.js', '/frame'])
      expect((await get(path)).headers.get('service-worker-allowed')).toBeNull();
  });

  it('keeps files with a hash in their name for ever, and sends the compressed one where it may', async () => {
    const plain = await get('/assets/main-abc123.js', { 'accept-encoding': 'identity' });
    expect(plain).toMatchObject({ status: 200, text: 'let web' });
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const packed = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('content-type')).toContain('javascript');
    expect(packed.text).toBe('let web');
    expect(await get('/frame/assets/frame-def456.js')).toMatchObject({ status: 200, text: 'let frame' });
    expect((await get('/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  it('answers a range of the version that the caller knows, and of another one the whole file [W31]', async () => {
    const plain = { 'accept-encoding': 'identity', range: 'bytes=0-2' };
    const path = '/frame/assets/frame-def456.js';
    const first = await get(path, plain);
    expect(first).toMatchObject({ status: 206, text: 'let' });
    const etag = first.headers.get('etag') ?? '';
    expect(await get(path, { ...plain, 'if-range': etag })).toMatchObject({ status: 206, text: 'let' });
    for (const other of ['"another"', new Date(0).toUTCString()])
      expect(await get(path, { ...plain, 'if-range': other })).toMatchObject({ status: 200, text: 'let frame' });
  });

  it('does not answer a missing file with the page', async () => {
    for (const path of ['/assets/gone-123.js', '/frame/assets/gone.js']) expect((await get(path)).status).toBe(404);
    expect((await get('/gone.png', { accept: 'image/*' })).status).toBe(404);
    expect((await get('/api/gone')).status).toBe(404);
  });

  it('gives out nothing that lies beside the pages', async () => {
    for (const path of ['/.secret', '/..%2foutside.txt', '/%2e%2e/outside.txt', '/frame/..%2f..%2foutside.txt']) {
      const { status, text } = await get(path, { accept: '*/*' });
      expect({ path, leaked: status === 200 && text === 'no' }).toEqual({ path, leaked: false });
    }
  });
});

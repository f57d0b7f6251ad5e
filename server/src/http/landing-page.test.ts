import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { featurePreset } from '@framelift/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';

const SCRIPTS = '<script>document.title</script><script>\n// two\n</script>';

describe('the prerendered landing page', () => {
  let app: TestApp;
  const web = mkdtempSync(join(tmpdir(), 'framelift-landing-'));
  beforeAll(async () => {
    for (const language of ['en', 'ja', 'zh']) writeFileSync(join(web, `landing.${language}.html`), language + SCRIPTS);
    writeFileSync(join(web, 'index.html'), 'app');
    app = await startTestApp(await openTestDatabase(), { app: { pages: { web, frame: null } } });
  });
  afterAll(async () => {
    await app.close();
    rmSync(web, { recursive: true });
  });

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(app.url + path, { headers: { accept: 'text/html', ...headers } });
    return { text: await answer.text(), headers: answer.headers };
  };
  const textOf = async (path: string, headers?: Record<string, string>) =>
    (await get(path, headers)).text.replace(SCRIPTS, '');

  it.each([
    ['/index', {}, 'zh'],
    ['/', { 'accept-language': 'ja' }, 'ja'],
    ['/index', { 'accept-language': 'fr,en-GB;q=0.8,ja;q=0.5' }, 'en'],
    ['/index', { 'accept-language': 'zh-CN,fr;q=0.5' }, 'zh'],
    ['/index', { 'accept-language': 'en', cookie: 'lang=ja' }, 'ja'],
    ['/index?lang=en', { 'accept-language': 'ja', cookie: 'lang=zh' }, 'en'],
    ['/index?lang=xx&utm_source=letter', { cookie: 'lang=ja' }, 'ja'],
  ])(
    'speaks the language of the visitor: %s %o in %s [R-2.query.4] [R-2.header.8]',
    async (path, headers, language) => {
      expect(await textOf(path, headers)).toBe(language);
    },
  );

  it.each([
    ['another page', '/login', {}],
    ['a parameter that leads elsewhere', '/index?guest=1', {}],
    ['a session', '/', { cookie: 'token=anything' }],
  ])('is not sent for %s', async (_, path, headers) => {
    expect(await textOf(path, headers)).toBe('app');
  });

  it('is not kept for another language or session, and may run its own inline scripts alone', async () => {
    const { headers } = await get('/index');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('vary')).toMatch(/accept-language, cookie/);
    const [first, second] = ['document.title', '\n// two\n'].map((script) =>
      createHash('sha256').update(script).digest('base64'),
    );
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`script-src 'sha256-${first}' 'sha256-${second}' 'self'`);
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect((await get('/login')).headers.get('content-security-policy')).not.toContain('sha256');
  });

  it('gives way to maintenance, and speaks Chinese to everybody with the preset literal', async () => {
    const { client: admin } = await app.admin();
    await admin.call('setFeatures', { input: { preset: 'literal', features: {} } });
    expect(await textOf('/index', { 'accept-language': 'ja' })).toBe('zh');
    await admin.call('setFeatures', { input: { features: featurePreset('full') } });
    expect(await textOf('/index', { 'accept-language': 'ja' })).toBe('ja');
    const now = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T02:00:00Z' };
    await admin.call('setMaintenance', { input: { on: true, ...now } });
    expect(await textOf('/index')).toBe('app');
  });
});

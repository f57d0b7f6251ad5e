import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANGUAGES } from '@framelift/contract';
import { textsIn } from '@framelift/texts/node';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { media } from '../platform/db/schema.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { openTestDatabase } from '../testing/database.ts';
import { ended, smallJpeg, upload } from '../testing/uploads.ts';

describe('the page of a public link', () => {
  let app: TestApp;
  let id: string;
  let token: string;
  let revoke: () => Promise<unknown>;
  const folder = mkdtempSync(join(tmpdir(), 'framelift-share-'));
  beforeAll(async () => {
    cpSync(new URL('../../../web/index.html', import.meta.url), join(folder, 'index.html'));
    app = await startTestApp(await openTestDatabase(), { app: { pages: { web: folder, frame: null } } });
    const owner = app.client({ token: (await app.member()).token });
    ({ id } = await ended(owner, (await upload(app, owner, await smallJpeg())).id));
    const share = await owner.call('shareMedia', { input: { id } });
    token = share.url.split('/').at(-1) ?? '';
    revoke = () => owner.call('revokeShare', { input: { id: share.id } });
  }, 120_000);
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true });
  });

  const get = async (path: string, language = 'en', method = 'GET') => {
    const answer = await fetch(`${app.url}${path}`, { method, headers: { 'accept-language': language } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  /** Returns the content of each meta element as a browser would read it. */
  const metaOf = (text: string) =>
    Object.fromEntries(
      [...text.matchAll(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g)].map(([, key, content]) => [
        key,
        content?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
      ]),
    );

  it('tells messengers in the language of the caller what it shows, by absolute addresses that answer', async () => {
    for (const { code, htmlLang } of LANGUAGES) {
      const page = await get(`/s/${token}`, htmlLang);
      expect(page.status).toBe(200);
      expect(page.text).toContain(`<html lang="${htmlLang}"`);
      expect(page.text).toContain('<title>shop – Framelift</title>');
      expect(page.text).toContain('<script type="module"');
      expect(metaOf(page.text)).toMatchObject({
        'og:title': 'shop',
        'og:description': textsIn(code, 'share')('card.depth'),
        'og:url': `http://framelift.test/s/${token}`,
        'og:image': expect.stringMatching(/^http:\/\/framelift\.test\/api\/shared\//),
        'twitter:card': 'summary_large_image',
        'og:video:type': 'video/mp4',
        robots: 'noindex, nofollow',
      });
      // Nothing of the app's own description is left beside it.
      expect(page.text.match(/name="description"/g)).toHaveLength(1);
    }
    const meta = metaOf((await get(`/s/${token}`)).text);
    for (const [key, type] of [
      ['og:image', 'image/jpeg'],
      ['twitter:image', 'image/jpeg'],
      ['og:video', 'video/mp4'],
    ] as const) {
      const address = new URL(meta[key] ?? '');
      const file = await fetch(`${app.url}${address.pathname}${address.search}`);
      expect([key, file.status, file.headers.get('content-type')]).toEqual([key, 200, type]);
      expect(file.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      await file.body?.cancel();
    }
  });

  it('is kept by nobody and found by no search engine', async () => {
    for (const path of [`/s/${token}`, `/embed/${token}`]) {
      const { status, headers, text } = await get(path, 'en', 'HEAD');
      expect([status, text, headers.get('cache-control')]).toEqual([200, '', 'no-store']);
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('may be framed by other websites in its embedded form alone', async () => {
    const [page, embedded, app] = await Promise.all(
      [`/s/${token}`, `/embed/${token}`, '/login'].map((path) => get(path)),
    );
    for (const closed of [page, app]) {
      expect(closed?.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(closed?.headers.get('x-frame-options')).toBe('DENY');
    }
    const open = embedded?.headers.get('content-security-policy');
    expect(embedded?.headers.get('x-frame-options')).toBeNull();
    expect(open).toBe(
      page?.headers.get('content-security-policy')?.replace("frame-ancestors 'none'", 'frame-ancestors *'),
    );
  });

  it('shows a name as text, whatever it contains', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='a()'> $& $\` & 名前.jpg`;
    await app.context.db.update(media).set({ name: evil }).where(eq(media.id, id));
    const { text } = await get(`/s/${token}`);
    expect(text).not.toMatch(/<script>|<img|onerror='/);
    expect(text.match(/<title>/g)).toHaveLength(1);
    expect(text.match(/<script /g)).toHaveLength(2);
    expect(metaOf(text)['og:title']).toBe(evil.replace('.jpg', ''));
    await app.context.db.update(media).set({ name: 'shop.jpg' }).where(eq(media.id, id));
  });

  it('answers 404 and names nothing once the link has ended, or never was', async () => {
    await revoke();
    for (const path of [`/s/${token}`, `/embed/${token}`, `/s/${'a'.repeat(43)}`, '/s/%3Cscript%3E', `/s/${id}`]) {
      const { status, text, headers } = await get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
      expect(text).toContain('<title>Framelift</title>');
      expect(text).not.toMatch(/og:|shop/);
      expect(metaOf(text)['description']).toBe(textsIn('en', 'share')('page.gone'));
    }
  });
});

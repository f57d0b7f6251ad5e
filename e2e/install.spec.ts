import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from './support/axe.ts';
import { expectInPlace } from './support/layout.ts';
import { keepScreen } from './support/screens.ts';
import { expect, test } from './support/test.ts';

/* The app as people install it: manifest, icons, its service worker, the offline page, and files shared with it. */

interface Picture {
  readonly src: string;
  readonly sizes: string;
  readonly purpose?: string;
}
interface Manifest {
  readonly lang: string;
  readonly icons: readonly Picture[];
  readonly screenshots: readonly Picture[];
  readonly shortcuts: readonly { readonly name: string; readonly url: string }[];
}

/** Opens a page that the app's service worker controls. */
async function openControlled(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

test('a browser finds all that makes the app installable, in the language of the page', async ({ page, app }) => {
  await openControlled(page, '/index?lang=ja');
  const devtools = await page.context().newCDPSession(page);
  const { url, data, errors } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  expect(url).toBe(`${app.url}/manifest.ja.webmanifest`);
  // Playwright's windows are private ones, where no app can be installed: everything else must be in place.
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);

  const manifest: Manifest = JSON.parse(data ?? '');
  expect(manifest).toMatchObject({
    id: '/',
    start_url: '/',
    display: 'standalone',
    lang: 'ja',
    short_name: 'Framelift',
  });
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`).sort()).toEqual([
    '192x192 any',
    '192x192 maskable',
    '512x512 any',
    '512x512 maskable',
  ]);
  for (const { src, sizes } of [
    ...manifest.icons,
    ...manifest.screenshots,
    { src: '/icons/apple-touch-icon.png', sizes: '180x180' },
  ]) {
    const { width, height } = await sharp(Buffer.from(await (await fetch(app.url + src)).arrayBuffer())).metadata();
    expect({ src, size: `${width}x${height}` }).toEqual({ src, size: sizes });
  }
  await expect(page.locator('link[rel="apple-touch-icon"]')).toHaveAttribute('href', '/icons/apple-touch-icon.png');
  expect(manifest.shortcuts.map(({ name }) => name)).toEqual(['写真を変換', 'マイコンテンツ', 'マイフレーム']);
});

test('without a network every page of the app says so in the language of the person, and comes back by itself [A90]', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  await openControlled(page, '/login?lang=en');
  await context.setOffline(true);
  for (const [language, title] of [
    ['en', 'You are offline'],
    ['zh', '目前沒有網路連線'],
    ['ja', 'オフラインです'],
  ] as const) {
    await page.context().addCookies([{ name: 'lang', value: language, url: page.url() }]);
    await page.goto('/qa');
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page).toHaveTitle(`${title} · Framelift`);
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await expectInPlace(page, `the offline page in ${language}`);
      await keepScreen(page, `offline-${width}-${language}`);
    }
    await expectAccessible(page, `the offline page in ${language}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/qa');
  await keepScreen(page, 'offline-light');
  await expectAccessible(page, 'the offline page in light colours');

  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: 'よくある質問' })).toBeVisible();
  await expect(page).toHaveURL('/qa');
});

test('the worker of the app answers neither for frames nor for calls, files and shared pages', async ({
  page,
  context,
}) => {
  await openControlled(page, '/index?lang=en');
  await context.setOffline(true);
  for (const path of ['/frame', '/frame/x', '/api/config', '/files/x', '/s/x', '/embed/x'])
    await expect(page.goto(path), path).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  await expect(page.goto('/index')).resolves.not.toThrow();
});

test('files shared from another app wait for the upload page with their names and types', async ({ page }) => {
  await openControlled(page, '/index?lang=en');
  // The operating system posts such a form; the worker must not let a byte of it through to the server.
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.serviceWorker() !== null) sent.push(request.url());
  });
  const share = (names: readonly string[]) =>
    page.evaluate((names) => {
      const form = Object.assign(document.createElement('form'), {
        method: 'POST',
        action: '/share-target',
        enctype: 'multipart/form-data',
      });
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true });
      const files = new DataTransfer();
      for (const name of names)
        files.items.add(new File([name], name, { type: name.endsWith('.mp4') ? 'video/mp4' : 'image/jpeg' }));
      input.files = files.files;
      form.append(input);
      document.body.append(form);
      form.submit();
    }, names);
  const kept = () =>
    page.evaluate(async () => {
      const cache = await caches.open('framelift.shared');
      const found = [];
      for (const { url } of await cache.keys()) {
        const file = await cache.match(url);
        found.push([
          new URL(url).pathname,
          decodeURIComponent(file?.headers.get('x-file-name') ?? ''),
          file?.headers.get('content-type'),
          await file?.text(),
        ]);
      }
      return found;
    });

  await share(['older.jpg', 'older too.jpg', 'oldest.jpg']);
  await expect(page.getByRole('tabpanel')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/upload?shared=1');
  expect(await kept()).toHaveLength(3);
  await share(['小白菜 1.jpg', 'beach.mp4']);
  await expect(page.getByRole('tabpanel')).toBeVisible();
  expect(await kept()).toEqual([
    ['/shared/0', '小白菜 1.jpg', 'image/jpeg', '小白菜 1.jpg'],
    ['/shared/1', 'beach.mp4', 'video/mp4', 'beach.mp4'],
  ]);
  expect(sent).toEqual([]);
});

/** A server in front of the app that can become the one of a later version. */
async function upgradable(app: string): Promise<{ readonly url: string; readonly server: Server; upgrade(): void }> {
  let isNew = false;
  const server = createServer((incoming, answer) => {
    // Whole files, which can be changed: neither compressed ones nor "not modified".
    const { 'if-none-match': _etag, 'if-modified-since': _time, ...asked } = incoming.headers;
    const headers = { ...asked, 'accept-encoding': 'identity' };
    incoming.pipe(
      request(new URL(incoming.url ?? '/', app), { method: incoming.method, headers }, (response) => {
        const isChanged = isNew && /^\/(sw\.js)?$/.test(incoming.url ?? '');
        const { 'content-length': length, etag, ...others } = response.headers;
        answer.writeHead(response.statusCode ?? 502, isChanged ? others : response.headers);
        if (!isChanged) response.pipe(answer);
        else
          void response.toArray().then((parts) => {
            const body = Buffer.concat(parts).toString();
            answer.end(
              body.replace(/VERSION = '\w+'/, "VERSION = 'next'").replace(/src="\/assets\/\w+-/, 'src="/assets/next-'),
            );
          });
      }),
    );
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    server,
    upgrade: () => {
      isNew = true;
    },
  };
}

test('a new version is noticed by a tab that is looked at again: it is offered, and nothing of the old one stays stored [W17]', async ({
  page,
  app,
}) => {
  const { url, server, upgrade } = await upgradable(app.url);
  await page.clock.install();
  await openControlled(page, `${url}/login?lang=en`);
  const own = () =>
    page.evaluate(async () => (await caches.keys()).filter((name) => name !== 'framelift.shared').sort());
  const [old] = await own();
  expect(old).toMatch(/^framelift\.app-[0-9a-f]{16}$/);
  await page.reload();
  await expect
    .poll(() => page.evaluate(async (name) => (await (await caches.open(name)).keys()).length, old ?? ''))
    .toBeGreaterThan(5);
  const email = page.getByRole('tabpanel').getByLabel(/^e-?mail/i);
  await email.fill('mei@example.org');
  upgrade();
  const look = () => page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  await page.clock.fastForward('10:00');
  await look();
  await page.clock.fastForward('30:00');
  await look();
  await expect(page.getByText('There is a new version of Framelift.')).toBeVisible();
  await expect(email).toHaveValue('mei@example.org');
  await expect.poll(own).toEqual(['framelift.app-next']);
  server.closeAllConnections();
  server.close();
});

test('where a browser denies service workers and storage of files, the app works as before', async ({ page }) => {
  const failed: string[] = [];
  page.on('pageerror', (error) => failed.push(String(error)));
  await page.addInitScript(() => {
    navigator.serviceWorker.register = () => Promise.reject(new DOMException('denied', 'SecurityError'));
    Object.defineProperty(window, 'caches', { get: () => undefined });
  });
  await page.goto('/login?lang=en');
  await page.getByRole('button', { name: 'Side menu' }).click();
  await expect(page.getByRole('navigation', { name: 'Side menu' })).toBeVisible();
  expect(failed).toEqual([]);
});

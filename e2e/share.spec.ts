import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MEDIA_STATUS } from '@framelift/contract';
import { memberClient, uploadJpeg, waitForMedia } from './support/api.ts';
import { enterAsMember } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { pictureAt } from './support/preview.ts';
import { expect, test } from './support/test.ts';

test('a member makes a public link; a stranger looks around in the picture, saves a file where that is allowed, and finds nothing once sharing was stopped, until it is undone', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(360_000);
  const client = await memberClient(app.url, await enterAsMember(page));
  const id = await uploadJpeg(app.url, client, await madePhoto(7, 640, 480), 'harbour.jpg');
  await waitForMedia(client, id, ({ status }) => status === MEDIA_STATUS.finished, 120_000);
  await page.goto(`/result/${id}`);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share by link' });
  await dialog.getByRole('button', { name: 'Make a link' }).click();
  const link = dialog.getByLabel('Link', { exact: true });
  const path = new URL(await link.inputValue()).pathname;
  expect(path).toMatch(/^\/s\/[\w-]{43}$/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await link.inputValue());

  const context = await browser.newContext({ baseURL: app.url, locale: 'en-US' });
  const stranger = await context.newPage();
  await stranger.emulateMedia({ reducedMotion: 'reduce' });
  expect((await stranger.goto(path))?.status()).toBe(200);
  const name = stranger.getByRole('heading', { name: 'harbour', level: 1 });
  await expect(name).toBeVisible({ timeout: 60_000 });
  const picture = stranger.getByRole('main').getByRole('img', { name: /^harbour in 3D/ });
  await expect(picture.locator('canvas')).toBeVisible({ timeout: 60_000 });
  const [left, right] = [await pictureAt(picture, 0.05), await pictureAt(picture, 0.95)];
  const moved = left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length;
  expect(moved).toBeGreaterThan(0.5);
  await expect(stranger.getByRole('button', { name: 'Download' })).toBeHidden();

  await dialog.getByRole('switch', { name: 'Allow downloads' }).click();
  await expect
    .poll(async () => (await client.call('shares', { input: {} })).data[0])
    .toMatchObject({
      download: true,
      views: 1,
    });
  await stranger.reload();
  await stranger.getByRole('button', { name: 'Download' }).click();
  const saving = stranger.waitForEvent('download', { timeout: 60_000 });
  await stranger.getByRole('button', { name: /^Red-cyan image/ }).click();
  expect((await saving).suggestedFilename()).toBe('harbour_redcyan.jpg');
  await expect(stranger.getByText('Saved as harbour_redcyan.jpg')).toBeVisible();

  await test.step('in a frame of another website', async () => {
    await dialog.getByRole('button', { name: 'Show it on a website' }).click();
    const code = await dialog.getByLabel('Code to embed').inputValue();
    // A real server: browsers guard what a page from elsewhere loads from this machine.
    const website = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(code));
    await new Promise<void>((listening) => website.listen(0, '127.0.0.1', listening));
    const blog = await context.newPage();
    await blog.goto(`http://127.0.0.1:${(website.address() as AddressInfo).port}/`);
    const framed = blog.frameLocator('iframe');
    await expect(framed.getByRole('img', { name: /^harbour in 3D/ }).locator('canvas')).toBeVisible({
      timeout: 60_000,
    });
    await expect(framed.getByRole('link', { name: 'Open harbour on Framelift' })).toBeVisible();
    await blog.close();
    website.close();
  });

  await dialog.getByRole('button', { name: 'Stop sharing' }).click();
  await page.getByRole('button', { name: 'Undo' }).hover();
  expect((await stranger.goto(path))?.status()).toBe(404);
  await expect(stranger.getByRole('heading', { name: 'This link has ended' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The link works again.')).toBeVisible();
  expect((await stranger.reload())?.status()).toBe(200);
  await expect(name).toBeVisible();
  await context.close();

  await page.goto('/menu/shares');
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'harbour.jpg' });
  await row.getByRole('button', { name: 'Stop sharing harbour.jpg' }).click();
  await expect(page.getByText('Nothing is shared')).toBeVisible();
});

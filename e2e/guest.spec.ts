import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { chooseFile, sendFile } from './support/upload.ts';

test('a guest converts a picture, sees it in 3D, and finds it again in the same browser [R-1.guest.1] [R-2.guest-page.2]', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.goto('/login?lang=en');
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await page.getByRole('button', { name: 'Convert 2D to 3D' }).click();
  await chooseFile(page, { name: '窗邊.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(2) });
  await sendFile(page, /\/guestPage\?media=/);
  await expect(page.getByRole('heading', { name: 'Your picture in 3D' })).toBeVisible({ timeout: 120_000 });
  await expect(page.getByRole('img', { name: /窗邊\.jpg in 3D/ })).toBeVisible();

  await page.getByRole('link', { name: 'All your pictures' }).click();
  await page.getByRole('link', { name: 'Open 窗邊.jpg' }).click();
  await expect(page.getByRole('heading', { name: 'Your picture in 3D' })).toBeVisible();
  await expect(page).toHaveURL(/\/guestPage/);

  await page.getByRole('button', { name: 'Log out' }).click();
  await page.goto('/login?lang=en');
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(page.getByRole('link', { name: 'Open 窗邊.jpg' })).toBeVisible();
});

test('a guest stays on the guest page, in English, without the navigation, the store, the plans and the orders of members [R-1.guest.3] [R-1.guest.4] [R-1.guest.6] [R-1.guest.7] [R-1.guest.8] [R-1.guest.9] [R-2.guest-page.1] [A104]', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/login?lang=ja');
  await page.getByRole('button', { name: 'ゲスト' }).click();
  await expect(page.getByRole('heading', { name: 'Guest mode' })).toBeVisible();

  const closed = [
    '/member/video',
    '/menu',
    '/store',
    '/member/order',
    '/plan',
    '/subscribe',
    '/subscribedetail',
    '/index',
  ];
  for (const path of [...closed, '/guestPage?lang=ja']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/guestPage/);
    await expect(page.getByRole('heading', { name: 'Guest mode' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  }
  await expect(page.getByRole('navigation', { name: 'Quick navigation' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Side menu' }).click();
  const menu = page.getByRole('dialog');
  await expect(menu.getByRole('button', { name: 'Log out' })).toBeVisible();
  await expect(menu.getByText(/^(Store|Orders|Albums|Plans|Profile)/)).toHaveCount(0);
});

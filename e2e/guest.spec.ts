import type { Page } from '@playwright/test';
import { expectInPlace } from './support/layout.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { chooseFile, sendFile } from './support/upload.ts';

test('a guest converts a picture, sees it in 3D, and finds it again in the same browser [R-1.guest.1] [R-2.guest-page.2] [U4] [U7] [U18] [T20]', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.goto('/login?lang=en');
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Convert a photo' }).first().click();
  const small = { name: 'small.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(3, 512, 307) };
  await chooseFile(page, small);
  const soft = page.getByRole('dialog').getByText('230 × 307 px is small: the result will look soft.');
  await expect(soft).toBeVisible();
  await expectInPlace(page, 'the crop of a small photo');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('dialog').getByRole('button', { name: 'Choose another' }).click();
  await (await chooser).setFiles({ name: '窗邊.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(2) });
  await expect(soft).toBeHidden();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Upload and convert' })).toBeEnabled();
  const window = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const [width, height] of LOW_WINDOWS) {
    await page.setViewportSize({ width, height });
    await expectReach(page, 'Upload and convert');
    await expectInPlace(page, `the crop at ${width} x ${height}`);
  }
  await page.setViewportSize(window);
  await sendFile(page, /\/guestPage\?media=/);
  await expect(page.getByRole('heading', { name: 'Your picture in 3D' })).toBeVisible({ timeout: 120_000 });
  const preview = page.getByRole('img', { name: /窗邊\.jpg in 3D/ });
  await expect(preview).toBeVisible();

  // On a phone the result begins within the first third, and stays in view while a control below changes it.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByRole('heading', { name: 'Guest mode' })).toBeHidden();
  expect((await preview.boundingBox())?.y).toBeLessThan(740 / 3);
  for (const slider of await page.getByRole('slider').all()) {
    await slider.focus();
    await expect(slider).toBeInViewport();
    await expect(preview).toBeInViewport({ ratio: 0.9 });
    await slider.press('ArrowLeft');
    await slider.press('ArrowRight');
  }
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('You are a guest')).toBeHidden();
  await page.setViewportSize(window);

  await page.getByRole('link', { name: 'All your photos' }).click();
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

/** Two phones, and a computer at 200 % zoom. */
const LOW_WINDOWS = [
  [360, 640],
  [360, 740],
  [720, 450],
] as const;

/** Checks that a button is whole within the window, and that nothing is drawn across the bar that holds it. */
async function expectReach(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name });
  await expect(button).toBeInViewport({ ratio: 1 });
  const across = await button.evaluate((element) => {
    const bar = element.parentElement as HTMLElement;
    const { left, top, width, height } = bar.getBoundingClientRect();
    const found = new Set<string>();
    for (let x = 0.05; x < 1; x += 0.05)
      for (let y = 0.05; y < 1; y += 0.05) {
        const at = document.elementFromPoint(left + x * width, top + y * height);
        if (at && !bar.contains(at)) found.add(at.outerHTML.slice(0, 100));
      }
    return [...found];
  });
  expect(across).toEqual([]);
}

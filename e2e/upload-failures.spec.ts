import type { Route } from '@playwright/test';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { chooseFile } from './support/upload.ts';

const FILES = '**/files/**';
const FINISH = '**/api/setMediaS3UploadFinish';

test('an upload that fails says why, keeps the photo and goes on when it is tried again [R-8.catalogue.19] [R-8.catalogue.21] [R-8.catalogue.22] [R-8.catalogue.23]', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.clock.install();
  await page.goto('/login?lang=en');
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Convert a photo' }).first().click();
  await chooseFile(page, { name: 'shop.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(21) });
  const dialog = page.getByRole('dialog');
  const failed = dialog.getByRole('alert');
  const retry = dialog.getByRole('button', { name: 'Try again' });

  await page.route(FILES, (route) => route.fulfill({ status: 403, body: '<Error/>' }));
  await dialog.getByRole('button', { name: 'Upload and convert' }).click();
  await expect(failed).toHaveText('File upload failed.');

  const tries = [
    { code: 'Error uploading file', put: (route: Route) => route.abort() },
    { code: 'The upload took too long.', put: () => {} },
  ];
  for (const { code, put } of tries) {
    const tried = page.waitForRequest((request) => request.method() === 'PUT');
    await page.unroute(FILES);
    await page.route(FILES, put);
    await retry.click();
    await tried;
    // Longer than an upload may stand still.
    await page.clock.fastForward('06:00');
    await expect(failed).toContainText(code);
  }

  await page.unroute(FILES);
  await page.route(FINISH, (route) => route.fulfill({ status: 500, body: 'broken' }));
  await retry.click();
  await expect(failed).toContainText('Status changing failed');

  await page.unroute(FINISH);
  await retry.click();
  await expect(page).toHaveURL(/\/guestPage\?media=/, { timeout: 60_000 });
});

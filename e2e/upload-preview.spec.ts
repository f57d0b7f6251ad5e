import { enterAsMember } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { pictureAt } from './support/preview.ts';
import { difference } from './support/quilt.ts';
import { expect, test } from './support/test.ts';
import { chooseFile, sendFile } from './support/upload.ts';

test('a member sees the depth of their own photo before the upload, at the strength chosen, may cancel it, and can convert without it', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await enterAsMember(page);
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'Convert' }).click();
  await chooseFile(page, { name: 'box.jpg', mimeType: 'image/jpeg', buffer: await madePhoto() });
  const dialog = page.getByRole('dialog');
  const ask = dialog.getByRole('button', { name: 'Preview your photo in 3D' });
  const submit = dialog.getByRole('button', { name: 'Upload and convert' });

  await test.step('cancelled', async () => {
    const asked = page.waitForRequest('**/api/previewDepth');
    // Never answered.
    await page.route('**/api/previewDepth', () => {}, { times: 1 });
    await ask.click();
    await asked;
    await expect(submit).toBeEnabled();
    await dialog.getByRole('button', { name: 'Cancel preview' }).click();
    await expect(ask).toBeVisible();
  });
  await test.step('not available', async () => {
    const body = JSON.stringify({ success: false, code: 'conversionFailed', message: 'It failed.', errors: [] });
    await page.route(
      '**/api/previewDepth',
      (route) => route.fulfill({ status: 422, contentType: 'application/json', body }),
      { times: 1 },
    );
    await ask.click();
    await expect(dialog.getByRole('alert')).toHaveText('Preview not available. You can still convert the photo.');
    await expect(submit).toBeEnabled();
  });
  await dialog.getByRole('button', { name: 'Try the preview again' }).click();
  const preview = dialog.getByRole('img', { name: /^Your photo in 3D/ });
  await expect(preview.locator('canvas')).toBeVisible({ timeout: 120_000 });
  const strength = dialog.getByRole('slider', { name: '3D strength' });
  const movement = async () => difference(await pictureAt(preview, 0.05), await pictureAt(preview, 0.95));
  const strong = await movement();
  expect(strong).toBeGreaterThan(1);
  await strength.press('Home');
  await strength.press('ArrowRight');
  expect(await movement()).toBeLessThan(strong * 0.7);

  await test.step('another crop is another picture; going back shows the first one again', async () => {
    const mirror = dialog.getByRole('button', { name: 'Flip left and right' });
    await mirror.click();
    await expect(ask).toBeVisible();
    await mirror.click();
    await expect(preview.locator('canvas')).toBeVisible();
  });
  await sendFile(page, /\/menu\/confirmUpload\?media=/);
});

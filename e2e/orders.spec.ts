import { MEDIA_TYPE } from '@framelift/contract';
import { adminAccount, memberClient } from './support/api.ts';
import { expectAccessible } from './support/axe.ts';
import { enterAsMember } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { pickFile, sendFile } from './support/upload.ts';

test('too few points are earned by an ad; after the upload "check orders" leads to its order, which opens and leads to the result [R-1.product.3] [R-1.member.9] [R-2.upload-success.2] [R-2.orders.3] [R-2.rewarded-ad.2] [R-2.rewarded-ad.4] [R-8.payment.4]', async ({
  app,
  page,
}) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 360, height: 740 });
  await enterAsMember(page);
  const admin = await memberClient(app.url, adminAccount(app));
  const setPrice = (points: number | null) =>
    admin.call('setConversionPrice', { input: { device_type_id: null, media_type: MEDIA_TYPE.picture, points } });
  await setPrice(1);
  try {
    await page.getByRole('navigation', { name: 'Quick navigation' }).getByRole('button', { name: 'Convert' }).click();
    const dialog = page.getByRole('dialog', { name: 'Crop and strength' });
    await pickFile(page, { name: 'first.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(1, 1500, 2000) });
    // Too few points are told before anything is sent. An ad lasts as long as the server says, and the crop stays meanwhile.
    await expect(dialog.getByText('You do not have enough points. Please top up.')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Upload and convert' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Watch an ad' }).click();
    const ad = page.getByRole('dialog').last();
    await expect(ad).toContainText('Watch an ad to receive a special reward?');
    await ad.getByRole('button', { name: 'Yes' }).click();
    await expect(ad.locator('img')).toBeVisible();
    await expectAccessible(page, 'an ad that is playing');
    await expect(ad).toContainText('You have been rewarded 1 free point!', { timeout: 60_000 });
    await ad.getByRole('button', { name: 'Close' }).last().click();
    await expect(dialog.getByText('Costs 1 free point. You have 1 free point.')).toBeVisible();
    await sendFile(page, /\/menu\/confirmUpload\?media=/);
  } finally {
    await setPrice(null);
  }
  const id = new URL(page.url()).searchParams.get('media') ?? '';
  await page.getByRole('button', { name: 'Check orders' }).click();
  await expect(page).toHaveURL(/\/menu\/order$/);

  // During its conversion or after it: the conversion leaves the page little CPU time.
  const order = page.getByRole('button', { name: /^first\.jpg/ });
  await expect(order).toBeVisible({ timeout: 60_000 });
  await order.click();
  await expect(order).toHaveAttribute('aria-expanded', 'true');
  // The list stays the same, and the order shows the progress of its conversion.
  await expect(order).toContainText('Finished', { timeout: 120_000 });
  await page.getByRole('tab', { name: 'Purchases' }).click();
  await expect(page.getByRole('heading', { name: 'No purchases yet' })).toBeVisible();
  await page.getByRole('tab', { name: 'Uploads' }).click();
  // Not the day, which may end meanwhile.
  await page.getByRole('tab', { name: 'Week' }).click();
  await expect(page.getByText('1 order in the last 7 days')).toBeVisible();
  await page.getByRole('button', { name: /^first\.jpg/ }).click();
  await expectAccessible(page, 'an open order');
  await page.getByRole('link', { name: 'Open the result' }).click();
  await expect(page).toHaveURL(new RegExp(`/result/${id}$`));
  await expect(page.getByRole('heading', { name: 'Your picture in 3D' })).toBeVisible({ timeout: 60_000 });
  // Going back restores the selected tab.
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Week', selected: true })).toBeVisible();

  await page.goto('/menu');
  await page.getByRole('link', { name: /^My points/ }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'first.jpg' })).toContainText('−1');
  await expect(page.getByRole('listitem').filter({ hasText: 'Ad watched' })).toContainText('+1');
});

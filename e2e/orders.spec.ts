import { expectAccessible } from './support/axe.ts';
import { signUp } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { chooseFile, sendFile } from './support/upload.ts';

test('after an upload "check orders" leads to its order, which opens and leads to the result [R-1.product.3] [R-1.member.9] [R-2.upload-success.2] [R-2.orders.3]', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await page.setViewportSize({ width: 360, height: 740 });
  await signUp(page);
  await page.getByRole('navigation', { name: 'Quick navigation' }).getByRole('button', { name: 'Convert' }).click();
  await chooseFile(page, { name: 'first.jpg', mimeType: 'image/jpeg', buffer: await madePhoto(1, 480, 640) });
  await sendFile(page, /\/menu\/confirmUpload\?media=/);
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
});

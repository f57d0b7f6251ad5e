import { MEDIA_STATUS } from '@framelift/contract';
import { memberClient, uploadFlatJpeg, waitForMedia } from './support/api.ts';
import { enterAsMember } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

test('a member makes an album, fills it from the content, names it anew, takes a picture out, deletes it and brings it back [R-1.product.3] [R-1.feature-other.1] [R-2.album-card.1] [R-2.album-card.2]', async ({
  page,
  app,
}) => {
  const client = await memberClient(app.url, await enterAsMember(page));
  for (const [seed, name] of ['harbour.jpg', 'lighthouse.jpg'].entries()) {
    const id = await uploadFlatJpeg(app.url, client, await madePhoto(seed + 40, 320, 420), name);
    await waitForMedia(client, id, ({ status }) => status === MEDIA_STATUS.finished);
  }

  await page.goto('/album');
  await expect(page.getByText('No albums yet')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'New album' }).click();
  await expect(page.getByLabel('Album name')).toBeFocused();
  await page.keyboard.type('By the sea');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'By the sea', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'Add pictures' }).click();
  const choice = page.getByRole('dialog', { name: 'Add pictures' });
  await choice.getByRole('checkbox', { name: 'harbour.jpg' }).check();
  await choice.getByRole('checkbox', { name: 'lighthouse.jpg' }).check();
  await choice.getByRole('button', { name: 'Add (2)' }).click();
  await expect(choice).toBeHidden();
  await expect(page.getByText('2 images')).toBeVisible();

  await page.getByRole('button', { name: 'Actions for lighthouse.jpg' }).click();
  await page.getByRole('menuitem', { name: 'Use as album cover' }).click();
  await expect(page.getByText('lighthouse.jpg is now the cover of this album.')).toBeVisible();
  await page.getByRole('button', { name: 'Actions for harbour.jpg' }).click();
  await page.getByRole('menuitem', { name: 'Remove from album' }).click();
  await expect(page.getByText('1 image')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open harbour.jpg' })).toBeHidden();

  await page.getByRole('button', { name: 'Rename By the sea' }).click();
  await page.getByLabel('Album name').fill('Lighthouses');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Lighthouses', level: 1 })).toBeVisible();

  await page.getByRole('main').getByRole('link', { name: 'Albums' }).click();
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Lighthouses' });
  await expect(card).toContainText('1 image');
  // Its cover is the remaining picture, and it has loaded.
  await expect
    .poll(() => card.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);

  await card.getByRole('button', { name: 'Delete Lighthouses' }).click();
  // The notice stays while the pointer is over it, however slow the page is.
  await page.getByRole('button', { name: 'Undo' }).hover();
  await expect(page.getByText('No albums yet')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(card).toContainText('1 image');
  await card.getByRole('link').click();
  await expect(page.getByRole('link', { name: 'Open lighthouse.jpg' })).toBeVisible();
});

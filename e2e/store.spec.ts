import { createClient, MEDIA_STATUS } from '@framelift/contract';
import { adminClient, memberClient, uploadFlatJpeg, uploadJpeg, waitForMedia } from './support/api.ts';
import { enterAsMember, logIn } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

test('a visitor looks at a free product and logs in for it; a member saves it, shows it on the frame with one press, and has it among the albums until it is undone [R-1.feature-store.1] [R-2.home-feed.2] [R-2.product-preview.3]', async ({
  page,
  app,
  browser,
}) => {
  test.setTimeout(180_000);
  const elsewhere = await browser.newContext({ baseURL: app.url, locale: 'en-US' });
  const account = await enterAsMember(await elsewhere.newPage());
  await elsewhere.close();
  const operator = await adminClient(app);
  const deep = await uploadJpeg(app.url, operator, await madePhoto(61, 450, 600), 'harbour.jpg');
  const flat = await uploadFlatJpeg(app.url, operator, await madePhoto(62, 450, 600), 'boat.jpg');
  for (const id of [deep, flat]) await waitForMedia(operator, id, ({ status }) => status === MEDIA_STATUS.finished);
  const named = (name: string) => ({ en: name, zh: '', ja: '' });
  const { id: album } = await operator.call('albumCreate', { input: { name: 'Harbour' } });
  await operator.call('editToAlbum', { input: { id: album, editType: 'add', media_ids: [flat, deep] } });
  await operator.call('editToAlbum', { input: { id: album, editType: 'cover', media_id: deep } });
  const store = await operator.call('setStore', { input: { id: null, name: named('Paper Moon'), icon_media: deep } });
  const texts = { store_id: store.id, content: named('Two evenings.'), album_id: album, has_free: true };
  const shown = { ...texts, id: null, name: named('Harbour lights'), is_activated: true };
  const product = await operator.call('setProduct', { input: shown });
  const hidden = { ...texts, id: null, album_id: null, name: named('Not yet'), is_activated: false };
  await operator.call('setProduct', { input: hidden });

  await page.goto(`/index?product=${product.id}&lang=en`);
  const dialog = page.getByRole('dialog', { name: 'Paper Moon' });
  await expect(dialog).toContainText('Harbour lights');
  // The first picture is live in 3D, from small files that are open to everybody.
  await expect(dialog.locator('[data-state="ready"]')).toBeVisible();
  const next = dialog.getByRole('button', { name: 'Next picture' });
  await expect(next).toBeVisible();
  await page.setViewportSize({ width: 760, height: 900 });
  await expect(next).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 720 });
  await next.click();
  await expect(dialog.getByRole('button', { name: 'Picture 2 of 2' })).toHaveAttribute('aria-current', 'true');
  await dialog.getByRole('link', { name: 'Log in to get it' }).click();
  await expect(page).toHaveURL(/\/login/);
  await logIn(page, account);
  await expect(page).toHaveURL(`/store?product=${product.id}`);
  await expect(dialog.getByRole('button', { name: 'Save to frame' })).toBeVisible();

  const client = await memberClient(app.url, account);
  let token: string | undefined;
  const frame = createClient({ base: `${app.url}/api`, token: () => token, language: () => 'en' });
  const screen = { width: 1920, height: 1080, pixelRatio: 1 };
  const codes = await frame.call('startFrame', { input: { kind: 'Firefox, Linux', screen } });
  const { id: frameId } = await client.call('addDevice', { input: { deviceId: codes.user_code } });
  token = (await frame.call('pollFrame', { input: { device_code: codes.device_code } })).access_token;

  await page.goto('/home');
  await expect(page.getByRole('heading', { name: 'From the store' })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('Not yet')).toHaveCount(0);
  await page.getByRole('button', { name: 'Get it: Harbour lights' }).click();
  await page.getByRole('menuitem', { name: 'Save to frame' }).click();
  await dialog.getByRole('button', { name: 'Save to frame' }).click();
  await expect(page.getByText('“Harbour lights” is now among your albums.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Show on frame' }).click();
  await expect(page.getByRole('dialog', { name: 'Show on frame' })).toContainText('Added', { timeout: 30_000 });
  const items = await client.call('frameItems', { params: { id: frameId } });
  expect(items).toMatchObject([{ kind: 'album', album_id: album, name: 'Harbour lights' }]);

  await page.goto('/album');
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Harbour lights' });
  await expect(card).toContainText('From Paper Moon');
  await card.getByRole('link').click();
  await expect(page.getByRole('link', { name: 'Open harbour.jpg' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rename Harbour lights' })).toHaveCount(0);

  await client.call('product_unsubscribe', { input: { target: product.id } });
  await page.goto('/album');
  await expect(page.getByText('No albums yet')).toBeVisible();
  // The other journeys are those of a site without a shop.
  await operator.call('setStore', { input: { id: store.id, name: store.name, is_active: false } });
});

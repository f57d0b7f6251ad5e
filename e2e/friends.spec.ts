import { MEDIA_STATUS } from '@framelift/contract';
import { memberClient, waitForMedia } from './support/api.ts';
import { enterAsMember } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

test('two members become friends and part, and somebody without an account sends photos to one of them by a link [R-2.add-friend.1] [R-2.add-friend.2] [R-2.add-friend.3] [R-4.friend.1]', async ({
  page,
  browser,
  app,
}) => {
  test.setTimeout(180_000);
  const an = await enterAsMember(page);
  const elsewhere = await browser.newContext({ baseURL: app.url, locale: 'en' });
  const other = await elsewhere.newPage();
  const bo = await enterAsMember(other);

  await page.goto(`/member/addfriend?email=${encodeURIComponent(bo.email)}`);
  await expect(page.getByText('No friends yet')).toBeVisible({ timeout: 60_000 });
  const ask = () => page.getByRole('button', { name: 'Add friend' }).click();
  await ask();
  const sent = page.getByRole('region', { name: 'Requests you sent' });
  await expect(sent.getByText(bo.email)).toBeVisible();
  await sent.getByRole('button', { name: /^Cancel/ }).click();
  await expect(sent).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(sent.getByText('Waiting for an answer')).toBeVisible();

  await other.goto('/menu');
  await other.getByRole('link', { name: /Friends.*1 new request/ }).click();
  await other.getByRole('button', { name: /^Accept/ }).click();
  const friends = other.getByRole('region', { name: 'Your friends' });
  await expect(friends.getByText(an.email)).toBeVisible();
  await friends.getByRole('button', { name: /^Remove/ }).click();
  await expect(other.getByText('No friends yet')).toBeVisible();

  await page.goto('/member/uploadlinks');
  await page.getByRole('textbox', { name: 'Name' }).fill('Wedding');
  await page.getByRole('button', { name: 'Make the link' }).click();
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Wedding' });
  const address = (await row.getByText(/\/u\//).textContent()) ?? '';
  await row.getByRole('button', { name: 'QR code of the link “Wedding”' }).click();
  const code = page.getByRole('dialog', { name: 'Wedding' });
  await expect(code.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(code).toBeHidden();

  const stranger = await browser.newContext({ baseURL: app.url, locale: 'en' });
  const guest = await stranger.newPage();
  await guest.goto(new URL(address).pathname);
  await expect(guest.getByRole('heading', { level: 1 })).toContainText('Send pictures to');
  const photos = await Promise.all(
    [71, 72].map(async (seed) => ({
      name: `cake ${seed}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await madePhoto(seed, 400, 300),
    })),
  );
  await guest.locator('input[type=file]').first().setInputFiles(photos);
  await expect(guest.getByRole('button', { name: 'Send 2 photos' })).toBeEnabled({ timeout: 30_000 });
  await guest.getByRole('button', { name: 'Send 2 photos' }).click();
  await expect(guest.getByText('Please enter your name.')).toBeVisible();
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Aunt Mia');
  await guest.getByRole('button', { name: 'Send 2 photos' }).click();
  await expect(guest.getByRole('heading', { name: 'Thank you!' })).toBeVisible({ timeout: 60_000 });

  const client = await memberClient(app.url, an);
  const { data } = await client.call('videos', { input: {} });
  expect(data.map(({ name, sent_by }) => [name, sent_by]).sort()).toEqual([
    ['cake 71.jpg', 'Aunt Mia'],
    ['cake 72.jpg', 'Aunt Mia'],
  ]);
  for (const { id } of data) await waitForMedia(client, id, ({ status }) => status === MEDIA_STATUS.finished);

  await page.reload();
  await expect(row).toContainText('2 of 50 pictures received');
  await row.getByRole('button', { name: 'End the link “Wedding”' }).click();
  await expect(row).toBeHidden();
  await guest.reload();
  await expect(guest.getByRole('heading', { name: 'This link has ended' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toBeVisible();
  await elsewhere.close();
  await stranger.close();
});

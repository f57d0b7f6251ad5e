import type { Media } from '@framelift/contract';
import { callApi } from './support/api.ts';
import { bring } from './support/drop.ts';
import { openLine } from './support/line.ts';
import { signUp } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';

const COUNT = 20;
const nameOf = (number: number) => `photo-${String(number).padStart(2, '0')}.jpg`;

test('twenty photos dropped at once are checked on one screen, arrive in order over two cuts of the line, and none is lost [A6] [R-1.feature-upload.1] [R-1.feature-upload.4]', async ({
  page,
  app,
}) => {
  test.setTimeout(240_000);
  const photos = await Promise.all(
    Array.from({ length: COUNT }, async (_, i) => ({
      name: nameOf(i + 1),
      mimeType: 'image/jpeg',
      // Two of them lie on their side.
      buffer: await madePhoto(i + 1, i < 2 ? 400 : 300, i < 2 ? 225 : 400),
    })),
  );
  const note = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('milk, bread') };
  await signUp(page);
  const line = await openLine(app.url);
  const devTools = await page.context().newCDPSession(page);
  // The session is the server's, and this origin is new: a page of members asks for it.
  await page.goto(`${line.url}/menu`);
  await expect(page.getByRole('heading', { name: 'My content', level: 1 })).toBeVisible();

  // A drop is announced anywhere in the app, and a file that is not accepted is named without losing the others.
  await bring(page, 'drag', photos.slice(0, 1));
  await expect(page.getByText('Drop your photos to convert them')).toBeVisible();
  await bring(page, 'drop', [...photos.slice(0, 10), note]);
  const dialog = page.getByRole('dialog', { name: 'Check your photos' });
  await expect(dialog.getByRole('alert')).toContainText('notes.txt');
  await bring(page, 'paste', photos.slice(10, 11));
  await expect(dialog.getByRole('listitem').filter({ hasText: '.jpg' })).toHaveCount(11);
  await bring(page, 'drop', photos.slice(11));
  const cards = dialog.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
  await expect(cards).toHaveCount(COUNT);
  await expect(dialog.getByRole('button', { name: /^Crop photo-/ })).toHaveCount(COUNT);

  // One crop is changed by hand, and the strength is chosen for all.
  await dialog.getByRole('button', { name: 'Crop photo-20.jpg' }).click();
  const cropper = page.getByRole('application', { name: /^Crop for/ });
  await expect(cropper).toBeVisible();
  await cropper.press('+');
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  await dialog.getByRole('slider', { name: '3D strength' }).press('Home');
  const suggested = dialog.getByRole('button', { name: /for these photos$/ });
  await suggested.click();
  await expect(suggested).toBeHidden();

  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 64 * 1024,
  });
  await dialog.getByRole('button', { name: `Convert all ${COUNT}` }).click();
  await expect(dialog).toHaveAttribute('aria-busy', 'true');
  for (const least of [3, 9]) {
    await expect
      .poll(async () => Number(/(\d+) of 20/.exec((await dialog.textContent()) ?? '')?.[1] ?? 0), { intervals: [50] })
      .toBeGreaterThanOrEqual(least);
    line.break();
    await expect(dialog.getByText('The connection is interrupted. The upload goes on by itself…')).toBeVisible();
    line.mend();
  }
  // Leaving is asked about while files are on their way.
  await page.goBack();
  await expect(page.getByRole('dialog', { name: 'Stop the upload?' })).toBeVisible();
  await page.getByRole('button', { name: 'Keep uploading' }).click();
  await expect(page).toHaveURL(/\/menu\/video$/, { timeout: 120_000 });
  await expect(page.getByText(`All ${COUNT} files uploaded`)).toBeVisible();

  const list = async () => {
    const media: Media[] = [];
    for (let next: string | null = null; ; ) {
      const answer: { data: Media[]; links: { next: string | null } } = await page.evaluate(
        async (path) => (await fetch(path)).json(),
        next === null ? '/api/videos' : `/api/videos${next.slice(next.indexOf('?'))}`,
      );
      media.push(...answer.data);
      next = answer.links.next;
      if (next === null) return media.toReversed();
    }
  };
  await expect
    .poll(async () => (await list()).map(({ status }) => status), { timeout: 120_000 })
    .toEqual(Array.from({ length: COUNT }, () => 1));
  const media = await list();
  expect(media.map(({ name }) => name)).toEqual(photos.map(({ name }) => name));
  // The two on their side got the frame that was suggested for them.
  const detail = (id: string) => callApi<{ device_type_id: number }>(page, `media/${id}`);
  const frames = await Promise.all(media.map(async ({ id }) => (await detail(id)).device_type_id));
  expect(new Set(frames.slice(0, 2)).size).toBe(1);
  expect(frames[0]).not.toBe(frames[2]);
  await line.close();
});

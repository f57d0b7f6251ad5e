import type { Media } from '@framelift/contract';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { callApi } from './support/api.ts';
import { bring } from './support/drop.ts';
import { openLine } from './support/line.ts';
import { enterAsMember, mailedLink, register } from './support/member.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { chooseFile } from './support/upload.ts';

const COUNT = 20;
const nameOf = (number: number) => `photo-${String(number).padStart(2, '0')}.jpg`;

test('twenty photos dropped at once are checked on one screen, arrive in order over two cuts of the line, and none is lost [A6] [U13] [R-1.feature-upload.1] [R-1.feature-upload.4]', async ({
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
  await enterAsMember(page);
  const line = await openLine(app.url);
  const devTools = await page.context().newCDPSession(page);
  // The session is the server's, and this origin is new: a page of members asks for it.
  await page.goto(`${line.url}/menu`);
  await expect(page.getByRole('heading', { name: 'Menu', level: 1 })).toBeVisible();

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

test('a page that is reloaded during an upload asks before, and lists afterwards what has not arrived [A5]', async ({
  page,
}) => {
  test.setTimeout(240_000);
  await enterAsMember(page);
  await page.goto('/menu/video');
  let sent = 0;
  // The first file arrives, and the second one never ends.
  await page.route(/\/files\//, async (route) => {
    if (route.request().method() !== 'PUT' || sent++ === 0) await route.continue();
  });
  const asked: string[] = [];
  page.on('dialog', (question) => {
    asked.push(question.type());
    void question.accept();
  });
  const photos = await Promise.all(
    [1, 2, 3].map(async (n) => ({ name: nameOf(n), mimeType: 'image/jpeg', buffer: await madePhoto(n, 300, 400) })),
  );
  await bring(page, 'drop', photos);
  const dialog = page.getByRole('dialog', { name: 'Check your photos' });
  const cards = dialog.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
  await dialog.getByRole('slider', { name: '3D strength' }).press('Home');
  await dialog.getByRole('button', { name: 'Convert all 3' }).click();
  await expect(dialog.getByText(/1 of 3/).first()).toBeVisible({ timeout: 60_000 });
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  await expect(cards).toHaveCount(2);
  await expect(cards.nth(0)).toContainText(nameOf(2));
  await expect(cards.nth(1)).toContainText(nameOf(3));
  await expect(page.getByText(/interrupted before these 2 files were uploaded/)).toBeVisible();
  expect(await page.evaluate(keptInBrowser)).toEqual([expect.stringMatching(/^upload:/)]);
  // Looking at them is no upload: another reload asks nothing and lists them again.
  await page.reload();
  expect(asked).toHaveLength(1);
  await expect(cards).toHaveCount(2);

  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Convert all 2' }).click();
  await expect(page).toHaveURL(/\/menu\/video$/, { timeout: 120_000 });
  await expect(page.getByText('3 items', { exact: true })).toBeVisible();
  // Now nothing is left.
  await page.reload();
  await expect(page.getByText('3 items', { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect.poll(() => page.evaluate(keptInBrowser)).toEqual([]);
});

test('a duplicated tab leaves what another one uploads alone, and while a reload reads it nothing can be chosen', async ({
  page,
  context,
}) => {
  test.setTimeout(120_000);
  await enterAsMember(page);
  await page.goto('/menu/video');
  // Nothing arrives.
  await context.route(/\/files\//, (route) => (route.request().method() === 'PUT' ? undefined : route.continue()));
  context.on('page', (opened) => opened.on('dialog', (question) => void question.accept()));
  page.on('dialog', (question) => void question.accept());
  const photos = await Promise.all(
    [1, 2, 3].map(async (n) => ({ name: nameOf(n), mimeType: 'image/jpeg', buffer: await madePhoto(n, 300, 400) })),
  );
  await bring(page, 'drop', photos.slice(0, 2));
  const dialog = page.getByRole('dialog', { name: 'Check your photos' });
  const cards = dialog.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
  await dialog.getByRole('button', { name: 'Convert all 2' }).click();
  await expect(dialog).toHaveAttribute('aria-busy', 'true');
  await expect.poll(() => page.evaluate(keptInBrowser)).toEqual([expect.stringMatching(/^upload:/)]);

  // A page that another opens begins with a copy of its session storage, as a duplicated tab does.
  const opening = context.waitForEvent('page');
  await page.evaluate(() => void window.open('/menu/video'));
  const twin = await opening;
  expect(await twin.evaluate(() => sessionStorage.getItem('upload'))).not.toBeNull();
  await expect.poll(() => twin.evaluate(() => sessionStorage.getItem('upload'))).toBeNull();
  await twin.getByRole('button', { name: 'Convert a photo' }).first().click();
  const empty = twin.getByRole('dialog', { name: 'Convert a photo' });
  await expect(empty.getByRole('button', { name: 'Choose photo' })).toBeVisible();
  await empty.getByRole('button', { name: 'Cancel' }).click();
  await expect(empty).toHaveCount(0);

  // The other tab has forgotten nothing of it.
  await page.addInitScript(() => {
    const { get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.get = function (key) {
      const request = get.call(this, key);
      const reading = new Proxy({} as { onsuccess: unknown }, {
        set(_, name, value) {
          if (name !== 'onsuccess') return Reflect.set(request, name, value);
          request.onsuccess = () => window.addEventListener('read', () => (value as () => void)(), { once: true });
          return true;
        },
        get: (_, name) => Reflect.get(request, name),
      });
      return reading as unknown as IDBRequest;
    };
  });
  await page.reload();
  await expect(page.getByRole('dialog').getByRole('status', { name: 'Loading' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose photo' })).toHaveCount(0);
  await bring(page, 'drop', photos.slice(2));
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(0);
  await page.evaluate(() => void window.dispatchEvent(new Event('read')));
  await expect(cards).toHaveCount(3);
  await expect(cards.nth(0)).toContainText(nameOf(1));
  await expect(cards.nth(2)).toContainText(nameOf(3));
});

/** Runs in the page: returns the keys of the files that uploads have left in this browser. */
function keptInBrowser(): Promise<string[]> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('framelift.upload');
    opening.onsuccess = () => {
      const request = opening.result.transaction('selection').objectStore('selection').getAllKeys();
      request.onsuccess = () => {
        opening.result.close();
        resolve(request.result.map(String));
      };
    };
  });
}

const RED = [200, 30, 30];
const GREEN = [30, 160, 30];
const BLUE = [30, 30, 200];
const YELLOW = [220, 200, 30];

/** Returns a JPEG of four colours: red and green above blue and yellow. */
function quarters(width: number, height: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = y < height / 2 ? (x < width / 2 ? RED : GREEN) : x < width / 2 ? BLUE : YELLOW;
      data.set(colour, (y * width + x) * 3);
    }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

/** Returns which of the four colours is in each quarter of the picture at a URL, from the top left by rows. */
async function coloursOf(page: Page, url: string): Promise<string> {
  const colours = await page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    return [0.25, 0.75].flatMap((v) =>
      [0.25, 0.75].map((u) => [
        ...(context?.getImageData(Math.floor(u * width), Math.floor(v * height), 1, 1).data ?? []),
      ]),
    );
  }, url);
  const distance = (one: readonly number[], other: readonly number[]) =>
    [0, 1, 2].reduce((sum, c) => sum + Math.abs((one[c] ?? 0) - (other[c] ?? 0)), 0);
  const named = { red: RED, green: GREEN, blue: BLUE, yellow: YELLOW };
  return colours
    .map((found) => Object.entries(named).toSorted(([, a], [, b]) => distance(a, found) - distance(b, found))[0]?.[0])
    .join(' ');
}

test('a visitor turns and crops a photo first, goes on as a guest, and gets it as it was shown [R-2.upload-dialog.1] [R-2.upload-dialog.5] [R-2.upload-dialog.6] [R-9.crop.4]', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.goto('/index?lang=en');
  await page.getByRole('main').getByRole('button', { name: 'Convert a photo' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Convert a photo' });
  // It covers everything but the place of the scroll bar.
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const box = await dialog.boundingBox();
  expect(box).toMatchObject({ x: 0, y: 0, height });
  expect(box?.width).toBeGreaterThan(width - 20);
  const photo = { name: 'flag.jpg', mimeType: 'image/jpeg', buffer: await quarters(600, 800) };
  await chooseFile(page, photo);
  const cropping = page.getByRole('dialog', { name: 'Crop and strength' });
  const preview = cropping.getByTestId('container').locator('img');
  const shown = async () => coloursOf(page, (await preview.getAttribute('src')) ?? '');
  // The crop begins with all of the picture that the frame shows.
  await expect(cropping.getByText('600 × 800 px')).toBeVisible();
  expect(await shown()).toBe('red green blue yellow');

  // Another photo takes its place, and cancelling asks before the crop is lost.
  const chooser = page.waitForEvent('filechooser');
  await cropping.getByRole('button', { name: 'Choose another' }).click();
  await (await chooser).setFiles({ ...photo, buffer: await quarters(606, 808) });
  await expect(cropping.getByText('606 × 808 px')).toBeVisible();
  await cropping.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Keep cropping' }).click();

  await cropping.getByRole('button', { name: 'Rotate 90° clockwise' }).click();
  await expect.poll(shown).toBe('blue red yellow green');
  await cropping.getByRole('button', { name: 'Flip left and right' }).click();
  await expect.poll(shown).toBe('red blue green yellow');
  await cropping.getByRole('slider', { name: 'Straighten' }).press('ArrowRight');
  await expect(cropping.getByText('0.5°')).toBeVisible();
  await cropping.getByRole('slider', { name: '3D strength' }).press('Home');
  await cropping.getByRole('button', { name: 'Upload', exact: true }).click();

  await expect(page.getByRole('heading', { name: 'Where should the result go?' })).toBeVisible();
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(page).toHaveURL(/\/guestPage\?media=/, { timeout: 60_000 });
  const id = new URL(page.url()).searchParams.get('media');
  const detail = () => callApi<{ status: number; cover: string; crop: object }>(page, `media/${id}`);
  await expect.poll(async () => (await detail()).status, { timeout: 60_000 }).toBe(1);
  const { cover, crop } = await detail();
  expect(crop).toMatchObject({ mirror: true, tilt: 0.5 });
  expect(await coloursOf(page, cover)).toBe('red blue green yellow');
});

test('what a visitor has chosen is there again after the registration, in the tab of the mailed link', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await page.goto('/index?lang=en');
  const files = [1, 2].map(async (seed) => ({
    name: nameOf(seed),
    mimeType: 'image/jpeg',
    buffer: await madePhoto(seed, 300, 400),
  }));
  // The address loses its parameter once it is read.
  await expect(page).toHaveURL(/\/index$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await bring(page, 'drop', await Promise.all(files));
  const many = page.getByRole('dialog', { name: 'Check your photos' });
  await many.getByRole('button', { name: 'Convert all 2' }).click();
  await page.getByRole('button', { name: 'Create a free account' }).click();
  await expect(page).toHaveURL(/\/register/);
  const { email } = await register(page);
  const link = await mailedLink(page, email, 'confirmation');
  const tab = await page.context().newPage();
  await tab.goto(link);
  await page.close();
  await tab.getByRole('button', { name: 'Confirm this address' }).click();
  const again = tab.getByRole('dialog', { name: 'Check your photos' });
  await expect(again.getByRole('list', { name: 'Chosen files' }).getByRole('listitem')).toHaveCount(2);
  await expect(again.getByRole('button', { name: 'Convert all 2' })).toBeEnabled();
});

import type { CDPSession, Page } from '@playwright/test';
import { openLine } from './support/line.ts';
import { madePhoto } from './support/photos.ts';
import { expect, test } from './support/test.ts';
import { chooseFile } from './support/upload.ts';

const PART_BYTES = 1_048_576;

test('an upload on a slow line that breaks twice goes on by itself, sends only the broken parts again, and is converted [W19]', async ({
  page,
  app,
}) => {
  test.setTimeout(240_000);
  const photo = await madePhoto(19, 3000, 4000);
  const parts = Math.ceil(photo.length / PART_BYTES);
  expect(parts).toBeGreaterThanOrEqual(4);
  const line = await openLine(app.url);
  const devTools = await page.context().newCDPSession(page);
  await slowDown(devTools);
  const puts = watchParts(page);

  await page.goto(`${line.url}/login?lang=en`);
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Convert a photo' }).first().click();
  await chooseFile(page, { name: 'harbour.jpg', mimeType: 'image/jpeg', buffer: photo });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Upload and convert' }).click();

  for (const part of [2, 3]) {
    const middle = ((part - 0.7) * PART_BYTES) / photo.length;
    await expect.poll(() => sentShare(page), { intervals: [50], timeout: 30_000 }).toBeGreaterThan(middle);
    line.break();
    // The browser notices the first break only by the reset connections, and the second one also by itself.
    if (part === 3) await slowDown(devTools, { offline: true });
    await expect(dialog.getByText('The connection is interrupted. The upload goes on by itself…')).toBeVisible();
    expect(puts.arrived, 'parts that arrived before the line broke').toHaveLength(part - 1);
    line.mend();
    await slowDown(devTools);
    await expect(dialog.getByText(/^Sending .+ of /)).toBeVisible();
  }

  await expect(page).toHaveURL(/\/guestPage\?media=/, { timeout: 60_000 });
  expect(puts.arrived, 'each part arrives').toHaveLength(parts);
  expect(new Set(puts.arrived).size, 'each part arrives once').toBe(parts);
  expect([...puts.broken], 'only these parts are sent again').toEqual(puts.arrived.slice(1, 3));
  await expect(page.getByRole('heading', { name: 'Your picture in 3D' })).toBeVisible({ timeout: 120_000 });
  await line.close();
});

/** Lets the browser send 512 KiB a second. */
function slowDown(devTools: CDPSession, { offline = false } = {}): Promise<unknown> {
  const conditions = { offline, latency: 0, downloadThroughput: -1, uploadThroughput: PART_BYTES / 2 };
  return devTools.send('Network.emulateNetworkConditions', conditions);
}

/** Records the links whose parts arrived, in order, and those of which a request failed. */
function watchParts(page: Page): { readonly arrived: string[]; readonly broken: Set<string> } {
  const arrived: string[] = [];
  const broken = new Set<string>();
  page.on('response', (answer) => {
    if (answer.request().method() === 'PUT' && answer.ok()) arrived.push(answer.url());
  });
  page.on('requestfailed', (request) => {
    if (request.method() === 'PUT') broken.add(request.url());
  });
  return { arrived, broken };
}

/** Returns the share of the file, 0 … 1, that the upload's progress bar shows. */
async function sentShare(page: Page): Promise<number> {
  const shown = await page.getByRole('dialog').getByRole('progressbar').getAttribute('aria-valuenow');
  return Number(shown) / 100;
}
